"""What a table, a clock or a player may ask for."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.units import Shape


@dataclass(frozen=True, slots=True)
class StartDeal:
    """Shuffle and deal (the table asks, between two deals).

    `seed`: 32 bytes. `new_table`: a player was replaced, which changes nothing in this family. `elapsed_s`:
    seconds since the match began; at its limit no deal starts, and the match is decided (§10.7).
    """

    seed: bytes
    new_table: bool = False
    elapsed_s: int = 0


@dataclass(frozen=True, slots=True)
class DrawOn:
    """摸牌: every seat draws its next card (§2.6); the clock asks, at the pace of the table."""


@dataclass(frozen=True, slots=True)
class Whistle:
    """时间到: the time of the match is over, and with it the running deal if there is one (§10.7)."""


@dataclass(frozen=True, slots=True)
class DeclareTrump:
    """亮主, 反主, 加固, 压: show these cards, in any order, to declare, overturn, lock or top (§3).

    cards: all that the show consists of, with those that the seat has shown before. returned: the two cards
    that go back for a topped pair, in any order (§3.14); none for any other show.
    """

    seat: Seat
    cards: tuple[Card, ...]
    returned: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """不亮, 不反: leave the trump as it is when asked (§3.10, §3.11)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BuryKitty:
    """扣底: lay these cards face down in place of the kitty that was taken, in any order (§4.1)."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Lead, throw or follow with these cards, in any order (§6)."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class NameShape:
    """Name for its side what the leader of a failed throw has to lead (§6.5)."""

    seat: Seat
    shape: Shape


@dataclass(frozen=True, slots=True)
class Forfeit:
    """逃跑: the player of this seat leaves the running deal for good (§12.2); the table asks."""

    seat: Seat


SeatAct = DeclareTrump | Pass | BuryKitty | PlayCards | NameShape
"""What a seat does when it is asked, or while cards are drawn."""

TableAct = StartDeal | DrawOn | Whistle
"""What no seat asks for."""

Command = TableAct | SeatAct | Forfeit
