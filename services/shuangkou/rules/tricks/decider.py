"""The trick-taking family behind the shape that all families share."""

from collections.abc import Callable
from dataclasses import dataclass

from shuangkou.rules.events import NO_TRAIT, DealVoided, Trait
from shuangkou.rules.match import Asked
from shuangkou.rules.ruleset import TricksRuleSet
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks import deal, observation
from shuangkou.rules.tricks.commands import Command, DrawOn
from shuangkou.rules.tricks.events import DealSettled, Event, Phase
from shuangkou.rules.tricks.fallback import fallback_act
from shuangkou.rules.tricks.legal_acts import LegalActs
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.position import position_in
from shuangkou.rules.tricks.state import DealState, MatchState, deal_with_turn
from shuangkou.rules.tricks.traits import TRAITS
from shuangkou.rules.tricks.view import SeatView, Standing


@dataclass(frozen=True, slots=True)
class TricksDecider:
    """See `rules.decider.Decider` for what each function means."""

    def prepare(self, ruleset: TricksRuleSet) -> None:
        """Nothing: an order is made when the first trump is known."""

    def new_match(self, ruleset: TricksRuleSet) -> MatchState:
        """A table before its first deal, both sides on the lowest level (§8.4)."""
        ladder = ruleset.options.ladder
        return self.resume(ruleset, Standing(levels=(ladder[0], ladder[0])) if ladder else Standing())

    def resume(
        self,
        ruleset: TricksRuleSet,
        standing: Standing,
        settled: DealSettled | None = None,
        voided: DealVoided | None = None,
    ) -> MatchState:
        """A table between two deals, as the earlier deals left it."""
        return MatchState(ruleset, standing, settled=settled, voided=voided)

    def decide(self, state: MatchState, command: Command) -> tuple[Event, ...]:
        """What the command causes; IllegalCommand when the rules refuse it."""
        return deal.decide(state, command)

    def evolve(self, state: MatchState, event: Event) -> MatchState:
        """The state after the event."""
        return deal.evolve(state, event)

    def traits(self, event: Event) -> Trait:
        """What the event means to the host of the table."""
        return TRAITS.get(type(event), NO_TRAIT)

    def legal_acts(self, state: MatchState, seat: Seat) -> LegalActs:
        """None at all between deals; while cards are drawn any seat has some."""
        if state.deal is None or seat not in SEATS:
            return LegalActs()
        return LegalActs(position_in(state, state.deal, seat))

    def observe(self, state: MatchState, seat: Seat | None) -> SeatView:
        """What the seat, or a spectator, may know."""
        return observation.observe(state, seat)

    def actors(self, state: MatchState) -> tuple[Seat, ...]:
        """The seat that must act now; nobody between deals and while cards are drawn."""
        return () if state.deal is None or state.deal.turn is None else (state.deal.turn,)

    def asked(self, state: MatchState) -> Asked:
        """To lead or to follow in the play; nobody is asked while cards are drawn."""
        if state.deal is None or state.deal.phase is not Phase.PLAY:
            is_drawing = state.deal is not None and state.deal.phase is Phase.DRAW
            return Asked.CLOCK if is_drawing else Asked.PHASE
        return Asked.FOLLOW if state.deal.trick else Asked.LEAD

    def fallback(self, state: MatchState, seat: Seat) -> Command:
        """§11.2; IllegalCommand when it is not the seat's turn."""
        return fallback_act(position_in(state, deal_with_turn(state, seat), seat))

    def clock_command(self, state: MatchState) -> Command | None:
        """While cards are drawn the next round of them; else nothing happens without a seat."""
        is_drawing = state.deal is not None and state.deal.phase is Phase.DRAW
        return DrawOn() if is_drawing else None

    def match_limit_s(self, ruleset: TricksRuleSet) -> int:
        """§10.7; 0 for no limit."""
        return 60 * ruleset.options.limit_minutes

    def time_limit_ms(self, state: MatchState) -> int:
        """Milliseconds that the seat to act has, without the time bank, or that a round of cards takes; 0
        between deals (§2.6, §11.1).
        """
        if state.deal is None:
            return 0
        return _MILLISECONDS[state.deal.phase](state.ruleset.options, state.deal)


def _draw_ms(options: TricksOptions, _: DealState) -> int:
    return options.draw_pace_ms * len(SEATS)


def _declare_ms(options: TricksOptions, _: DealState) -> int:
    return 1000 * options.declare_seconds


def _bury_ms(options: TricksOptions, _: DealState) -> int:
    return 1000 * options.bury_seconds


def _play_ms(options: TricksOptions, deal: DealState) -> int:
    return 1000 * (options.turn_seconds if deal.trick else options.lead_seconds)


def _name_ms(options: TricksOptions, _: DealState) -> int:
    return 1000 * options.turn_seconds


_MILLISECONDS: dict[Phase, Callable[[TricksOptions, DealState], int]] = {
    Phase.DRAW: _draw_ms,
    Phase.CLOSING: _declare_ms,
    Phase.POST: _declare_ms,
    Phase.BURY: _bury_ms,
    Phase.PLAY: _play_ms,
    Phase.NAME_SHAPE: _name_ms,
}
