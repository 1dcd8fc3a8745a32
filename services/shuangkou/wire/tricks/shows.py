"""Shows for trump and failed throws between protobuf and the rules."""

from shuangkou.rules.tricks.events import RevealedShow, ThrowFailed, TrumpDeclared, TrumpFixed
from shuangkou.v1 import tricks_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire
from shuangkou.wire.seats import seat_from_wire
from shuangkou.wire.tricks.words import (
    SHOW_KINDS,
    TRUMPS,
    coins_from_wire,
    coins_to_wire,
    shape_from_wire,
    shape_to_wire,
)


def declared_to_wire(event: TrumpDeclared) -> tricks_pb2.TrumpDeclared:
    """Without the cards where they lie face down: the event has none."""
    return tricks_pb2.TrumpDeclared(
        seat=event.seat,
        kind=SHOW_KINDS.to_wire(event.kind),
        cards=cards_to_wire(event.cards),
        size=event.size,
        is_face_down=event.is_face_down,
        is_after_bury=event.is_after_bury,
    )


def declared_from_wire(message: tricks_pb2.TrumpDeclared) -> TrumpDeclared:
    """MalformedMessage for a show that no engine writes."""
    return TrumpDeclared(
        seat=seat_from_wire(message.seat),
        kind=SHOW_KINDS.from_wire(message.kind, "kind"),
        cards=cards_from_wire(message.cards),
        size=message.size,
        is_face_down=message.is_face_down,
        is_after_bury=message.is_after_bury,
    )


def fixed_to_wire(event: TrumpFixed) -> tricks_pb2.TrumpFixed:
    """With the shows that lay face down."""
    revealed = [
        tricks_pb2.RevealedShow(seat=show.seat, cards=cards_to_wire(show.cards)) for show in event.revealed
    ]
    return tricks_pb2.TrumpFixed(trump=TRUMPS.to_wire(event.trump), revealed=revealed)


def fixed_from_wire(message: tricks_pb2.TrumpFixed) -> TrumpFixed:
    """MalformedMessage for one that no engine writes."""
    revealed = tuple(
        RevealedShow(seat_from_wire(show.seat), cards_from_wire(show.cards)) for show in message.revealed
    )
    return TrumpFixed(TRUMPS.from_wire(message.trump, "trump"), revealed)


def failed_to_wire(event: ThrowFailed) -> tricks_pb2.ThrowFailed:
    """With the shapes that are left to choose from."""
    return tricks_pb2.ThrowFailed(
        seat=event.seat,
        cards=cards_to_wire(event.cards),
        blocked=cards_to_wire(event.blocked),
        fine=event.fine,
        coins=coins_to_wire(event.coins),
        choices=[shape_to_wire(shape) for shape in event.choices],
    )


def failed_from_wire(message: tricks_pb2.ThrowFailed) -> ThrowFailed:
    """MalformedMessage for one that no engine writes."""
    return ThrowFailed(
        seat=seat_from_wire(message.seat),
        cards=cards_from_wire(message.cards),
        blocked=cards_from_wire(message.blocked),
        fine=message.fine,
        coins=coins_from_wire(message.coins),
        choices=tuple(shape_from_wire(shape) for shape in message.choices),
    )
