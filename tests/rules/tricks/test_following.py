"""docs/rules/tricks.md §6.6 and §6.7: following, also against the brute-force oracle."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import tricks_oracle as oracle
from kit.call_counts import calls_made
from kit.effort import effort
from kit.tricks_crowds import Crowd, crowds
from kit.tricks_oracle import House
from kit.tricks_sets import cards, order_of, some_question
from kit.tricks_vectors import tricks_vectors
from shuangkou.rules.cards import Card
from shuangkou.rules.errors import CODES, IllegalCommand
from shuangkou.rules.notation import format_tricks_card, parse_cards, parse_rank
from shuangkou.rules.ruleset import load
from shuangkou.rules.tricks.defaults import default_follow
from shuangkou.rules.tricks.following import Duty, check_follow, duty, is_legal_follow
from shuangkou.rules.tricks.order import Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.units import Format, Shape, format_of

SEEDS = st.integers(0, 2**32)
IS_THOROUGH = settings().max_examples > 60
CASES = 40 if IS_THOROUGH else 4
"""Questions in an example: with three numbers of packs and 2000 examples 240,000."""
H5 = order_of(House("H", "5"))
S2 = order_of(House("S", "2"))
TIAN = order_of(House("S", "-", fixed="532"))


def asked(order: TrumpOrder, lead: str, hand: str, high: bool = False) -> Duty:
    return duty(order, led(order, lead), parse_cards(hand), high)


def led(order: TrumpOrder, text: str) -> Format:
    found = format_of(order, parse_cards(text))
    assert found is not None
    return found


def refusal(order: TrumpOrder, owed: Duty, play: str) -> str | None:
    """The code that this play is refused with."""
    chosen = parse_cards(play)
    is_legal = is_legal_follow(order, owed, chosen)
    assert is_legal_follow(order, owed, chosen[::-1]) == is_legal
    if is_legal:
        check_follow(order, owed, chosen)
        return None
    with pytest.raises(IllegalCommand) as refused:
        check_follow(order, owed, chosen)
    assert refused.value.code in CODES
    assert refused.value.message
    return refused.value.code


@pytest.mark.parametrize(
    "vector", [pytest.param(vector, id=vector["id"]) for vector in tricks_vectors("follow")]
)
def test_recorded_follows(vector: dict[str, Any]) -> None:
    options = load(vector["variant"]).options
    level = None if vector["level"] == "-" else parse_rank(vector["level"])
    order = trump_order(options, Trump(vector["trump"]), level)
    owed = asked(order, " ".join(vector["lead"]), " ".join(vector["hand"]), options.high_follow)
    assert is_legal_follow(order, owed, cards(vector["play"])) is vector["expect"]


@pytest.mark.parametrize(
    ("lead", "hand", "play", "code"),
    [
        ("S9", "S3 D3", "S3 D3", "tricks/wrong_card_count"),
        ("S9", "S3 D3", "", "tricks/wrong_card_count"),
        ("S9", "S3 D3", "D3", "tricks/must_follow_suit"),
        ("S9", "S5 D3", "D3", None),
        ("H9", "S5 D3", "D3", "tricks/must_follow_suit"),
        ("S9 S9", "S3 D3 D4", "D3 D4", "tricks/must_follow_suit"),
        ("S9 S9", "S3 S3 SK SQ", "SK SQ", "tricks/must_follow_pair"),
        ("SQ SQ SJ SJ", "S4 S4 S6 S6 S9 SK", "S4 S4 S9 SK", "tricks/must_follow_pair"),
        ("SQ SQ SJ SJ", "S4 S4 S6 S6 S9 S9", "S4 S4 S9 S9", "tricks/must_follow_tractor"),
        ("SQ SQ SJ SJ", "S4 S4 S6 S6 S9 S9", "S6 S6 S4 S4", None),
        ("SQ SQ SJ SJ", "S2 S2 S3 S3 S4 S4", "S2 S2 S4 S4", "tricks/must_follow_tractor"),
        ("SQ SQ SJ SJ ST ST", "S6 S6 S7 S7 S2 S2 SK S9", "S6 S6 S2 S2 SK S9", "tricks/must_follow_pair"),
        ("SQ SQ SJ SJ ST ST", "S6 S6 S7 S7 SK S9 S8", "S6 S6 S7 S7 SK S9", None),
        ("S9 S9 S9", "S3 S3 S3 S4 S4", "S3 S3 S4", "tricks/must_follow_triple"),
        ("S9 S9 S9 S9", "S3 S3 S3 S3 S4 S4", "S3 S3 S4 S4", "tricks/must_follow_quad"),
        ("S9 S9 S9 S9", "S3 S3 S3 S4 S4", "S3 S3 S3 S4", None),
        ("S9 S9 S9 S9", "S3 S3 S3 S4 S4", "S3 S3 S4 S4", "tricks/must_follow_triple"),
    ],
)
def test_refusals(lead: str, hand: str, play: str, code: str | None) -> None:
    """§6.6; the suit before tractors, and sets from quads down to pairs."""
    assert refusal(H5, asked(H5, lead, hand), play) == code


def test_refusals_name_the_cards_at_fault() -> None:
    owed = asked(H5, "S9 S9", "S3 S4 D3 D4")
    with pytest.raises(IllegalCommand) as refused:
        check_follow(H5, owed, parse_cards("D3 S3"))
    assert refused.value.cards == (Card.D3,)
    owed = asked(TIAN, "D8 D8", "DA DK D6 D4", high=True)
    with pytest.raises(IllegalCommand) as refused:
        check_follow(TIAN, owed, parse_cards("DA D6"))
    assert (refused.value.code, refused.value.cards) == ("tricks/must_follow_high", (Card.DK,))


def test_owed_pairs_are_not_what_a_triple_leaves_over() -> None:
    """§6.6: two pairs of three are one pair, whatever its third card is laid beside."""
    owed = asked(S2, "D9 D9 DJ DJ D4", "D5 D5 D5 D7 D8 DQ")
    assert owed.sets.pairs == 1
    two = asked(S2, "D9 D9 DJ DJ D4", "D5 D5 D5 D7 D7 DQ")
    assert refusal(S2, two, "D5 D5 D5 D7 DQ") == "tricks/must_follow_pair"
    assert refusal(S2, two, "D5 D5 D7 D7 D5") is None
    assert refusal(S2, two, "D5 D5 D7 D7 DQ") is None


def test_tractors_are_matched_from_the_largest_down() -> None:
    """§6.6: the longer led tractor takes its match before the shorter one."""
    lead = "H6 H6 H7 H7 H8 H8 HT HT HJ HJ"
    owed = asked(H5, lead, "H2 H2 H3 H3 H4 H4 HK HK HQ HA LJ")
    assert owed.tractors == (Shape(2, 3),)
    assert refusal(H5, owed, "H2 H2 H3 H3 H4 H4 HK HK HQ HA") is None
    both = asked(H5, lead, "H2 H2 H3 H3 H4 H4 HK HK HA HA BJ")
    assert both.tractors == (Shape(2, 3), Shape(2, 2))
    short = asked(H5, lead, "H2 H2 H3 H3 HK HK HA HA LJ BJ H9 HT")
    assert short.tractors == (Shape(2, 2),)


def test_a_longer_tractor_is_cut_where_it_helps() -> None:
    """§6.6: five pairs in a row serve two tractors of two, if they are not cut in the middle."""
    owed = asked(S2, "D3 D3 D4 D4 D6 D6 D7 D7", "D9 D9 DT DT DJ DJ DQ DQ DK DK DA", False)
    assert owed.tractors == (Shape(2, 2), Shape(2, 2))
    assert refusal(S2, owed, "D9 D9 DT DT DQ DQ DK DK") is None
    assert refusal(S2, owed, "D9 D9 DT DT DJ DJ DQ DQ") is None
    assert refusal(S2, owed, "D9 D9 DJ DJ DQ DQ DK DK") == "tricks/must_follow_tractor"


def test_one_face_with_four_copies_serves_two_tractors() -> None:
    """§5.1, §6.6, with four packs."""
    owed = asked(S2, "D3 D3 D4 D4 D6 D6 D7 D7", "D9 D9 D9 D9 DT DT DT DT DK DA")
    assert owed.tractors == (Shape(2, 2), Shape(2, 2))
    level = asked(H5, "H2 H2 H3 H3 H7 H7 H8 H8", "HA HA S5 S5 D5 D5 H5 H5 LJ")
    assert level.tractors == (Shape(2, 2), Shape(2, 2))


def test_high_follow_takes_pairs_first_and_then_the_highest() -> None:
    """§6.7."""
    owed = asked(TIAN, "D8 D8 D7 D7", "D6 D6 DA DK D4 DQ", high=True)
    assert refusal(TIAN, owed, "D6 D6 DA DK") is None
    assert refusal(TIAN, owed, "D6 D6 DA DQ") == "tricks/must_follow_high"
    assert refusal(TIAN, owed, "DA DK DQ D6") == "tricks/must_follow_high"
    ties = asked(TIAN, "S8 S8", "H5 C5 D5 SA S4 D4", high=True)
    assert refusal(TIAN, ties, "H5 D5") is None
    assert refusal(TIAN, ties, "D5 C5") is None
    assert refusal(TIAN, ties, "D5 SA") == "tricks/must_follow_high"
    single = asked(TIAN, "D8", "DA D4", high=True)
    assert refusal(TIAN, single, "D4") is None


@pytest.mark.timeout(3600)  # with the profile `thorough`
@pytest.mark.parametrize("decks", [2, 3, 4])
@given(SEEDS)
@effort(60)
def test_following_agrees_with_the_oracle(decks: int, seed: int) -> None:
    """§6.6, §6.7: every choice of cards of hands of up to twelve is legal exactly when the oracle says so."""
    rng = Random(seed)
    for _ in range(CASES):
        question = some_question(rng, decks, longest_lead=8, longest_hand=12)
        agree_on(question.house, question.lead, question.hands[0], decks == 2 and rng.random() < 0.4)


def agree_on(house: House, lead: oracle.Cards, hand: oracle.Cards, high: bool) -> None:
    order, suit = order_of(house), house.suit(lead[0])
    form = format_of(order, cards(lead))
    assert form is not None
    owed = duty(order, form, cards(hand), high)
    legal = oracle.follows(house, lead, hand, high)
    for play in oracle.choices(hand, len(lead)):
        own = tuple(sorted(card for card in play if house.suit(card) == suit))
        assert is_legal_follow(order, owed, cards(play)) == (own in legal), (house, lead, hand, play, high)


@pytest.mark.timeout(3600)  # with the profile `thorough`
@pytest.mark.parametrize("decks", [2, 3, 4])
@given(SEEDS)
@effort(20)
def test_long_hands_agree_with_the_oracle(decks: int, seed: int) -> None:
    """§6.6: up to sixteen cards, throws of up to nine; what the oracle likes best is what is owed."""
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=9, longest_hand=16)
    house, lead, hand = question.house, question.lead, question.hands[0]
    suit, order = house.suit(lead[0]), order_of(house)
    own = tuple(card for card in hand if house.suit(card) == suit)
    form = format_of(order, cards(lead))
    assert form is not None
    owed = duty(order, form, cards(hand))
    shape = [part.mn for part in oracle.taken_apart(house, lead)]
    plays = list(oracle.choices(own, len(lead)))
    worths = {play: oracle.worth(house, suit, shape, play) for play in rng.sample(plays, min(60, len(plays)))}
    default = tuple(map(format_tricks_card, default_follow(order, form, cards(hand))))
    if len(own) > len(lead):  # else everything is forced
        best = oracle.worth(house, suit, shape, default)
        assert all(worth <= best for worth in worths.values())
        assert {play for play, worth in worths.items() if worth == best} == {
            play for play in worths if is_legal_follow(order, owed, cards(play))
        }


@pytest.mark.parametrize("decks", [1, 2, 3, 4])
@given(SEEDS)
@effort(200)
def test_a_legal_follow_always_exists(decks: int, seed: int) -> None:
    """And the default is one, with hands of up to 54 cards."""
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=30, longest_hand=54)
    order, hand = order_of(question.house), list(cards(question.hands[0]))
    form = format_of(order, cards(question.lead))
    assert form is not None
    if len(hand) < form.size:
        return
    high = decks <= 2 and rng.random() < 0.4
    owed = duty(order, form, hand, high)
    play = default_follow(order, form, hand, high)
    assert is_legal_follow(order, owed, play)
    assert Counter(play) <= Counter(hand)
    rng.shuffle(hand)
    assert duty(order, form, hand, high) == owed
    assert is_legal_follow(order, owed, rng.sample(play, len(play)))


MOST_CALLS = 25_000
"""Less than ten milliseconds; the hardest that was found takes 18,000, a deal that is played 200."""


@pytest.mark.parametrize("crowd", crowds(), ids=lambda crowd: crowd.name)
def test_work_stays_bounded_on_four_decks(crowd: Crowd) -> None:
    """However a hand and a lead of four packs are built, judging a follow is a bounded number of calls."""
    form = format_of(crowd.order, crowd.lead)
    assert form is not None
    owed = duty(crowd.order, form, crowd.hand)
    play = default_follow(crowd.order, form, crowd.hand)
    assert is_legal_follow(crowd.order, owed, play)
    assert calls_made(lambda: duty(crowd.order, form, crowd.hand)) < MOST_CALLS
    assert calls_made(lambda: is_legal_follow(crowd.order, owed, play)) < MOST_CALLS
