"""The one shape that every family of games has, and the way from a ruleset to its decider."""

from typing import Protocol, TypeVar

from shuangkou.rules.climbing.commands import Command
from shuangkou.rules.climbing.decider import ClimbingDecider
from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.legal_acts import LegalActs
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.climbing.view import SeatView, Standing
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import Seat

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")
V_co = TypeVar("V_co", covariant=True)
L_co = TypeVar("L_co", covariant=True)
St_contra = TypeVar("St_contra", contravariant=True)


class Decider(Protocol[S, C, E, V_co, L_co, St_contra]):
    """State, command, event, view, legal acts and standing of one family, and the functions between."""

    def new_match(self, ruleset: RuleSet) -> S:
        """A table before its first deal."""

    def resume(self, ruleset: RuleSet, standing: St_contra) -> S:
        """A table between two deals, as the earlier deals left it."""

    def decide(self, state: S, command: C) -> tuple[E, ...]:
        """What the command causes; all checks are here, IllegalCommand when one fails."""

    def evolve(self, state: S, event: E) -> S:
        """The state after the event; never refuses."""

    def stop_deal(self, state: S) -> tuple[E, ...]:
        """What happens when the deal in progress must end at once without a result; nothing between deals."""

    def legal_acts(self, state: S, seat: Seat) -> L_co:
        """Exactly the acts of this seat that `decide` accepts now."""

    def observe(self, state: S, seat: Seat | None) -> V_co:
        """What the seat may know; None is a spectator, who sees no hidden card."""

    def actors(self, state: S) -> tuple[Seat, ...]:
        """The seats that must act now; empty between deals."""

    def fallback(self, state: S, seat: Seat) -> C:
        """The act played for a seat whose time is up; IllegalCommand when it has none to make."""

    def time_limit(self, state: S) -> int:
        """Seconds that the actors have for this act, without the time bank; 0 between deals."""


ClimbingFamily = Decider[MatchState, Command, Event, SeatView, LegalActs, Standing]

_FAMILIES: dict[str, ClimbingFamily] = {"climbing": ClimbingDecider()}


def decider_for(ruleset: RuleSet) -> ClimbingFamily:
    """The decider of the ruleset's family."""
    return _FAMILIES[ruleset.family]
