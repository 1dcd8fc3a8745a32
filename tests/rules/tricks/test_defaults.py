"""docs/rules/tricks.md §11.2: what is played for a seat whose time is up."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.effort import effort
from kit.tricks_oracle import House
from kit.tricks_sets import cards, order_of, some_question
from shuangkou.rules.cards import full_deck
from shuangkou.rules.notation import format_tricks_card, parse_cards
from shuangkou.rules.tricks.defaults import default_bury, default_follow, default_lead
from shuangkou.rules.tricks.units import format_of

H5 = order_of(House("H", "5"))
TIAN = order_of(House("S", "-", fixed="532"))


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("SA S3 S3 D2 D2 D4 BJ", "D2"),
        ("SA SK H2", "SK"),
        ("S5 BJ HA", "HA"),
        ("S5 C5 BJ", "S5"),
        ("S4 D4", "S4"),
    ],
)
def test_leads(hand: str, expected: str) -> None:
    """The lowest single of a plain suit, else the lowest trump; a pair may be broken for it."""
    assert [format_tricks_card(card) for card in default_lead(H5, parse_cards(hand))] == [expected]


@pytest.mark.parametrize(
    ("lead", "hand", "expected"),
    [
        ("S9", "S3 S3 S4 SA", "S4"),
        ("S9", "S3 S3 SA SA", "S3"),
        ("S9", "D8 DT D3 H2", "D3"),
        ("S9", "DT H2 H3", "DT"),
        ("S9", "DT DK HT H2", "DT"),
        ("S9 S9", "S7 DT D8 H2", "S7 D8"),
        ("S9 S9", "S7 S7 S3 S3 S2", "S3 S3"),
        ("S9 S9", "S7 S3 S2", "S2 S3"),
        ("SQ SQ SJ SJ", "S7 S7 S8 S8 S2 S2 S3 S3", "S2 S2 S3 S3"),
        ("SQ SQ SJ SJ", "S7 S7 S8 S8 S2 S2 S3 SK", "S7 S7 S8 S8"),
        ("SQ SQ SJ SJ", "S7 S7 S2 S2 S9 S9 S3 SK", "S2 S2 S7 S7"),
        ("SQ SQ SJ SJ", "S7 S7 S2 S3 S4", "S2 S3 S7 S7"),
        ("S9 S9 S8", "S3 S3 S2 S2 SK", "S2 S2 SK"),
    ],
)
def test_follows(lead: str, hand: str, expected: str) -> None:
    """The lowest tractors and pairs that match, then the lowest singles that break no pair they can spare."""
    form = format_of(H5, parse_cards(lead))
    assert form is not None
    assert " ".join(map(format_tricks_card, default_follow(H5, form, parse_cards(hand)))) == expected


def test_high_cards_where_they_are_demanded() -> None:
    """§6.7."""
    form = format_of(TIAN, parse_cards("D8 D8 D7 D7"))
    assert form is not None
    play = default_follow(TIAN, form, parse_cards("D4 D4 D6 D9 DJ"), high_follow=True)
    assert sorted(play) == sorted(parse_cards("D4 D4 D9 DJ"))


def test_burying() -> None:
    """Plain cards without points from the lowest up, then points, then trumps; never what was shown."""
    hand = parse_cards("S3 D2 DT CK S4 H2 S5 BJ")
    buried = [default_bury(H5, hand, size) for size in range(len(hand) + 1)]
    assert " ".join(map(format_tricks_card, buried[-1])) == "D2 S3 S4 DT CK H2 S5 BJ"
    assert all(longer[:-1] == shorter for shorter, longer in pairwise(buried))
    assert default_bury(H5, hand, 2, shown=parse_cards("D2")) == parse_cards("S3 S4")
    assert default_bury(H5, parse_cards("S3 S3 S4"), 2, shown=parse_cards("S3")) == parse_cards("S3 S4")


@given(st.integers(0, 2**32), st.integers(1, 4))
@effort(60)
def test_a_bury_is_always_found(seed: int, decks: int) -> None:
    rng = Random(seed)
    deck = list(full_deck(decks))
    rng.shuffle(deck)
    hand, shown = deck[:33], deck[:4]
    buried = default_bury(H5, hand, 8, shown)
    assert len(buried) == 8
    assert Counter(buried) <= Counter(hand[4:])


@given(st.integers(0, 2**32), st.sampled_from((2, 3, 4)))
@effort(100)
def test_the_same_hand_gets_the_same_default(seed: int, decks: int) -> None:
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=8, longest_hand=20)
    order, hand = order_of(question.house), list(cards(question.hands[0]))
    form = format_of(order, cards(question.lead))
    assert form is not None
    if len(hand) >= form.size:
        before = default_follow(order, form, hand)
        assert default_lead(order, hand) == default_lead(order, sorted(hand))
        rng.shuffle(hand)
        assert default_follow(order, form, hand) == before
