"""When a search may overrule the rule policy: only on proof from samples that it did not choose by."""

from dataclasses import dataclass
from math import inf, sqrt

BOUND = 1.96
"""Standard errors on each side of a 95 % interval."""
_LEAST = 16
"""Samples before an interval is believed."""


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
    def high(self) -> float:
        """Upper end of it."""
        return self.mean + BOUND * self.error if self.count >= _LEAST else inf

    @property
    def is_proven(self) -> bool:
        """The gain is above zero."""
        return self.low > 0

    @property
    def is_hopeless(self) -> bool:
        """The gain is at most zero, as good as surely: more worlds would be wasted."""
        return self.high <= 0 or (self.count >= _LEAST and self.squares == 0 and self.mean <= 0)
