"""Cards between protobuf and the rules. The numbers differ by one: protobuf keeps zero for *unspecified*."""

from collections.abc import Iterable

from shuangkou.rules.cards import CARDS, Card
from shuangkou.v1 import cards_pb2
from shuangkou.wire.refusals import WIRE_CARDS, MalformedMessage

LARGEST_PLAY = 108
"""No play of any game has more cards than two decks."""


def cards_to_wire(cards: Iterable[Card]) -> list[cards_pb2.Card.ValueType]:
    """In the same order."""
    return [WIRE_CARDS[card] for card in cards]


def card_to_wire(card: Card) -> cards_pb2.Card.ValueType:
    """One card."""
    return WIRE_CARDS[card]


def cards_from_wire(numbers: Iterable[int]) -> tuple[Card, ...]:
    """In the same order; MalformedMessage for a number that is no card or for too many of them."""
    values = tuple(numbers)
    if len(values) > LARGEST_PLAY:
        raise MalformedMessage("request/too_many_cards", f"{len(values)} cards are more than {LARGEST_PLAY}")
    try:
        return tuple([_CARD_OF[value] for value in values])
    except KeyError as error:
        raise MalformedMessage("request/no_such_card", f"{error.args[0]} is no card") from None


def card_from_wire(number: int) -> Card:
    """MalformedMessage for a number that is no card."""
    (card,) = cards_from_wire((number,))
    return card


_CARD_OF: dict[int, Card] = {int(number): CARDS[value] for value, number in enumerate(WIRE_CARDS)}
