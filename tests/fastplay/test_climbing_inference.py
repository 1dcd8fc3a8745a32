"""What the search believes of hidden hands: exact sums, right shares, and more than chance knows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fastplay.test_climbing_policy import DECIDER, RULESETS, middle_of
from shuangkou.fastplay.chance import stream_of
from shuangkou.fastplay.climbing.deal import act, begin
from shuangkou.fastplay.climbing.evidence import (
    BOMBED,
    LED_OVER,
    MADE,
    MATE_PASSED,
    NEARLY,
    PASSED,
    SKIPPED,
    no_evidence,
    note,
)
from shuangkou.fastplay.climbing.inference import (
    HELD_AT_MOST,
    INPUTS,
    Net,
    describe,
    draw_hands,
    factors_of,
    trained_net,
    weigh_hands,
)
from shuangkou.fastplay.climbing.layout import HELD, MASKS, PASS, SIZE, blank_deal
from shuangkou.fastplay.climbing.learning import bits_known, by_chance, lesson_of
from shuangkou.fastplay.climbing.reading import hold, play_of
from shuangkou.fastplay.climbing.seen import deal_seen
from shuangkou.fastplay.climbing.tables import STRIDE, Game, game_of, place_of
from shuangkou.fastplay.climbing.worlds import Hidden, hidden_from, sample_world
from shuangkou.rules.cards import full_deck
from shuangkou.rules.notation import parse_cards

Array = npt.NDArray[Any]
QQ = game_of(RULESETS["qq"].options)
POOL = np.array([0, 1, 0, 12, 13, 20, 24, 25, 24], dtype=np.int64)
"""Three cards of the lowest rank, two of the fourth, one of the sixth and three of the seventh."""
BLIND = np.array([1, 2, 3], dtype=np.int64)
SIZES = {"all": np.array([4, 3, 2], dtype=np.int64), "some": np.array([2, 3, 1], dtype=np.int64)}
"""Hands of the three where they hold all cards, and where some lie aside."""


def a_net(number: int) -> Net:
    """Any weights."""
    random = np.random.default_rng(number)
    return Net(random.normal(0, 0.3, (INPUTS + 1, 5)), random.normal(0, 1, (6, HELD_AT_MOST)))


def flat_net() -> Net:
    """It knows nothing."""
    return Net(np.zeros((INPUTS + 1, 1)), np.zeros((2, HELD_AT_MOST)))


def small_deal(sizes: Array) -> tuple[Array, Array]:
    """Seat 0 looks at three others who hold the pool; what they have done is made up."""
    deal = blank_deal(QQ)
    deal[SIZE : SIZE + 4] = [5, *sizes]
    evidence = np.random.default_rng(3).integers(0, 3, no_evidence().shape).astype(np.float64)
    return deal, evidence


def counts_of(pool: Array) -> Array:
    """Cards by rank."""
    return np.bincount(pool >> 2, minlength=STRIDE)


def slow_weights(deal: Array, evidence: Array, net: Net, sizes: Array) -> dict[tuple[int, ...], float]:
    """The weight of every way to deal the pool: cards one by one, each deal by the product of its factors."""
    counts = counts_of(POOL)

    @cache
    def factors(seat: int, rank: int) -> Array:
        x, found = np.zeros(INPUTS), np.zeros(HELD_AT_MOST)
        describe(QQ.tables, deal, evidence, (counts, len(POOL)), (0, seat, rank), x)
        factors_of((net.inner, net.outer), x, found)
        return found

    weights: defaultdict[tuple[int, ...], float] = defaultdict(float)
    for places in _ways(set(range(len(POOL))), sizes.tolist()):
        hands = [counts_of(POOL[list(hand)]) for hand in places]
        weight = 1.0
        for seat, hand in zip(BLIND.tolist(), hands, strict=True):
            for rank in np.flatnonzero(counts).tolist():
                weight *= float(factors(seat, rank)[hand[rank]])
        weights[tuple(np.concatenate(hands).tolist())] += weight
    return weights


def _ways(left: set[int], sizes: list[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to deal hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in combinations(sorted(left), sizes[0]):
        yield from ((hand, *others) for others in _ways(left - set(hand), sizes[1:]))


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("net", [flat_net(), a_net(1), a_net(2)], ids=["flat", "one", "other"])
def test_hands_are_drawn_as_often_as_all_ways_to_deal_them_weigh(net: Net, sizes: Array) -> None:
    deal, evidence = small_deal(sizes)
    counts = counts_of(POOL)
    shares, ahead = weigh_hands(QQ.tables, deal, evidence, (net.inner, net.outer), (counts, BLIND, sizes, 0))
    weights = slow_weights(deal, evidence, net, sizes)
    total = sum(weights.values())
    assert ahead[0, sizes[0], sizes[1], -1] == pytest.approx(total)
    drawn: Counter[tuple[int, ...]] = Counter()
    stream, pool, times = stream_of(b"draws"), np.sort(POOL), 20_000
    for _ in range(times):
        world = deal.copy()
        draw_hands(QQ.tables, world, pool, BLIND, (shares, ahead), stream)
        drawn[tuple(world[HELD + STRIDE : HELD + 4 * STRIDE].tolist())] += 1
    assert set(drawn) <= set(weights)
    for hands, weight in weights.items():
        expected = times * weight / total
        # Five standard errors of a count, and two draws.
        assert abs(drawn[hands] - expected) <= 5 * expected**0.5 + 2


def test_a_net_that_knows_nothing_leaves_the_chances_of_a_shuffle() -> None:
    found = by_chance(np.array([3, 8]), np.array([4, 27]), np.array([9, 81]))
    assert np.exp(found).sum(axis=1) == pytest.approx([1.0, 1.0])
    assert np.exp(found[0, 0]) == pytest.approx(5 * 4 * 3 / (9 * 8 * 7))


@pytest.mark.parametrize("id", RULESETS)
def test_worlds_agree_with_all_that_the_seat_knows(id: str) -> None:
    """Every card that it has not seen is dealt once, hands are as big as they are, what it sees stays."""
    ruleset = RULESETS[id]
    game, stream = game_of(ruleset.options), stream_of(b"worlds")
    for number in range(6):
        state = middle_of(ruleset, number)
        assert state.deal is not None
        seat = state.deal.turn
        view, evidence = DECIDER.observe(state, seat), no_evidence()
        deal = deal_seen(game, view, seat, evidence)
        hidden = hidden_from(game, view, seat, deal, evidence)
        for _ in range(5):
            _check_world(game, deal, hidden, stream)


def _check_world(game: Game, deal: Array, hidden: Hidden, stream: Any) -> None:
    world = deal.copy()
    sample_world(game.tables, world, hidden.arrays, stream)
    hands = world[HELD : HELD + 4 * STRIDE].reshape(4, STRIDE)
    blind = [seat for seat in hidden.blind.tolist() if seat >= 0]
    assert hands.sum(axis=1).tolist() == world[SIZE : SIZE + 4].tolist()
    dealt = hands[blind].sum(axis=0)
    unseen = counts_of(np.concatenate([hidden.pool, hidden.known[hidden.known >= 0]]))
    assert (dealt <= unseen).all()
    suits = np.array([int(mask).bit_count() for mask in world[MASKS : MASKS + 4 * STRIDE]]).reshape(4, STRIDE)
    if game.by_card:
        assert (suits[blind] == hands[blind]).all()


def evidence_of(*acts: str) -> Array:
    """What acts tell, seat by seat from 0 on; "" for a pass."""
    deal, evidence, spent = blank_deal(QQ), no_evidence(), np.zeros(64, dtype=np.int64)
    for seat in range(4):
        hold(QQ, deal, seat, full_deck(2, QQ.options.jokers)[seat::4])
    begin(QQ.tables, deal, 0)
    for text in acts:
        play = play_of(QQ, parse_cards(text)) if text else PASS
        note(QQ.tables, deal, play, evidence)
        act(QQ.tables, deal, play, spent)
    return evidence


def test_what_a_seat_lets_pass_and_beats_is_counted_by_rank() -> None:
    told = evidence_of("6c", "", "9c", "", "")
    six, nine, ten = rank_place("6c"), rank_place("9c"), rank_place("Tc")
    assert told[1, ten, PASSED] == told[1, nine, PASSED] == 1
    assert told[1, six, PASSED] == 0
    assert told[1, nine, NEARLY] == 1
    assert told[1, ten, NEARLY] == 0
    assert told[3, ten, PASSED] == 1
    assert told[3, nine, PASSED] == 0
    assert told[0, ten, MATE_PASSED] == 1
    assert told[0, ten, PASSED] == 0
    assert told[0, six, MADE] == told[2, nine, MADE] == 1
    assert told[0, rank_place("5c"), LED_OVER] == 1
    assert told[2, rank_place("8c"), SKIPPED] == 1
    assert not told[2, :, BOMBED : BOMBED + 3].any()


def rank_place(card: str) -> int:
    """Place of a card's rank in the rank order."""
    return place_of(QQ.table, parse_cards(card)[0])


@pytest.mark.parametrize("id", ["qq", "baibian", "easy52"])
def test_the_net_knows_more_than_chance_of_deals_that_it_has_not_seen(id: str) -> None:
    lesson = lesson_of(game_of(RULESETS[id].options), 20_000, "other deals")
    net = trained_net()
    assert bits_known(net, lesson) > 0.05
