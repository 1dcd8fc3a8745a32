"""When a search may overrule the rule policy: only on proof from samples that it did not choose by."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt

BOUND = 1.96
"""Standard errors on each side of a 95 % interval."""
_LEAST = 16
"""Samples before an interval is believed."""


_ROUND_SECONDS = 0.00025
"""How long rollouts may last without a look at the clock, if one of them is no longer."""
_MOST_ROUNDS = 8


@dataclass(slots=True)
class Pace:
    """How long rollouts take, so that none is begun that would end too late. rollout: seconds of one."""

    clock: Callable[[], float]
    now: float = 0.0
    rollout: float = 0.0

    def begin(self) -> float:
        """What time it is."""
        self.now = self.clock()
        return self.now

    def took(self, rollouts: int) -> None:
        """So many rollouts have ended just now."""
        began, self.now = self.now, self.clock()
        self.rollout = (self.now - began) / rollouts

    def has_time(self, rollouts: int, until: float) -> bool:
        """So many more would end by then, if they are like the last ones."""
        return self.now + rollouts * self.rollout < until

    def rounds(self, rollouts: int, most: int) -> int:
        """How often so many rollouts may be repeated until the next look at the clock."""
        if not self.rollout:
            return 1
        return max(1, min(most, _MOST_ROUNDS, int(_ROUND_SECONDS / (rollouts * self.rollout))))


@dataclass(slots=True)
class Gains:
    """What one act gained over another in worlds that were the same for both."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, gain: float) -> None:
        """One more world."""
        self.count += 1
        step = gain - self.mean
        self.mean += step / self.count
        self.squares += step * (gain - self.mean)

    @property
    def error(self) -> float:
        """Standard error of the mean, infinite for fewer than two worlds."""
        return sqrt(self.squares / (self.count - 1) / self.count) if self.count > 1 else inf

    @property
    def is_believed(self) -> bool:
        """There are enough worlds for an interval."""
        return self.count >= _LEAST

    def is_above(self, errors: float) -> bool:
        """The mean is more than so many standard errors above zero; with fewer than none, below it."""
        return self.mean > errors * self.error

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval, minus infinity before it is believed."""
        return self.mean - BOUND * self.error if self.count >= _LEAST else -inf

    @property
    def is_proven(self) -> bool:
        """The gain is above zero."""
        return self.low > 0
