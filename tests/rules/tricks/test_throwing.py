"""docs/rules/tricks.md §6.1 to §6.5: leads, throws, and what a failed one costs."""

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
from shuangkou.rules.cards import Card
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.notation import format_tricks_card, parse_cards, parse_rank
from shuangkou.rules.ruleset import load
from shuangkou.rules.tricks.order import Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.throwing import FailedThrow, check_lead, failed_throw, fine_points
from shuangkou.rules.tricks.units import PAIR, SINGLE, Shape, format_of

SEEDS = st.integers(0, 2**32)
H5 = order_of(House("H", "5"))
S2 = order_of(House("S", "2"))
OPTIONS = load("multi2").options


def tried(order: TrumpOrder, throw: str, *others: str) -> FailedThrow | None:
    lead = format_of(order, parse_cards(throw))
    assert lead is not None
    return failed_throw(order, lead, [parse_cards(hand) for hand in others])


def forced(order: TrumpOrder, throw: str, *others: str) -> str | None:
    """What is led after all; None when the throw stands."""
    failed = tried(order, throw, *others)
    return None if failed is None else " ".join(map(format_tricks_card, failed.forced.cards))


@pytest.mark.parametrize(
    "vector", [pytest.param(vector, id=vector["id"]) for vector in tricks_vectors("throw")]
)
def test_recorded_throws(vector: dict[str, Any]) -> None:
    options = load(vector["variant"]).options
    level = None if vector["level"] == "-" else parse_rank(vector["level"])
    order = trump_order(options, Trump(vector["trump"]), level)
    lead = check_lead(options, order, cards(vector["cards"]))
    failed = failed_throw(order, lead, [cards(hand) for hand in vector["others"]])
    expected = vector["expect"]
    assert (failed is None) is expected["ok"]
    if failed is None:
        assert (expected["forced"], expected["blocked"], expected["penalty"]) == (None, 0, 0)
        return
    shape = {"pair": PAIR, "single": SINGLE, None: failed.forced.shape}[vector.get("choice")]
    unit = failed.named(shape)
    assert unit is not None
    assert list(map(format_tricks_card, unit.cards)) == expected["forced"]
    assert len(failed.blocked_cards) == expected["blocked"]
    assert fine_points(options, failed) == expected["penalty"]


@pytest.mark.parametrize(
    ("rulesets", "lead", "code", "at_fault"),
    [
        ("multi2", "", "tricks/no_cards", ()),
        ("multi2", "S9 D9", "tricks/mixed_suits", (Card.S9, Card.D9)),
        ("multi2", "SA SK S5", "tricks/mixed_suits", (Card.SA, Card.SK, Card.S5)),
        ("tian5", "SA SK", "tricks/no_throws", (Card.SA, Card.SK)),
        ("multi1", "SA SK", "tricks/no_throws", (Card.SA, Card.SK)),
        ("tian5", "SA SA SK SK", None, ()),
        ("multi2", "SA SK", None, ()),
        ("multi2", "HA S5 BJ", None, ()),
    ],
)
def test_leads(rulesets: str, lead: str, code: str | None, at_fault: tuple[Card, ...]) -> None:
    """§6.1: one unit, or with throws any set of one suit, trump included."""
    options = load(rulesets).options
    if code is None:
        assert check_lead(options, H5, parse_cards(lead)).size == len(parse_cards(lead))
        return
    with pytest.raises(IllegalCommand) as refused:
        check_lead(options, H5, parse_cards(lead))
    assert (refused.value.code, refused.value.cards) == (code, at_fault)
    assert refused.value.message


def test_a_plain_lead_stands_whatever_the_others_hold() -> None:
    assert tried(H5, "S2", "SA SA", "SK", "") is None
    assert tried(H5, "S2 S2 S3 S3", "S6 S6 S7 S7", "", "") is None


def test_a_tractor_elsewhere_blocks_no_throw() -> None:
    """§6.2: neither a lower one, nor one of another suit, nor one of another length."""
    assert tried(H5, "SA SA SK", "SQ SQ SJ SJ", "", "") is None
    assert tried(H5, "SA SK SK", "DA DA DK DK", "HA HA HK HK", "") is None
    assert tried(H5, "SA SA SQ SQ", "SJ SJ ST ST", "", "") is None
    assert tried(H5, "SA S9 S9 S8 S8", "SQ SQ SJ", "", "") is None
    assert tried(H5, "SA S9 S9 S8 S8", "SQ SQ", "SJ SJ", "") is None


def test_what_blocks_a_unit() -> None:
    """§6.2: the same m and n, strictly higher, from one hand; a card of a pair blocks a single."""
    assert forced(H5, "SA SA SK", "", "", "") is None
    assert forced(H5, "SK SQ SQ", "SA SA", "", "") == "SK"
    assert forced(H5, "SQ SK SK", "SA", "SQ", "SA") == "SQ"
    assert forced(H5, "SA SQ SQ", "SA SK", "SA SK", "") is None
    assert forced(H5, "SA S9 S9 S8 S8", "ST ST SJ SJ", "", "") == "S8 S8 S9 S9"
    assert forced(H5, "SA S9 S9 S8 S8", "", "", "ST ST SJ SJ SQ SQ") == "S8 S8 S9 S9"
    assert forced(H5, "HA HK", "", "S5", "") == "HK"
    assert forced(H5, "BJ S5", "C5", "D5", "") is None
    assert forced(H5, "HA HK", "C6 D7", "", "") is None


def test_a_failed_throw_leads_exactly_its_lowest_blocked_shape() -> None:
    """§6.3: the smallest shape that is blocked, and of the throw the lowest unit of that shape."""
    assert forced(S2, "CQ CJ CT", "CK", "", "") == "CT"
    assert forced(S2, "CQ CJ C9 C9", "CK", "CT CT", "") == "CJ"
    assert forced(S2, "CK C9 C9 C7 C7", "C8 C8", "", "") == "C7 C7"
    assert forced(S2, "D7 D7 D7 D9 D9", "DA DA", "", "") == "D9 D9"
    assert forced(S2, "D7 D7 D7 D9 D9", "D8 D8 D8", "", "") == "D7 D7 D7"
    assert forced(S2, "D3 D3 D3 D3 D6 D6 D7 D7", "D8 D8 D8 D8", "DJ DJ DQ DQ", "") == "D6 D6 D7 D7"
    failed = tried(S2, "CQ CJ C9 C9", "CK", "CT CT", "")
    assert failed is not None
    assert sorted(failed.blocked_cards) == sorted(parse_cards("CQ CJ C9 C9"))
    assert [unit.shape for unit in failed.lowest] == [SINGLE, PAIR]


def test_equal_lowest_units_go_by_suit() -> None:
    """§6.3: spades, hearts, clubs, diamonds."""
    assert forced(H5, "D5 C5", "BJ", "", "") == "C5"
    assert forced(H5, "D5 D5 S5 S5", "BJ BJ", "", "") == "S5 S5"


def test_what_the_opponents_may_choose() -> None:
    """§6.5: between singles and pairs; a tractor is led only where nothing smaller is blocked."""
    failed = tried(H5, "SQ S9 S9 S7 S7 S6 S6", "SA SK SK SJ SJ ST ST", "", "")
    assert failed is not None
    assert [unit.shape for unit in failed.lowest] == [SINGLE, PAIR, Shape(2, 2)]
    assert [unit.shape for unit in failed.choices] == [SINGLE, PAIR]
    assert failed.named(Shape(2, 2)) is None
    assert failed.named(PAIR) == failed.lowest[1]
    alone = tried(H5, "SA S7 S7 S6 S6", "SJ SJ ST ST", "", "")
    assert alone is not None
    assert alone.choices == alone.lowest
    assert alone.forced.shape == Shape(2, 2)


@pytest.mark.timeout(3600)  # with the profile `thorough`
@given(SEEDS, st.sampled_from((2, 3, 4)))
@effort(100)
def test_throws_agree_with_the_oracle(seed: int, decks: int) -> None:
    """§6.2 to §6.4."""
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=8, longest_hand=8, hands=3)
    house, order = question.house, order_of(question.house)
    lead = check_lead(OPTIONS, order, cards(question.lead))
    others = [list(cards(hand)) for hand in question.hands]
    failed = failed_throw(order, lead, others)
    blocked = oracle.blocked(house, question.lead, question.hands) if lead.is_throw else []
    assert (failed is None) == (not blocked)
    for hand in others:
        rng.shuffle(hand)
    assert failed_throw(order, lead, rng.sample(others, 3)) == failed
    if failed is None:
        return
    assert [tuple(map(format_tricks_card, unit.cards)) for unit in failed.blocked] == [
        part.cards for part in blocked
    ]
    mn = min((part.mn for part in blocked), key=lambda mn: (mn[0] * mn[1], mn[0]))
    lowest = min(part.top for part in oracle.taken_apart(house, question.lead) if part.mn == mn)
    assert failed.forced.shape == mn
    assert house.height(format_tricks_card(failed.forced.cards[-1])) == lowest
    assert failed.forced in lead.units
    assert failed.choices[0] == failed.forced


@given(SEEDS, st.sampled_from((2, 3, 4)))
@effort(100)
def test_what_a_failed_throw_leads_can_be_beaten(seed: int, decks: int) -> None:
    """§6.3: it was blocked, so one of the others holds something better, which is why it had to be led."""
    question = some_question(Random(seed), decks, longest_lead=8, longest_hand=8, hands=3)
    order = order_of(question.house)
    lead = check_lead(OPTIONS, order, cards(question.lead))
    failed = failed_throw(order, lead, [cards(hand) for hand in question.hands])
    if failed is None:
        return
    for unit in failed.lowest:
        part = oracle.Cut(
            unit.shape,
            question.house.height(format_tricks_card(unit.cards[-1])),
            tuple(map(format_tricks_card, unit.cards)),
        )
        suit = question.house.suit(part.cards[0])
        assert any(
            cut.mn == part.mn and cut.top > part.top
            for hand in question.hands
            for cut in oracle.units(
                question.house, suit, [card for card in hand if question.house.suit(card) == suit]
            )
        )
