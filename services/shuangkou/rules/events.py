"""What may happen in every game, and what whoever hosts a table must know of any event."""

from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import ClassVar

from shuangkou.rules.cards import Card
from shuangkou.rules.seats import Seat


class Trait(Flag):
    """What an event means to the host of a table, whatever the game is."""

    STARTS_DEAL = auto()
    ENDS_DEAL = auto()
    """With a result, or void."""
    ENDS_MATCH = auto()
    """By the game's own rules, perhaps between two deals."""
    OWN_ACT = auto()
    """Only an act of `event.seat` causes it, or the host's in its place."""
    OUT_OF_TURN = auto()
    """It leaves the clock of the seats to act as it is."""
    SHOWS_HAND = auto()
    """A seat sees other cards of its own than before, which the event does not name."""
    SHOWS_KITTY = auto()
    """A seat may see the kitty from now on."""


NO_TRAIT = Trait(0)


@dataclass(frozen=True, slots=True)
class SeatsSwapped:
    """换位: the players of the two seats changed places with all that is theirs but their hands.

    Hands that are dealt with it go by their seats after the swap.
    """

    secret: ClassVar[bool] = False
    seats: tuple[Seat, Seat]

    def moved(self, seat: Seat) -> Seat:
        """Where the player of this seat sits after the swap, and where the one who sits here came from."""
        one, other = self.seats
        return {one: other, other: one}.get(seat, seat)


@dataclass(frozen=True, slots=True)
class SeatForfeited:
    """逃跑: the player of the seat has left for good."""

    secret: ClassVar[bool] = False
    seat: Seat


class VoidReason(Enum):
    """Why a deal does not count."""

    FORFEITS = "forfeits"
    """Too many players left."""
    REDEAL = "redeal"
    """All seats wanted it to be dealt anew, or nobody showed cards for trump."""
    ALL_PASSED = "all_passed"
    """Nobody would be the landlord."""
    TIME_UP = "time_up"
    """It was not over in time."""


@dataclass(frozen=True, slots=True)
class DealVoided:
    """The deal is over without a result; `scores` by seat are fines only, and the seed is revealed."""

    secret: ClassVar[bool] = False
    number: int
    reason: VoidReason
    scores: tuple[int, ...]
    seed: bytes
    forfeited: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """The hands by seat and the kitty, each in the order in which its family keeps or draws them."""

    secret: ClassVar[bool] = True
    seed: bytes
    hands: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class KittyTaken:
    """拿底: the seat took all of the kitty, `number` cards, into its hand."""

    secret: ClassVar[bool] = False
    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class CardsBuried:
    """Which cards the seat laid face down; KittyBuried tells everybody that it did."""

    secret: ClassVar[bool] = True
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class KittyBuried:
    """扣底: the seat laid `number` cards of its hand face down."""

    secret: ClassVar[bool] = False
    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class Passed:
    """不要, 不亮, 不反: the seat was asked, and played or showed nothing."""

    secret: ClassVar[bool] = False
    seat: Seat
