"""What happened at a table, in the past tense; a deal's state is the fold of these."""

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.seats import Seat


class Result(Enum):
    """How a deal ended for the side of the first seat out (§6.2)."""

    DOUBLE = "double"
    SINGLE = "single"
    DRAW = "draw"
    WIN = "win"
    """Only where the first seat out ends the deal, so that no other place is known."""

    @property
    def name_zh(self) -> str:
        """中文名."""
        return _RESULTS_ZH[self]


_RESULTS_ZH = {Result.DOUBLE: "双扣", Result.SINGLE: "单扣", Result.DRAW: "平扣", Result.WIN: "获胜"}


@dataclass(frozen=True, slots=True)
class BombPlayed:
    """A bomb on the record of its seat, for the settlement (§7.2)."""

    seat: Seat
    combination: Combination


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal began; `number` counts from 1 and `seed_hash` is the SHA-256 of the secret seed."""

    secret: ClassVar[bool] = False
    number: int
    seed_hash: bytes
    leader: Seat
    hand_sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """The hands by seat, each sorted from low to high; the only secret of a deal."""

    secret: ClassVar[bool] = True
    seed: bytes
    hands: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class CardsPlayed:
    """A seat led or followed; `cards` sorted from low to high."""

    secret: ClassVar[bool] = False
    seat: Seat
    cards: tuple[Card, ...]
    combination: Combination


@dataclass(frozen=True, slots=True)
class Passed:
    """不要."""

    secret: ClassVar[bool] = False
    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatWentOut:
    """A seat played its last card; `place` 1 to 4 in the finish order."""

    secret: ClassVar[bool] = False
    seat: Seat
    place: int


@dataclass(frozen=True, slots=True)
class TrickEnded:
    """Everybody else passed; `winner` owns the final top play (and may be out of cards)."""

    secret: ClassVar[bool] = False
    winner: Seat


@dataclass(frozen=True, slots=True)
class LeadInherited:
    """接风: `seat` leads in place of `from_seat`, which went out unbeaten."""

    secret: ClassVar[bool] = False
    seat: Seat
    from_seat: Seat


@dataclass(frozen=True, slots=True)
class DealSettled:
    """The deal is over and its seed revealed.

    finish_order: seats by place. base: points of a winner before the multiplier.
    multiplier: that of the winning side. scores: by seat. bombs: all that were played, in order.
    """

    secret: ClassVar[bool] = False
    number: int
    result: Result
    finish_order: tuple[Seat, ...]
    multiplier: int
    base: int
    scores: tuple[int, ...]
    bombs: tuple[BombPlayed, ...]
    seed: bytes


Act = CardsPlayed | Passed
"""What a seat did when it was its turn."""

Event = DealStarted | HandsDealt | Act | SeatWentOut | TrickEnded | LeadInherited | DealSettled
"""Anything that changes a table; `event.secret` says whether players may see it."""
