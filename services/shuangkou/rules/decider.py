"""The one shape that every family of games has, and the way from a ruleset to its decider."""

from typing import Any, Protocol, TypeVar

from shuangkou.rules.climbing.decider import ClimbingDecider
from shuangkou.rules.events import DealVoided, Trait
from shuangkou.rules.match import Asked
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.decider import TricksDecider

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")
V_co = TypeVar("V_co", covariant=True)
L_co = TypeVar("L_co", covariant=True)
St_contra = TypeVar("St_contra", contravariant=True)


class Decider(Protocol[S, C, E, V_co, L_co, St_contra]):
    """State, command, event, view, legal acts and standing of one family, and the functions between."""

    def prepare(self, ruleset: AnyRuleSet) -> None:
        """Make what takes far longer than an act; once for each ruleset, from any thread."""

    def new_match(self, ruleset: AnyRuleSet) -> S:
        """A table before its first deal."""

    def resume(
        self, ruleset: AnyRuleSet, standing: St_contra, settled: Any = None, voided: DealVoided | None = None
    ) -> S:
        """A table between two deals, as the earlier deals left it.

        settled: how the last deal with a result ended. voided: how the last deal ended if it was void.
        """

    def decide(self, state: S, command: C) -> tuple[E, ...]:
        """What the command causes; all checks are here, IllegalCommand when one fails."""

    def evolve(self, state: S, event: E) -> S:
        """The state after the event; never refuses."""

    def traits(self, event: E) -> Trait:
        """What the event means to the host of the table."""

    def legal_acts(self, state: S, seat: Seat) -> L_co:
        """Exactly the acts of this seat that `decide` accepts now."""

    def observe(self, state: S, seat: Seat | None) -> V_co:
        """What the seat may know; None is a spectator, who sees no hidden card."""

    def actors(self, state: S) -> tuple[Seat, ...]:
        """The seats that must act now; empty between deals, and while the host's clock moves a deal on."""

    def asked(self, state: S) -> Asked:
        """What a deal in progress waits for."""

    def fallback(self, state: S, seat: Seat) -> C:
        """The act played for a seat whose time is up; IllegalCommand when it has none to make."""

    def clock_command(self, state: S) -> C | None:
        """What the host asks by itself when the time limit has passed and no seat must act, if anything."""

    def match_limit_s(self, ruleset: AnyRuleSet) -> int:
        """Seconds until the host asks for `Whistle`, from the first deal on; 0 where time ends no match."""

    def time_limit_ms(self, state: S) -> int:
        """Milliseconds that the actors, or the host's clock, have for this act, without the time bank; 0
        between deals."""


AnyDecider = Decider[Any, Any, Any, Any, Any, Any]
"""For whoever hosts a game without knowing it; `rules.match` says what can be asked of what it gives."""

_FAMILIES: dict[str, AnyDecider] = {"climbing": ClimbingDecider(), "tricks": TricksDecider()}


def decider_for(ruleset: AnyRuleSet) -> AnyDecider:
    """The decider of the ruleset's family."""
    return _FAMILIES[ruleset.family]
