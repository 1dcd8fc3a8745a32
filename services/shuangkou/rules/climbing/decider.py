"""The climbing family behind the shape that all families share."""

from dataclasses import dataclass

from shuangkou.rules.climbing import deal, ending, observation
from shuangkou.rules.climbing.commands import Command
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.legal_acts import LegalActs
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.phases import PHASES
from shuangkou.rules.climbing.state import MatchState, running_deal
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

    def stop_deal(self, state: MatchState) -> tuple[Event, ...]:
        """§9.5."""
        return ending.stopped(state)

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

    def fallback(self, state: MatchState, seat: Seat) -> Command:
        """§8.2; IllegalCommand when it is not the seat's turn."""
        return PHASES[running_deal(state, seat).phase].fallback(state, seat)

    def time_limit(self, state: MatchState) -> int:
        """Seconds that the seat to act has, without the time bank; 0 between deals (§8.1)."""
        if state.deal is None:
            return 0
        return PHASES[state.deal.phase].seconds(state.ruleset.options, state.deal)
