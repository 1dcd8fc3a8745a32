"""What a table, a clock or a player may ask for."""

from dataclasses import dataclass

from shuangkou.rules.cards import Card
from shuangkou.rules.commands import BuryKitty, Forfeit, Pass, PlayCards, StartDeal, Whistle
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.units import Shape


@dataclass(frozen=True, slots=True)
class DrawOn:
    """摸牌: every seat draws its next card (§2.6); the clock asks, at the pace of the table."""


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
class NameShape:
    """Name for its side what the leader of a failed throw has to lead (§6.5)."""

    seat: Seat
    shape: Shape


SeatAct = DeclareTrump | Pass | BuryKitty | PlayCards | NameShape
"""What a seat does when it is asked, or while cards are drawn."""

TableAct = StartDeal | DrawOn | Whistle
"""What no seat asks for."""

Command = TableAct | SeatAct | Forfeit
