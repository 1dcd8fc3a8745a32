"""Events between the deal and the first play, and of the kitty, between protobuf and the rules."""

from collections.abc import Callable
from typing import Any

from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.events import Event, FaceCardShown, KittyCardDrawn, KittyShown
from shuangkou.rules.climbing.move_table import MoveTable
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
from shuangkou.rules.events import KittyBuried, KittyTaken, SeatsSwapped
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import cards_pb2, events_pb2
from shuangkou.wire.cards import card_from_wire, card_to_wire, cards_from_wire, cards_to_wire
from shuangkou.wire.climbing.combinations import combination_to_wire, play_of
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire, seats_from_wire
from shuangkou.wire.secrets import SHARED_FROM_WIRE, SHARED_TO_WIRE

ToWire = tuple[str, Callable[[Any], Any]]
FromWire = Callable[[MoveTable, Any], Event]


def _shown_to_wire(event: FaceCardShown) -> events_pb2.FaceCardShown:
    return events_pb2.FaceCardShown(card=card_to_wire(event.card), first=event.first, second=event.second)


def _shown_from_wire(_: MoveTable, message: events_pb2.FaceCardShown) -> FaceCardShown:
    first, second = seat_from_wire(message.first), seat_from_wire(message.second)
    return FaceCardShown(card_from_wire(message.card), first, second)


def _swapped_from_wire(_: MoveTable, message: events_pb2.SeatsSwapped) -> SeatsSwapped:
    seats = seats_from_wire(message.seats)
    if len(seats) != 2:
        raise MalformedMessage("request/bad_swap", f"two seats change places, not {len(seats)}")
    return SeatsSwapped((seats[0], seats[1]))


def _declared_to_wire(event: CombinationDeclared) -> events_pb2.CombinationDeclared:
    return events_pb2.CombinationDeclared(
        seat=event.seat,
        cards=cards_to_wire(event.cards),
        combination=combination_to_wire(event.combination),
    )


def _declared_from_wire(table: MoveTable, message: events_pb2.CombinationDeclared) -> CombinationDeclared:
    play = play_of(table, seat_from_wire(message.seat), cards_from_wire(message.cards))
    return CombinationDeclared(play.seat, play.cards, play.combination)


def _marks_to_wire(event: MarksShown) -> events_pb2.MarksShown:
    none = cards_pb2.CARD_UNSPECIFIED
    return events_pb2.MarksShown(marks=[none if mark is None else card_to_wire(mark) for mark in event.marks])


def _marks_from_wire(_: MoveTable, message: events_pb2.MarksShown) -> MarksShown:
    if len(message.marks) != len(SEATS):
        raise MalformedMessage("request/bad_marks", f"four seats mark, not {len(message.marks)}")
    return MarksShown(tuple(mark_from_wire(mark) for mark in message.marks))


def mark_from_wire(number: int) -> Card | None:
    """A marked card, None for a seat without one; MalformedMessage for a number that is no card."""
    return card_from_wire(number) if number else None


def _of_seat(field: str, message: type[Any]) -> ToWire:
    return field, lambda event: message(seat=event.seat)


def _of_number(field: str, message: type[Any]) -> ToWire:
    return field, lambda event: message(seat=event.seat, number=event.number)


def _of_cards(field: str, message: type[Any]) -> ToWire:
    return field, lambda event: message(seat=event.seat, cards=cards_to_wire(event.cards))


def _seat_of(event: Callable[..., Event]) -> FromWire:
    return lambda _, message: event(seat_from_wire(message.seat))


def _number_of(event: Callable[..., Event]) -> FromWire:
    return lambda _, message: event(seat_from_wire(message.seat), message.number)


def _cards_of(event: Callable[..., Event]) -> FromWire:
    return lambda _, message: event(seat_from_wire(message.seat), cards_from_wire(message.cards))


OPENINGS_TO_WIRE: dict[type, ToWire] = {
    FaceCardShown: ("face_card_shown", _shown_to_wire),
    SeatsSwapped: ("seats_swapped", lambda event: events_pb2.SeatsSwapped(seats=event.seats)),
    KittyTaken: _of_number("kitty_taken", events_pb2.KittyTaken),
    KittyCardDrawn: _of_seat("kitty_card_drawn", events_pb2.KittyCardDrawn),
    KittyBuried: _of_number("kitty_buried", events_pb2.KittyBuried),
    KittyShown: _of_cards("kitty_shown", events_pb2.KittyShown),
    CallPassed: _of_seat("call_passed", events_pb2.CallPassed),
    CombinationDeclared: ("combination_declared", _declared_to_wire),
    BidMade: ("bid_made", lambda event: events_pb2.BidMade(seat=event.seat, points=event.points)),
    LandlordCalled: _of_seat("landlord_called", events_pb2.LandlordCalled),
    LandlordGrabbed: _of_seat("landlord_grabbed", events_pb2.LandlordGrabbed),
    LandlordNamed: (
        "landlord_named",
        lambda event: events_pb2.LandlordNamed(seat=event.seat, bid=event.bid),
    ),
    KittyChosen: _of_number("kitty_chosen", events_pb2.KittyChosen),
    HandExchanged: _of_number("hand_exchanged", events_pb2.HandExchanged),
    MarkSet: _of_seat("mark_set", events_pb2.MarkSet),
    MarksShown: ("marks_shown", _marks_to_wire),
}
"""By event: its member of protobuf's `Event`, and how that is made."""

OPENINGS_FROM_WIRE: dict[str, FromWire] = {
    "face_card_shown": _shown_from_wire,
    "seats_swapped": _swapped_from_wire,
    "kitty_taken": _number_of(KittyTaken),
    "kitty_card_drawn": _seat_of(KittyCardDrawn),
    "kitty_buried": _number_of(KittyBuried),
    "kitty_shown": _cards_of(KittyShown),
    "call_passed": _seat_of(CallPassed),
    "combination_declared": _declared_from_wire,
    "bid_made": lambda _, message: BidMade(seat_from_wire(message.seat), message.points),
    "landlord_called": _seat_of(LandlordCalled),
    "landlord_grabbed": _seat_of(LandlordGrabbed),
    "landlord_named": lambda _, message: LandlordNamed(seat_from_wire(message.seat), message.bid),
    "kitty_chosen": _number_of(KittyChosen),
    "hand_exchanged": _number_of(HandExchanged),
    "mark_set": _seat_of(MarkSet),
    "marks_shown": _marks_from_wire,
}
"""By member of protobuf's `Event`, how the rules' event is made."""


def _drawn_to_wire(event: StockCardsDrawn) -> events_pb2.StockCardsDrawn:
    return events_pb2.StockCardsDrawn(
        seat=event.seat, discarded=cards_to_wire(event.discarded), drawn=cards_to_wire(event.drawn)
    )


def _drawn_from_wire(message: events_pb2.StockCardsDrawn) -> StockCardsDrawn:
    discarded, drawn = cards_from_wire(message.discarded), cards_from_wire(message.drawn)
    return StockCardsDrawn(seat_from_wire(message.seat), discarded, drawn)


SECRETS_TO_WIRE: dict[type, ToWire] = {
    **SHARED_TO_WIRE,
    KittyCardsTaken: _of_cards("kitty_cards_taken", events_pb2.KittyCardsTaken),
    StockCardsDrawn: ("stock_cards_drawn", _drawn_to_wire),
    CardMarked: (
        "card_marked",
        lambda event: events_pb2.CardMarked(seat=event.seat, card=card_to_wire(event.card)),
    ),
}
"""By secret event: its member of protobuf's `SecretEvent`, and how that is made."""

SECRETS_FROM_WIRE: dict[str, Callable[[Any], Event]] = {
    **SHARED_FROM_WIRE,
    "kitty_cards_taken": lambda message: KittyCardsTaken(
        seat_from_wire(message.seat), cards_from_wire(message.cards)
    ),
    "stock_cards_drawn": _drawn_from_wire,
    "card_marked": lambda message: CardMarked(seat_from_wire(message.seat), card_from_wire(message.card)),
}
"""By member of protobuf's `SecretEvent`, how the rules' event is made."""
