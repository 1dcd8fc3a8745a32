"""Hidden facts between protobuf and the rules: what both families have, and how any is written and read."""

from collections.abc import Callable, Mapping
from typing import Any

from shuangkou.rules.events import CardsBuried, HandsDealt
from shuangkou.v1 import events_pb2
from shuangkou.wire.cards import cards_from_wire, cards_to_wire
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire

SecretsToWire = Mapping[type, tuple[str, Callable[[Any], Any]]]
"""By secret event: its member of protobuf's `SecretEvent`, and how that is made."""

SecretsFromWire = Mapping[str, Callable[[Any], Any]]
"""By member of protobuf's `SecretEvent`, how the rules' event is made."""


def write_secret(known: SecretsToWire, event: Any, position: int) -> events_pb2.SecretEvent:
    """A secret event, for the secret part of a commit only. `position`: among all events of the commit."""
    field, make = known[type(event)]
    return events_pb2.SecretEvent(position=position, **{field: make(event)})


def read_secret(known: SecretsFromWire, message: events_pb2.SecretEvent) -> Any:
    """From the secret part of a commit; MalformedMessage when it is no secret event."""
    which = message.WhichOneof("event") or ""
    make = known.get(which)
    if make is None:
        raise MalformedMessage("request/no_such_event", f"{which or 'an empty event'} is no secret event")
    return make(getattr(message, which))


def hands_from_wire(message: events_pb2.HandsDealt) -> HandsDealt:
    """From the secret part of a commit."""
    hands = tuple(cards_from_wire(hand.cards) for hand in message.hands)
    return HandsDealt(message.seed, hands, cards_from_wire(message.kitty))


def _hands_to_wire(event: HandsDealt) -> events_pb2.HandsDealt:
    hands = [events_pb2.Hand(cards=cards_to_wire(hand)) for hand in event.hands]
    return events_pb2.HandsDealt(seed=event.seed, hands=hands, kitty=cards_to_wire(event.kitty))


def _buried_to_wire(event: CardsBuried) -> events_pb2.CardsBuried:
    return events_pb2.CardsBuried(seat=event.seat, cards=cards_to_wire(event.cards))


def _buried_from_wire(message: events_pb2.CardsBuried) -> CardsBuried:
    return CardsBuried(seat_from_wire(message.seat), cards_from_wire(message.cards))


SHARED_TO_WIRE: SecretsToWire = {
    HandsDealt: ("hands_dealt", _hands_to_wire),
    CardsBuried: ("cards_buried", _buried_to_wire),
}
SHARED_FROM_WIRE: SecretsFromWire = {"hands_dealt": hands_from_wire, "cards_buried": _buried_from_wire}
