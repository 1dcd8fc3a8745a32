"""docs/rules/tricks.md §6.8 and §6.9: who takes a trick, also against the brute-force oracle."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import tricks_oracle as oracle
from kit.call_counts import calls_made
from kit.effort import effort
from kit.tricks_crowds import Crowd, crowds
from kit.tricks_oracle import House
from kit.tricks_sets import cards, order_of, some_question
from kit.tricks_vectors import tricks_vectors
from shuangkou.rules.notation import parse_cards, parse_rank
from shuangkou.rules.ruleset import load
from shuangkou.rules.tricks.defaults import default_follow
from shuangkou.rules.tricks.order import EffectiveSuit, Trump, TrumpOrder, trump_order
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.throwing import failed_throw
from shuangkou.rules.tricks.units import Format, format_of
from shuangkou.rules.tricks.winning import strength_of_follow, winner

SEEDS = st.integers(0, 2**32)
H5 = order_of(House("H", "5"))
AA22 = order_of(House("D", "5", low_ace=True))


def taker(order: TrumpOrder, *plays: str) -> int:
    return winner(order, [parse_cards(play) for play in plays])


@pytest.mark.parametrize(
    "vector", [pytest.param(vector, id=vector["id"]) for vector in tricks_vectors("trick")]
)
def test_recorded_tricks(vector: dict[str, Any]) -> None:
    level = None if vector["level"] == "-" else parse_rank(vector["level"])
    order = trump_order(load(vector["variant"]).options, Trump(vector["trump"]), level)
    plays = [cards(play) for play in vector["plays"]]
    assert winner(order, plays) == vector["expect"]["winner"]
    assert sum(map(points_of, plays)) == vector["expect"]["points"]


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        (("S9", "SA", "SA", "DA"), 1),
        (("S9", "S5", "C5", "H5"), 3),
        (("S9", "S5", "C5", "HA"), 1),
        (("S9 S9", "SA SK", "H3 H4", "LJ BJ"), 0),
        (("S9 S9", "S5 S5", "C5 C5", "S5 C5"), 1),
        (("S3 S3 S4 S4", "SQ SQ SK SK", "H2 H2 H3 H3", "BJ BJ HA HA"), 2),
        (("S3 S3 S4 S4", "S7 S7 S8 S8", "HA HA S5 S5", "HK HK HQ HQ"), 2),
        (("H3 H3 H4 H4", "H6 H6 H7 H7", "HA HA S5 S5", "BJ BJ HK HK"), 2),
    ],
)
def test_who_takes_a_plain_lead(plays: tuple[str, ...], expected: int) -> None:
    """§6.8; a pair of trumps is two of the same face, and of equals the first wins."""
    assert taker(H5, *plays) == expected


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        (("SA SK", "H2 H3", "H4 H2", "D2 D3"), 2),
        (("SA SK", "SA SQ", "S9 S8", "S7 S6"), 0),
        (("SA SA SK", "H3 H3 BJ", "H4 H4 H2", "H2 H6 LJ"), 2),
        (("SA SA SK", "H3 H4 BJ", "LJ H7 H8", "D2 D2 D3"), 0),
        (("SK SQ SQ SJ SJ", "H2 H2 H3 H3 BJ", "H4 H4 H6 H6 H7", "HA HA HK HQ HQ"), 2),
        (("SK SQ SQ S9 S9", "H2 H2 H3 H3 BJ", "H6 H6 H9 H9 H7", "HA HA HK HJ HQ"), 2),
        (("HA HK", "LJ BJ", "S5 C5", "H5 H9"), 0),
    ],
)
def test_ruffing_a_throw_compares_the_key(plays: tuple[str, ...], expected: int) -> None:
    """§6.8: the largest unit of the throw decides; its singles never do, and no one beats it in its suit."""
    assert taker(H5, *plays) == expected


def test_a_tractor_may_be_cut_and_nothing_may_be_glued() -> None:
    """§6.8: a tractor serves as two pairs, with either of them as the key; pairs serve as no tractor."""
    assert taker(H5, "SA SA SQ SQ", "H2 H2 H4 H4", "H3 H3 H4 H4", "D2 D2 D3 D3") == 1
    assert taker(H5, "SA SA SQ SQ", "H2 H2 H3 H3", "H4 H4 H9 H9", "D2 D2 D3 D3") == 2
    assert taker(H5, "SA SA SK SK", "H2 H2 H4 H4", "D2 D3 D4 D6", "D7 D8 D9 DT") == 0


def test_the_low_ace_makes_the_lowest_tractor() -> None:
    """§5.6: its top is the two; a pair of aces is as high as ever."""
    assert taker(AA22, "SA SA S2 S2", "S3 S3 S4 S4", "S6 S6 S7 S7", "HA HA H2 H2") == 2
    assert taker(AA22, "S3 S3 S4 S4", "SA SA S2 S2", "S8 S9 ST SJ", "HA HA H2 H2") == 0
    assert taker(AA22, "SK SK", "SA SA", "S2 S2", "S3 S3") == 1


def test_a_trick_may_be_judged_before_it_is_full() -> None:
    assert taker(H5, "S9") == 0
    assert taker(H5, "S9", "SJ") == 1
    with pytest.raises(ValueError, match="nobody can lead"):
        taker(H5, "S9 D9")


@pytest.mark.timeout(3600)  # with the profile `thorough`
@pytest.mark.parametrize("decks", [2, 3, 4])
@given(SEEDS)
@effort(60)
def test_strengths_agree_with_the_oracle(decks: int, seed: int) -> None:
    """§6.8: whether cards can win at all, and how high their key is; whatever the order they lie in."""
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=8, longest_hand=10)
    house, order = question.house, order_of(question.house)
    lead = format_of(order, cards(question.lead))
    assert lead is not None
    if rng.random() < 0.5:  # as ruffs, which follow no suit
        lead = Format(EffectiveSuit.SPADES, lead.units)
    plays = list(oracle.choices(question.hands[0], lead.size))
    for play in rng.sample(plays, min(12, len(plays))):
        shuffled = list(cards(play))
        rng.shuffle(shuffled)
        found = strength_of_follow(order, lead, shuffled)
        suit = order.common_suit(shuffled)
        if suit not in (lead.suit, EffectiveSuit.TRUMP) or (suit is lead.suit and lead.is_throw):
            assert found is None
            continue
        key = oracle.best_key(house, [unit.shape for unit in lead.units], play)
        if key is None:
            assert found is None
        else:
            assert found == order.strength_of(cards([key])[0])


@pytest.mark.parametrize("decks", [2, 3])
@given(SEEDS)
@effort(100)
def test_a_throw_that_stands_is_beaten_only_by_a_ruff(decks: int, seed: int) -> None:
    """§6.2, §6.8, with whatever the others might play of their cards."""
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=8, longest_hand=10, hands=3)
    order = order_of(question.house)
    lead = format_of(order, cards(question.lead))
    assert lead is not None
    hands = [cards(hand) for hand in question.hands]
    if failed_throw(order, lead, hands) is not None or not lead.is_throw:
        return
    plays = [rng.sample(hand, lead.size) for hand in hands if len(hand) >= lead.size]
    best = winner(order, [cards(question.lead), *plays])
    ruffs = all(order.is_trump(card) for card in ([cards(question.lead), *plays][best]))
    assert best == 0 or (ruffs and lead.suit is not EffectiveSuit.TRUMP)


@given(SEEDS, st.sampled_from((2, 3, 4)))
@effort(100)
def test_the_order_of_cards_in_a_play_never_matters(seed: int, decks: int) -> None:
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=8, longest_hand=10, hands=3)
    order = order_of(question.house)
    plays = [list(cards(question.lead))]
    plays += [list(cards(hand))[: len(plays[0])] for hand in question.hands]
    plays = [play for play in plays if len(play) == len(plays[0])]
    before = winner(order, plays)
    for play in plays:
        rng.shuffle(play)
    assert winner(order, plays) == before


@pytest.mark.parametrize("crowd", crowds(), ids=lambda crowd: crowd.name)
def test_work_stays_bounded_on_four_decks(crowd: Crowd) -> None:
    """Ruffs of the longest throws, in calls made."""
    lead = format_of(crowd.order, crowd.lead)
    assert lead is not None
    play = default_follow(crowd.order, lead, crowd.hand)
    ruffed = Format(EffectiveSuit.SPADES, lead.units)
    assert calls_made(lambda: strength_of_follow(crowd.order, ruffed, play)) < 25_000
