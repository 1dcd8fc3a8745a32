"""The climbing family behind the shape that all families share."""

from dataclasses import dataclass

from shuangkou.rules.climbing import deal, observation
from shuangkou.rules.climbing.commands import Command
from shuangkou.rules.climbing.events import TRAITS, DealSettled, Event
from shuangkou.rules.climbing.legal_acts import LegalActs
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.climbing.phases import PHASES
from shuangkou.rules.climbing.state import MatchState, running_deal
from shuangkou.rules.climbing.view import SeatView, Standing
from shuangkou.rules.events import NO_TRAIT, DealVoided, Trait
from shuangkou.rules.match import Asked
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class ClimbingDecider:
    """See `rules.decider.Decider` for what each function means."""

    def prepare(self, ruleset: RuleSet) -> None:
        """The move table."""
        move_table(ruleset.options)

    def new_match(self, ruleset: RuleSet) -> MatchState:
        """A table before its first deal."""
        return self.resume(ruleset, Standing())

    def resume(
        self,
        ruleset: RuleSet,
        standing: Standing,
        settled: DealSettled | None = None,
        voided: DealVoided | None = None,
    ) -> MatchState:
        """A table between two deals, as the earlier deals left it."""
        table = move_table(ruleset.options)
        return MatchState(ruleset, table, standing, settled=settled, voided=voided)

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
        """None at all between deals."""
        if state.deal is None:
            return LegalActs(state.table, seat, (), 0, may_pass=False)
        return PHASES[state.deal.phase].legal_acts(state, state.deal, seat)

    def observe(self, state: MatchState, seat: Seat | None) -> SeatView:
        """What the seat, or a spectator, may know."""
        return observation.observe(state, seat)

    def actors(self, state: MatchState) -> tuple[Seat, ...]:
        """The seats that must act now; empty between deals."""
        return () if state.deal is None else PHASES[state.deal.phase].actors(state.deal)

    def asked(self, state: MatchState) -> Asked:
        """To lead or to follow in the play."""
        if state.deal is None or state.deal.phase is not Phase.PLAY:
            return Asked.PHASE
        return Asked.LEAD if state.deal.top is None else Asked.FOLLOW

    def fallback(self, state: MatchState, seat: Seat) -> Command:
        """§8.2; IllegalCommand when it is not the seat's turn."""
        return PHASES[running_deal(state, seat).phase].fallback(state, seat)

    def clock_command(self, _: MatchState) -> None:
        """A seat must act at any time of a deal."""

    def match_limit_s(self, _: RuleSet) -> int:
        """No match is timed by its rules."""
        return 0

    def time_limit_ms(self, state: MatchState) -> int:
        """Milliseconds that the seat to act has, without the time bank; 0 between deals (§8.1)."""
        if state.deal is None:
            return 0
        return 1000 * PHASES[state.deal.phase].seconds(state.ruleset.options, state.deal)
