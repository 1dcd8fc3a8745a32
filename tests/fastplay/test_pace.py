"""A search looks at the clock often enough, and begins nothing that would end too late."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from shuangkou.fastplay.guard import Pace

BUDGET = 0.020


@dataclass
class Hands:
    """A clock that moves only where it is moved, in seconds."""

    at: float = 0.0

    def __call__(self) -> float:
        return self.at


@pytest.mark.parametrize("rollout", [0.000005, 0.00003, 0.00027, 0.0015])
@pytest.mark.parametrize("acts", [2, 12])
def test_rollouts_end_in_time_whatever_they_cost(rollout: float, acts: int) -> None:
    hands = Hands()
    pace, played = Pace(hands), 0
    pace.begin()
    while pace.has_time(acts, BUDGET):
        count = pace.rounds(acts, 1000)
        hands.at += rollout * acts * count
        pace.took(acts * count)
        played += acts * count
    assert hands.at <= max(1.02 * BUDGET, acts * rollout)
    assert played * rollout > 0.75 * BUDGET or acts * rollout > BUDGET / 4


def test_time_that_is_over_is_none() -> None:
    pace = Pace(Hands(1.0))
    assert pace.begin() == 1.0
    assert not pace.has_time(1, 1.0)
    assert pace.rounds(2, 50) == 1
