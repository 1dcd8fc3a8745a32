"""Cards on the wire."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.rules.cards import CARDS, Card, Rank, Suit, card_of
from shuangkou.v1 import cards_pb2
from shuangkou.wire.cards import LARGEST_PLAY, cards_from_wire, cards_to_wire
from shuangkou.wire.refusals import MalformedMessage

SUITS = {Suit.SPADES: "SPADE", Suit.HEARTS: "HEART", Suit.CLUBS: "CLUB", Suit.DIAMONDS: "DIAMOND"}
PIPS = dict(zip(list(Rank)[:13], [*"23456789", "10", *"JQKA"], strict=True))


@pytest.mark.parametrize("suit", Suit)
@pytest.mark.parametrize("rank", list(Rank)[:13])
def test_a_card_has_the_documented_number_and_name(suit: Suit, rank: Rank) -> None:
    number = 1 + 13 * suit + (rank - 2)
    assert cards_to_wire([card_of(rank, suit)]) == [number]
    assert cards_pb2.Card.Name(number) == f"CARD_{SUITS[suit]}_{PIPS[rank]}"  # type: ignore[arg-type]  # the number is the point


def test_the_jokers_come_last() -> None:
    assert cards_to_wire([Card.SMALL_JOKER, Card.BIG_JOKER]) == [
        cards_pb2.CARD_SMALL_JOKER,
        cards_pb2.CARD_BIG_JOKER,
    ]
    assert (cards_pb2.CARD_SMALL_JOKER, cards_pb2.CARD_BIG_JOKER) == (53, 54)


def test_every_number_but_zero_is_a_card() -> None:
    assert sorted(cards_to_wire(CARDS)) == [number for number in cards_pb2.Card.values() if number]


@pytest.mark.parametrize("rank", Rank)
def test_ranks_have_the_same_numbers_on_both_sides(rank: Rank) -> None:
    assert int(cards_pb2.Rank.Value(f"RANK_{rank.name}")) == int(rank)


@given(st.lists(st.sampled_from(CARDS), max_size=LARGEST_PLAY))
def test_cards_come_back_in_their_order(cards: list[Card]) -> None:
    assert cards_from_wire(cards_to_wire(cards)) == tuple(cards)


@given(st.integers(-(2**31), 2**31 - 1).filter(lambda number: not 1 <= number <= 54))
def test_a_number_that_is_no_card_is_malformed(number: int) -> None:
    with pytest.raises(MalformedMessage) as caught:
        cards_from_wire([1, number])
    assert caught.value.code == "request/no_such_card"
    assert str(number) in caught.value.explanation


def test_more_cards_than_two_packs_hold_are_malformed() -> None:
    with pytest.raises(MalformedMessage) as caught:
        cards_from_wire([1] * (LARGEST_PLAY + 1))
    assert caught.value.code == "request/too_many_cards"
