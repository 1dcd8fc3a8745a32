"""Combinations and ranks between protobuf and the rules."""

from collections.abc import Iterable

from shuangkou.rules.cards import Card, Rank, Suit
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.climbing.suits import read
from shuangkou.rules.seats import Seat
from shuangkou.v1 import cards_pb2, events_pb2
from shuangkou.wire.enums import WireEnum
from shuangkou.wire.refusals import MalformedMessage

KINDS = WireEnum(Kind, events_pb2.CombinationKind.Value, "COMBINATION_KIND")
_RANKS = dict(zip(Rank, cards_pb2.Rank.values()[1:], strict=True))
_RANK_OF: dict[int, Rank | None] = {0: None, **{int(number): rank for rank, number in _RANKS.items()}}
_SUITS = WireEnum(Suit, cards_pb2.Suit.Value, "SUIT")


def ranks_to_wire(ranks: Iterable[Rank]) -> list[cards_pb2.Rank.ValueType]:
    """In the same order."""
    return [_RANKS[rank] for rank in ranks]


def combination_to_wire(combination: Combination) -> events_pb2.Combination:
    """Without its strength, which readers can look up in the ruleset."""
    rank, suit = combination.rank, combination.suit
    return events_pb2.Combination(
        kind=KINDS.to_wire(combination.kind),
        rank=cards_pb2.RANK_UNSPECIFIED if rank is None else _RANKS[rank],
        length=combination.length,
        size=combination.size,
        stars=combination.stars,
        suit=cards_pb2.SUIT_UNSPECIFIED if suit is None else _SUITS.to_wire(suit),
    )


def combination_from_wire(table: MoveTable, message: events_pb2.Combination) -> Combination:
    """The row of the move table that the message names; MalformedMessage when there is none.

    Only for combinations that a row says all of, as it does of every bomb.
    """
    kind = KINDS.find(message.kind)
    if kind is not None and message.rank in _RANK_OF:
        reading = (kind, message.size, message.length, _RANK_OF[message.rank])
        combination = table.readings.get(reading)
        if combination is not None:
            return combination
    raise MalformedMessage("request/no_such_combination", "the ruleset has no such combination")


def play_of(table: MoveTable, seat: Seat, cards: tuple[Card, ...]) -> CardsPlayed:
    """The play that these cards are; MalformedMessage when they make no combination."""
    combination = read(table, cards)
    if combination is None:
        raise MalformedMessage("request/no_such_combination", f"the play of seat {seat} is no combination")
    return CardsPlayed(seat, cards, combination, table.wild_ranks(cards))
