"""95 % intervals of what was measured on deals, honest for few deals as well.

Means have Student's t. Shares have Wilson's interval, which stays within 0 and 1 and has a width even where
every deal went the same way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

Z = 1.959964
"""Standard errors on each side of a 95 % interval, where the error itself is known."""
_T_OF_FEW = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)
"""The same by degrees of freedom, from 1 on, where it is estimated."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A mean over deals with its 95 % interval."""

    mean: float
    low: float
    high: float
    deals: int

    def __str__(self) -> str:
        return f"{self.mean:+.4f} [{self.low:+.4f}, {self.high:+.4f}] over {self.deals} deals"

    @property
    def has_no_width(self) -> bool:
        """Every deal brought the same, so that nothing is known of how far deals lie apart."""
        return self.low == self.high


def student_t(freedom: int) -> float:
    """Standard errors on each side of a 95 % interval with so many degrees of freedom, 1 at least."""
    if freedom <= len(_T_OF_FEW):
        return _T_OF_FEW[freedom - 1]
    z, n = Z, float(freedom)
    # Cornish and Fisher's expansion in 1 / n (Abramowitz and Stegun 26.7.5).
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3


def mean_of(values: Sequence[float]) -> Measurement:
    """The mean of one number for each deal; ValueError for fewer than two."""
    count = len(values)
    if count < 2:
        raise ValueError("an interval needs at least two deals")
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    margin = student_t(count - 1) * sqrt(variance / count)
    return Measurement(mean, mean - margin, mean + margin, count)


def share_of(values: Sequence[float]) -> Measurement:
    """The mean of one share for each deal, each from 0 to 1; ValueError for fewer than two.

    Wilson's interval, for as many deals of all or nothing as would tell what these tell: halves lie closer
    together, so that they count for more. How close is estimated with one deal won and one lost added.
    """
    count = len(values)
    if count < 2:
        raise ValueError("an interval needs at least two deals")
    mean = sum(values) / count
    told = count * _variance_of_all_or_nothing(values) / _variance(values)
    centre = (mean + Z * Z / (2 * told)) / (1 + Z * Z / told)
    reach = Z / (1 + Z * Z / told) * sqrt(mean * (1 - mean) / told + (Z / (2 * told)) ** 2)
    return Measurement(mean, max(0.0, min(mean, centre - reach)), min(1.0, max(mean, centre + reach)), count)


def _variance_of_all_or_nothing(values: Sequence[float]) -> float:
    mean = (sum(values) + 1) / (len(values) + 2)
    return mean * (1 - mean)


def _variance(values: Sequence[float]) -> float:
    with_both = (*values, 0.0, 1.0)
    mean = sum(with_both) / len(with_both)
    return sum((value - mean) ** 2 for value in with_both) / len(with_both)
