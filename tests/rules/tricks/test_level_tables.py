"""What a deal is worth in levels (§8.1, §8.2)."""

from itertools import pairwise

import pytest

from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.level_tables import Gain, gain
from shuangkou.rules.tricks.options import Scoring, TricksOptions

SCORES = range(0, 505, 5)
BY_LEVELS = [id for id in available("tricks") if load(id).options.scoring is Scoring.LEVELS]


def options(id: str) -> TricksOptions:
    chosen = load(id).options
    assert isinstance(chosen, TricksOptions)
    return chosen


@pytest.mark.parametrize(
    ("id", "held", "taken"),
    [
        ("multi2", "0 3, 5 2, 35 2, 40 1, 75 1", "80 0, 115 0, 120 1, 160 2, 200 3, 240 4"),
        ("multi1", "0 3, 5 2, 15 2, 20 1, 35 1", "40 0, 60 1, 80 2, 100 3"),
        ("multi3", "0 3, 55 2, 60 1, 115 1", "120 0, 175 0, 180 1, 240 2"),
        ("sheng_nokitty4", "0 3, 75 2, 80 1, 155 1", "160 0, 235 0, 240 1, 320 2"),
        ("sheng_super", "0 6, 5 4, 35 4, 40 2, 75 2", "80 0, 120 1, 200 3"),
        ("capped60", "0 8, 5 8, 15 7, 25 6, 45 4, 70 1, 75 1", "80 0, 85 0, 90 1, 115 3, 200 12"),
        ("hook60", "0 3, 35 2, 75 1", "80 0, 120 0, 125 1, 160 1, 165 2, 195 2, 200 3, 400 3"),
        ("single54", "0 3, 5 1, 35 1", "40 1, 55 1, 60 2, 75 2, 80 3, 100 4"),
    ],
)
def test_the_tables_of_the_games(id: str, held: str, taken: str) -> None:
    """§8.1 and the sections of the games."""
    for line in held.split(", "):
        points, up = map(int, line.split())
        assert gain(options(id), points) == Gain(up, 0, deal_passes=False)
    for line in taken.split(", "):
        points, up = map(int, line.split())
        assert gain(options(id), points) == Gain(0, up, deal_passes=True)


@pytest.mark.parametrize("id", BY_LEVELS)
def test_more_points_never_earn_attackers_less(id: str) -> None:
    """§8.1: from a shut-out to the last line there is one order of results."""
    worth = [gain(options(id), score) for score in SCORES]
    for less, more in pairwise(worth):
        assert more.declarers_up <= less.declarers_up
        assert more.attackers_up >= less.attackers_up
        assert more.deal_passes >= less.deal_passes


@pytest.mark.parametrize("id", BY_LEVELS)
def test_only_one_side_gains(id: str) -> None:
    """§8.1: who holds the deal goes up at least one level."""
    for score in SCORES:
        earned = gain(options(id), score)
        assert earned.deal_passes == (earned.declarers_up == 0)
        assert earned.deal_passes or earned.attackers_up == 0


@pytest.mark.parametrize("id", BY_LEVELS)
def test_less_than_nothing_counts_as_nothing(id: str) -> None:
    """§7.1."""
    assert gain(options(id), -40) == gain(options(id), 0)


@pytest.mark.parametrize("score", SCORES)
def test_the_higher_total_rises(score: int) -> None:
    """§8.2."""
    basic = options("sheng_basic")
    assert gain(basic, score, score + 5) == Gain(1, 0, deal_passes=False)
    assert gain(basic, score, score) == Gain(0, 0, deal_passes=False)
    assert gain(basic, score + 5, score) == Gain(0, 1, deal_passes=True)
