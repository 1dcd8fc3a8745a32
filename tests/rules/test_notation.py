"""Text both ways."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import QQ
from shuangkou.rules.cards import CARDS, Card, Rank, Suit, card_of, full_deck
from shuangkou.rules.climbing.combinations import Kind
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.notation import format_act, format_combination, parse_act, parse_combination
from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.notation import (
    NotationError,
    format_card,
    format_cards,
    format_hand,
    format_rank,
    format_ranks,
    format_tricks_card,
    parse_card,
    parse_cards,
    parse_hand,
    parse_rank,
    parse_ranks,
)
from shuangkou.rules.seats import SEATS, next_seat, partner, seats_after, seats_of, side_of

HANDS = st.lists(st.sampled_from(CARDS), max_size=40).map(tuple)


def test_every_card_has_its_documented_value() -> None:
    assert len(CARDS) == 54
    assert [int(card) for card in CARDS] == list(range(54))
    assert (Card.SMALL_JOKER, Card.BIG_JOKER) == (52, 53)
    for card in CARDS[:52]:
        assert card.suit is not None
        assert card == card.suit * 13 + card.rank - 2
        assert card_of(card.rank, card.suit) is card
        assert card.name == format_tricks_card(card)
    assert Card.SMALL_JOKER.suit is Card.BIG_JOKER.suit is None


def test_a_face_without_its_suit_is_no_card() -> None:
    with pytest.raises(ValueError, match="needs a suit"):
        card_of(Rank.SEVEN)
    with pytest.raises(ValueError, match="has no suit"):
        card_of(Rank.BIG_JOKER, Suit.HEARTS)
    assert card_of(Rank.SMALL_JOKER) is Card.SMALL_JOKER


def test_two_packs_hold_every_card_twice() -> None:
    """§1.1."""
    assert sorted(full_deck(2)) == sorted(CARDS * 2)
    assert len(full_deck(1, jokers=False)) == 52


def test_examples_of_both_notations() -> None:
    assert parse_cards("7h Ts LJ BJ") == (Card.H7, Card.ST, Card.SMALL_JOKER, Card.BIG_JOKER)
    assert parse_cards("H7 ST LJ BJ") == parse_cards("7h Ts LJ BJ")
    assert format_cards((Card.H7, Card.ST, Card.BIG_JOKER)) == "7h Ts BJ"


def test_a_bare_rank_stands_for_any_suit() -> None:
    assert parse_cards("7 7 7 7 7") == (Card.S7, Card.H7, Card.C7, Card.D7, Card.S7)


def test_hands_are_sorted_from_low_to_high() -> None:
    """§1.2."""
    assert format_hand(parse_cards("BJ 2h 3d 3s LJ Ac")) == "3s 3d Ac 2h LJ BJ"


@given(HANDS)
def test_cards_survive_text(hand: tuple[Card, ...]) -> None:
    assert parse_cards(format_cards(hand)) == hand
    assert parse_hand(format_hand(hand)) == parse_hand(format_cards(hand[::-1]))
    assert tuple(parse_card(format_card(card)) for card in hand) == hand
    assert tuple(parse_card(format_tricks_card(card)) for card in hand) == hand


@given(st.lists(st.sampled_from(Rank)).map(tuple))
def test_ranks_survive_text(ranks: tuple[Rank, ...]) -> None:
    assert parse_ranks(format_ranks(ranks)) == ranks
    assert tuple(parse_rank(format_rank(rank)) for rank in ranks) == ranks


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_cards, parse_card, parse_rank, parse_act):
        with suppress(NotationError):
            parse(text)


@pytest.mark.parametrize("text", ["1h", "10h", "7x", "hh", "JB", "7H", "h7"])
def test_what_is_no_card_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(NotationError, match=text):
        parse_cards(text)


def test_every_combination_survives_text() -> None:
    table = move_table(QQ.options)
    texts = [format_combination(combination) for combination in table.combinations]
    assert len(set(texts)) == len(texts)
    assert [parse_combination(text, table) for text in texts] == list(table.combinations)
    assert {"pair 2x1 7", "straight 1x5 8", "bomb 6x1 K", "joker_bomb 4x1"} <= set(texts)
    with pytest.raises(NotationError):
        parse_combination("chain_bomb 4x3 8", table)


def test_every_combination_has_names_for_people() -> None:
    assert Kind.CONSECUTIVE_PAIRS.name_en == "consecutive pairs"
    assert Kind.CONSECUTIVE_PAIRS.name_zh == "连对"
    assert all(kind.name_zh for kind in Kind)


@given(st.sampled_from(SEATS), HANDS.filter(bool))
def test_acts_survive_text(seat: int, cards: tuple[Card, ...]) -> None:
    for act in (Pass(SEATS[seat]), PlayCards(SEATS[seat], cards)):
        assert parse_act(format_act(act)) == act


@pytest.mark.parametrize("text", ["", "1", "4: pass", "1:", "x: 7h", "1: 7h pass"])
def test_what_is_no_act_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_act(text)


def test_seats_go_around_the_table() -> None:
    """§2.1, §4.1."""
    assert [next_seat(seat) for seat in SEATS] == [1, 2, 3, 0]
    assert [partner(seat) for seat in SEATS] == [2, 3, 0, 1]
    assert seats_after(SEATS[2]) == (3, 0, 1)
    for seat in SEATS:
        assert seats_of(side_of(seat)) == tuple(sorted((seat, partner(seat))))
