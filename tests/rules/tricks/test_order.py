"""docs/rules/tricks.md §1 and §5.3 to §5.6: the order of the cards, and what stands beside what."""

from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.effort import effort
from kit.tricks_oracle import House
from kit.tricks_sets import order_of, some_house
from kit.tricks_vectors import tricks_vectors
from shuangkou.rules.cards import CARDS, Rank, Suit
from shuangkou.rules.notation import format_tricks_card, parse_card, parse_rank
from shuangkou.rules.ruleset import load
from shuangkou.rules.tricks.order import EffectiveSuit, Trump, TrumpOrder, trump_order

HOUSES = st.integers(0, 2**32).map(lambda seed: some_house(Random(seed)))


def relation(order: TrumpOrder, a: str, b: str) -> str:
    one, other = parse_card(a), parse_card(b)
    if order.suit_of(one) is not order.suit_of(other):
        return "x"
    difference = order.strength_of(one) - order.strength_of(other)
    return ">" if difference > 0 else "<" if difference < 0 else "="


@pytest.mark.parametrize(
    "vector", [pytest.param(vector, id=vector["id"]) for vector in tricks_vectors("order")]
)
def test_recorded_orders(vector: dict[str, Any]) -> None:
    level = None if vector["level"] == "-" else parse_rank(vector["level"])
    order = trump_order(load(vector["variant"]).options, Trump(vector["trump"]), level)
    assert relation(order, vector["a"], vector["b"]) == vector["expect"]


@pytest.mark.parametrize(
    ("paragraph", "house", "lower", "higher", "expected"),
    [
        ("§1.5", House("H", "5"), "S4", "S6", True),
        ("§1.5", House("H", "5"), "H4", "H6", True),
        ("§1.5", House("H", "5"), "S4", "S7", False),
        ("§1.5", House("H", "2"), "SA", "S3", False),
        ("§5.3", House("H", "5"), "HA", "C5", True),
        ("§5.3", House("H", "5"), "C5", "H5", True),
        ("§5.3", House("H", "5"), "H5", "LJ", True),
        ("§5.3", House("H", "5"), "LJ", "BJ", True),
        ("§5.3", House("H", "A"), "HK", "SA", True),
        ("§5.4", House("H", "5"), "S5", "C5", False),
        ("§5.5", House("N", "9"), "S9", "LJ", True),
        ("§5.5", House("N", "9", loose_level=True), "S9", "LJ", False),
        ("§5.5", House("N", "9", loose_level=True), "LJ", "BJ", True),
        ("§5.6", House("D", "5"), "SA", "S2", False),
        ("§5.6", House("D", "5", low_ace=True), "SA", "S2", True),
        ("§5.6", House("D", "5", low_ace=True), "SK", "SA", True),
        ("§5.6", House("D", "5", low_ace=True), "DA", "D2", False),
        ("§5.6", House("D", "2", low_ace=True), "SA", "S3", False),
        ("§5.6", House("D", "A", low_ace=True), "S2", "SK", False),
        ("§1.8", House("S", "-", fixed="532"), "BJ", "S5", True),
        ("§1.8", House("S", "-", fixed="532"), "H5", "LJ", True),
        ("§1.8", House("S", "-", fixed="532"), "S3", "H5", True),
        ("§1.8", House("S", "-", fixed="532"), "SA", "H2", True),
        ("§1.8", House("S", "-", fixed="532"), "D4", "D6", True),
        ("§1.8", House("S", "-", fixed="532"), "BJ", "H5", False),
    ],
)
def test_what_stands_beside_what(
    paragraph: str, house: House, lower: str, higher: str, expected: bool
) -> None:
    order = order_of(house)
    assert order.are_consecutive(parse_card(lower), parse_card(higher)) is expected, paragraph


@given(HOUSES)
@effort(30)
def test_the_order_is_the_one_that_is_written(house: House) -> None:
    """§1.4 to §1.8, against the oracle's rows."""
    order = order_of(house)
    for card in CARDS:
        letter = house.suit(format_tricks_card(card))
        assert order.is_trump(card) is (letter == "T")
        assert order.suit_of(card).name[0] == letter or letter == "T"
    for suit in EffectiveSuit:
        own = [card for card in CARDS if order.suit_of(card) is suit]
        for a, b in product(own, repeat=2):
            heights = [house.height(format_tricks_card(card)) for card in (a, b)]
            strengths = [order.strength_of(card) for card in (a, b)]
            assert (heights[0] < heights[1]) == (strengths[0] < strengths[1])
            assert (heights[0] == heights[1]) == (strengths[0] == strengths[1])


@given(HOUSES)
@effort(60)
def test_neighbours_are_the_next_stronger_place(house: House) -> None:
    """The order is total on places, and what is consecutive never leaves one out.

    Only the ace may stand below the lowest card as well (§5.6), and only the jokers may stand apart (§5.5).
    """
    order = order_of(house)
    for line, suit in zip(order.lines, EffectiveSuit, strict=True):
        if suit.name == order.trump.name:
            assert not any(line)
            continue
        strengths = [strength for strength, faces in enumerate(line) if faces and strength]
        assert {order.strength_of(face) for faces in line for face in faces} == set(strengths)
        for below, above in pairwise(strengths):
            joined = {order.are_consecutive(a, b) for a, b in product(line[below], line[above])}
            assert joined == {above == below + 1}
            assert joined == {True} or house.loose_level
        far = [(a, b) for a in strengths for b in strengths if b != a + 1]
        assert not any(
            order.are_consecutive(face, line[b][0]) for a, b in far for face in line[a] if face not in line[0]
        )


@given(HOUSES)
@effort(60)
def test_every_card_has_one_place(house: House) -> None:
    """§1.4: of a plain suit or trump, never both."""
    order = order_of(house)
    places = [face for line in order.lines for faces in line[1:] for face in faces]
    assert sorted(places) == list(CARDS)
    assert order.ascending(places) == order.ascending(reversed(places))


def test_an_order_is_made_once() -> None:
    options = load("multi2").options
    assert trump_order(options, Trump.HEARTS, Rank.FIVE) is trump_order(options, Trump.HEARTS, Rank.FIVE)


@pytest.mark.parametrize("suit", Suit)
def test_a_suit_makes_its_trump(suit: Suit) -> None:
    assert Trump.of(suit).suit is suit
    assert Trump.of(None).suit is None
