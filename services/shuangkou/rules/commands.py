"""What a table or a seat may ask for in every game; a family adds its own beside these."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class StartDeal:
    """Shuffle and deal (the table asks, between two deals).

    seed: 32 bytes. new_table: a player was replaced, so that nothing of the last deal decides who begins.
    elapsed_s: seconds since the first deal of the match began.
    """

    seed: bytes
    new_table: bool = False
    elapsed_s: int = 0


@dataclass(frozen=True, slots=True)
class Whistle:
    """时间到: the time of the match is over, and with it the running deal; the table asks."""


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Lead or follow with these cards, in any order."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """不要, 不叫: decline what the seat is asked for."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BuryKitty:
    """扣底: lay these cards face down in place of the kitty that was taken, in any order."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Forfeit:
    """逃跑: the player of this seat leaves for good; the table asks."""

    seat: Seat
