"""What a table or a player may ask for."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class StartDeal:
    """Shuffle and deal (the table asks, between two deals).

    `seed`: 32 bytes. `new_table`: a player was replaced, or the last deal ended abnormally,
    so the first lead is drawn at random (§2.4).
    """

    seed: bytes
    new_table: bool = False


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Lead or follow with these cards, in any order."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """不要: leave the top play as it is (§4.2)."""

    seat: Seat


Command = StartDeal | PlayCards | Pass
