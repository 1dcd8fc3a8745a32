"""Small points into big points and match points (§8.3, §8.7)."""

from itertools import pairwise

import pytest

from shuangkou.rules.tricks.conversion import MatchPoints, big_points, match_points

SCORES = range(0, 505, 5)
BANDS = (0, *range(35, 505, 40))
"""The last score of each band of levels: 0, 5-35, 40-75, 80-115 and so on."""


def counted(score: int) -> int:
    """From 80 up and from 75 down, one for every five points and four for every band that is left."""
    worth, at = (2, 80) if score >= 80 else (-2, 75)
    while at != score:
        step = 5 if at < score else -5
        leaves_band = (at if step > 0 else at - 5) in BANDS
        worth += (1 + 4 * leaves_band) * (1 if step > 0 else -1)
        at += step
    return worth


@pytest.mark.parametrize("score", SCORES)
def test_the_formula_counts_steps_and_bands(score: int) -> None:
    """§8.3."""
    assert big_points(score) == counted(score)


def test_more_points_are_always_worth_more() -> None:
    """§8.3; 75 and 80 lie as far from nothing."""
    assert all(big_points(more) > big_points(less) for less, more in pairwise(SCORES))
    assert (big_points(75), big_points(80)) == (-2, 2)


def test_less_than_nothing_counts_as_nothing() -> None:
    """§7.1."""
    assert big_points(-30) == big_points(0) == -25
    assert match_points(-30) == match_points(0) == MatchPoints(0, 10)


@pytest.mark.parametrize("score", SCORES)
def test_match_points_are_two_for_each_twenty_beyond_a_hundred(score: int) -> None:
    """§8.7: one side at the most gets any."""
    above = len(range(120, score + 1, 20))
    below = len(range(score, 81, 20))
    assert match_points(score) == MatchPoints(2 * above, 2 * below)
    assert 0 in (above, below)
