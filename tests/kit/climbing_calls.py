"""What happens in the phases before play, as text."""

from shuangkou.rules.climbing.events import Event
from shuangkou.rules.climbing.notation import format_combination
from shuangkou.rules.climbing.phase_events import (
    BidMade,
    CallPassed,
    CardMarked,
    CombinationDeclared,
    HandExchanged,
    KittyCardsTaken,
    KittyChosen,
    LandlordCalled,
    LandlordGrabbed,
    LandlordNamed,
    MarkSet,
    MarksShown,
    StockCardsDrawn,
)
from shuangkou.rules.notation import format_card, format_cards


def told_call(event: Event) -> str:
    """A call, or the hidden half of an act in brackets."""
    match event:
        case CallPassed():
            return f"{event.seat} 不叫"
        case CombinationDeclared():
            what = f"{format_combination(event.combination)} ({format_cards(event.cards)})"
            return f"{event.seat} 叫牌 declares {what}"
        case BidMade():
            return f"{event.seat} 叫分 bids {event.points}"
        case LandlordCalled():
            return f"{event.seat} 叫地主 calls"
        case LandlordGrabbed():
            return f"{event.seat} 抢地主 grabs"
        case LandlordNamed():
            return f"{event.seat} is the landlord 地主 for {event.bid}"
        case KittyChosen():
            return f"{event.seat} 拿底牌 takes {event.number} of the kitty"
        case HandExchanged():
            return f"{event.seat} 换牌 changes {event.number}"
        case MarkSet():
            return f"{event.seat} 提分 marks a card"
        case MarksShown():
            return f"marks {format_cards(mark for mark in event.marks if mark is not None)}"
        case _:
            return _told_secret(event)


def _told_secret(event: Event) -> str:
    match event:
        case KittyCardsTaken():
            return f"[hidden {format_cards(event.cards) or '-'}]"
        case StockCardsDrawn():
            return f"[hidden {format_cards(event.discarded) or '-'} for {format_cards(event.drawn) or '-'}]"
        case CardMarked():
            return f"[hidden {format_card(event.card)}]"
        case _:
            return type(event).__name__
