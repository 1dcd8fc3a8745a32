"""docs/rules/tricks.md §5: units and taking apart, also against the brute-force oracle."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import tricks_oracle as oracle
from kit.effort import effort
from kit.tricks_oracle import House
from kit.tricks_sets import cards, order_of, some_question
from kit.tricks_vectors import tricks_vectors
from shuangkou.rules.notation import format_tricks_card, parse_cards, parse_rank
from shuangkou.rules.ruleset import load
from shuangkou.rules.tricks.order import Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.units import PAIR, SINGLE, Format, Shape, format_of

SEEDS = st.integers(0, 2**32)
H5 = order_of(House("H", "5"))
AA22 = order_of(House("D", "5", low_ace=True))


def taken_apart(order: TrumpOrder, text: str) -> list[str]:
    lead = format_of(order, parse_cards(text))
    assert lead is not None
    return [" ".join(map(format_tricks_card, unit.cards)) for unit in lead.units]


@pytest.mark.parametrize(
    "vector", [pytest.param(vector, id=vector["id"]) for vector in tricks_vectors("tractors")]
)
def test_recorded_tractors(vector: dict[str, Any]) -> None:
    level = None if vector["level"] == "-" else parse_rank(vector["level"])
    order = trump_order(load(vector["variant"]).options, Trump(vector["trump"]), level)
    lead = format_of(order, cards(vector["cards"]))
    assert lead is not None
    found = [[*unit.shape, format_tricks_card(unit.cards[-1])] for unit in lead.units]
    assert sorted(found) == sorted(vector["expect"])


@pytest.mark.parametrize(
    ("paragraph", "order", "text", "expected"),
    [
        ("§5.2", H5, "S5 C5", ["S5", "C5"]),
        ("§5.4", H5, "C5 C5 S5 S5", ["S5 S5", "C5 C5"]),
        ("§5.4", H5, "HA HA D5 D5 S5 S5", ["HA HA S5 S5", "D5 D5"]),
        ("§5.7", H5, "S2 S2 S3 S3 S4 S6 S6 S7 S7", ["S6 S6 S7 S7", "S2 S2 S3 S3", "S4"]),
        ("§5.7", H5, "S2 S2 S3 S3 S6 S6 S7 S7 S8 S8", ["S6 S6 S7 S7 S8 S8", "S2 S2 S3 S3"]),
        ("§5.7", H5, "S2 S2 S2 S2 S3 S3 S4 S4", ["S2 S2 S3 S3 S4 S4", "S2 S2"]),
        ("§5.7", H5, "S2 S2 S2 S2 S3 S3", ["S2 S2 S2 S2", "S3 S3"]),
        ("§5.7", H5, "S2 S2 S2 S3 S3", ["S2 S2 S3 S3", "S2"]),
        ("§5.7", H5, "S2 S2 S2 S3 S3 S3", ["S2 S2 S2 S3 S3 S3"]),
        ("§5.7", H5, "S8 S8 S8 S9", ["S8 S8 S8", "S9"]),
        ("§5.6", AA22, "SK SK SA SA S2 S2", ["SK SK SA SA", "S2 S2"]),
        ("§5.6", AA22, "SA SA S2 S2 S3 S3 S4", ["SA SA S2 S2 S3 S3", "S4"]),
        ("§5.6", AA22, "SA SA S3 S3", ["SA SA", "S3 S3"]),
        (
            "§5.6",
            AA22,
            " ".join(f"S{rank} S{rank}" for rank in "2346789TJQKA"),
            [" ".join(f"S{rank} S{rank}" for rank in "2346789TJQKA")],
        ),
    ],
)
def test_taking_apart(paragraph: str, order: TrumpOrder, text: str, expected: list[str]) -> None:
    assert taken_apart(order, text) == expected, paragraph


def test_duplicate_cards_are_two_cards() -> None:
    """§5.1: the same face twice is a pair, thrice a triple, and never one card."""
    lead = format_of(H5, parse_cards("S9 S9"))
    assert lead is not None
    assert (lead.shape, lead.size, lead.is_throw) == ((PAIR,), 2, False)
    triple = format_of(H5, parse_cards("S9 S9 S9"))
    assert triple is not None
    assert (triple.shape, triple.size) == ((Shape(3, 1),), 3)
    apart = format_of(H5, parse_cards("S9 S8"))
    assert apart is not None
    assert (apart.shape, apart.is_throw) == ((SINGLE, SINGLE), True)


def test_neighbours_across_the_gap_of_the_level() -> None:
    """§1.5, §5.3: 4466 at level five, in a plain suit and in trump, and 5566 nowhere."""
    assert taken_apart(H5, "S4 S4 S6 S6") == ["S4 S4 S6 S6"]
    assert taken_apart(H5, "H4 H4 H6 H6") == ["H4 H4 H6 H6"]
    assert taken_apart(H5, "H5 H5 H6 H6") == ["H5 H5", "H6 H6"]


@pytest.mark.parametrize("text", ["", "S9 D9", "S9 S5", "S9 LJ"])
def test_cards_of_several_suits_are_no_lead(text: str) -> None:
    """§5.1; S5 is trump at level five."""
    assert format_of(H5, parse_cards(text)) is None


@given(SEEDS, st.sampled_from((2, 3, 4)))
@effort(200)
def test_taking_apart_agrees_with_the_oracle(seed: int, decks: int) -> None:
    """§5.7, whatever the order in which the cards lie; nothing is lost and the largest unit comes first."""
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=12, longest_hand=3, hands=0)
    order, lead = order_of(question.house), list(question.lead)
    expected = [(part.mn, part.cards) for part in oracle.taken_apart(question.house, lead)]
    rng.shuffle(lead)
    found = format_of(order, cards(lead))
    assert isinstance(found, Format)
    assert [(unit.shape, tuple(map(format_tricks_card, unit.cards))) for unit in found.units] == expected
    assert sorted(card for unit in found.units for card in unit.cards) == sorted(cards(lead))
    assert all(order.strength_of(unit.cards[-1]) == unit.top for unit in found.units)
    sizes = [(unit.shape.size, unit.shape.copies, unit.top) for unit in found.units]
    assert sizes == sorted(sizes, reverse=True)
    assert found.key == found.units[0]
