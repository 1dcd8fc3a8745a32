"""What every game tells the host of its table of a match, whatever else its state holds."""

from enum import Enum
from typing import Any, Protocol

from shuangkou.rules.cards import Card
from shuangkou.rules.events import DealVoided
from shuangkou.rules.seats import Seat


class Asked(Enum):
    """What a deal in progress waits for."""

    LEAD = "lead"
    FOLLOW = "follow"
    PHASE = "phase"
    """An act of another phase than the play."""
    CLOCK = "clock"
    """The host moves the deal on by itself; no seat must act."""


class Standing(Protocol):
    """What one deal hands on to the next."""

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat, summed over all deals."""

    @property
    def deals_played(self) -> int:
        """Deals with a result."""

    @property
    def deals_voided(self) -> int:
        """Deals without one."""

    @property
    def last_number(self) -> int:
        """The number of the last deal, 0 before the first."""


class Settled(Protocol):
    """How a deal with a result ended."""

    @property
    def number(self) -> int:
        """The deal, counted from 1."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Its points by seat."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won it."""


class Match(Protocol):
    """The state of a table, hidden cards included."""

    @property
    def deal(self) -> Any:
        """The deal in progress, known to its family only; None between two deals."""

    @property
    def standing(self) -> Standing:
        """As the earlier deals left it."""

    @property
    def settled(self) -> Settled | None:
        """The last deal with a result."""

    @property
    def voided(self) -> DealVoided | None:
        """The last deal if it had none."""

    @property
    def is_over(self) -> bool:
        """The game itself has a winner, however many deals were agreed on."""


class View(Protocol):
    """What one seat, or a spectator, may know."""

    @property
    def deal_number(self) -> int:
        """The running or last deal, 0 before the first."""

    @property
    def seed_hash(self) -> bytes:
        """SHA-256 of the running deal's seed, empty between deals."""

    @property
    def hand(self) -> tuple[Card, ...]:
        """The viewing seat's own cards."""

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""

    @property
    def partner_hand(self) -> tuple[Card, ...]:
        """The partner's cards where partners see each other's, else empty."""

    @property
    def kitty(self) -> tuple[Card, ...]:
        """The kitty as far as the seat may see it."""
