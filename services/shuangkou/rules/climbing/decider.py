"""The climbing family behind the shape that all families share."""

from dataclasses import dataclass

from shuangkou.rules.climbing import deal, observation
from shuangkou.rules.climbing.commands import Command, Pass
from shuangkou.rules.climbing.deal import MatchState
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.legal_acts import LegalActs
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.view import SeatView, Standing
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class ClimbingDecider:
    """See `rules.decider.Decider` for what each function means."""

    def new_match(self, ruleset: RuleSet) -> MatchState:
        """A table before its first deal."""
        return self.resume(ruleset, Standing())

    def resume(self, ruleset: RuleSet, standing: Standing) -> MatchState:
        """A table between two deals, as the earlier deals left it."""
        return MatchState(ruleset, move_table(ruleset.options), standing)

    def decide(self, state: MatchState, command: Command) -> tuple[Event, ...]:
        """What the command causes; IllegalCommand when the rules refuse it."""
        return deal.decide(state, command)

    def evolve(self, state: MatchState, event: Event) -> MatchState:
        """The state after the event."""
        return deal.evolve(state, event)

    def legal_acts(self, state: MatchState, seat: Seat) -> LegalActs:
        """None at all for a seat that is not to act."""
        current = state.deal
        if current is None or current.turn != seat:
            return LegalActs(state.table, seat, (), 0, may_pass=False)
        rows = state.table.playable(current.packed_hands[seat], current.top_row)
        return LegalActs(state.table, seat, current.hands[seat], rows, current.top is not None)

    def observe(self, state: MatchState, seat: Seat | None) -> SeatView:
        """What the seat, or a spectator, may know."""
        return observation.observe(state, seat)

    def actors(self, state: MatchState) -> tuple[Seat, ...]:
        """The seat whose turn it is; empty between deals."""
        return () if state.deal is None else (state.deal.turn,)

    def fallback(self, state: MatchState, seat: Seat) -> Command:
        """§8.2: pass, or the lowest single to lead; IllegalCommand when it is not the seat's turn."""
        if deal.deal_with_turn(state, seat).top is not None:
            return Pass(seat)
        return next(iter(self.legal_acts(state, seat))).command

    def time_limit(self, state: MatchState) -> int:
        """Seconds that the seat to act has, without the time bank; 0 between deals (§8.1)."""
        if state.deal is None:
            return 0
        options = state.ruleset.options
        return options.lead_seconds if state.deal.top is None else options.turn_seconds
