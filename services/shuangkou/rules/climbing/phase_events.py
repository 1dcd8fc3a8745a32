"""What happens in the phases before play (§12); a hidden fact has an event beside the public one."""

from dataclasses import dataclass
from typing import ClassVar

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.combinations import Combination
from shuangkou.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class CallPassed:
    """不叫, 不抢: the seat neither declared, bid, called nor grabbed (§12.1, §12.2)."""

    secret: ClassVar[bool] = False
    seat: Seat


@dataclass(frozen=True, slots=True)
class CombinationDeclared:
    """叫牌: the seat holds these cards, sorted from low to high; the last one stands (§12.1)."""

    secret: ClassVar[bool] = False
    seat: Seat
    cards: tuple[Card, ...]
    combination: Combination


@dataclass(frozen=True, slots=True)
class BidMade:
    """叫分 (§12.2)."""

    secret: ClassVar[bool] = False
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class LandlordCalled:
    """叫地主 (§12.2)."""

    secret: ClassVar[bool] = False
    seat: Seat


@dataclass(frozen=True, slots=True)
class LandlordGrabbed:
    """抢地主 (§12.2)."""

    secret: ClassVar[bool] = False
    seat: Seat


@dataclass(frozen=True, slots=True)
class LandlordNamed:
    """The seat is the landlord (地主) of this deal for `bid` points (§12.2)."""

    secret: ClassVar[bool] = False
    seat: Seat
    bid: int


@dataclass(frozen=True, slots=True)
class KittyCardsTaken:
    """Which cards of the kitty the landlord took; KittyChosen tells everybody how many (§12.3)."""

    secret: ClassVar[bool] = True
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class KittyChosen:
    """拿底牌: the landlord took `number` cards of the kitty into its hand (§12.3)."""

    secret: ClassVar[bool] = False
    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class StockCardsDrawn:
    """Which cards the seat laid away and which it drew; HandExchanged tells everybody how many (§12.4)."""

    secret: ClassVar[bool] = True
    seat: Seat
    discarded: tuple[Card, ...]
    drawn: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HandExchanged:
    """换牌: the seat changed `number` cards of its hand for as many of the stock (§12.4)."""

    secret: ClassVar[bool] = False
    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class CardMarked:
    """Which card the seat marked; MarkSet tells everybody that it did (§12.5)."""

    secret: ClassVar[bool] = True
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class MarkSet:
    """提分: the seat marked a card in secret (§12.5)."""

    secret: ClassVar[bool] = False
    seat: Seat


@dataclass(frozen=True, slots=True)
class MarksShown:
    """The marked cards by seat, shown when the last trick is over (§12.5)."""

    secret: ClassVar[bool] = False
    marks: tuple[Card | None, ...]
