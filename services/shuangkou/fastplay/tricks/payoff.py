"""The end of a deal: its score, and what that becomes (§7, §8), as `rules.tricks.settlement`."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.layout import (
    ATTACKERS,
    FINES,
    KITTY_POINTS,
    LAST_ALL,
    LAST_ANY,
    LAST_COPIES,
    LAST_LENGTH,
    LAST_POINTS,
    LAST_TRUMP,
    TAKEN,
    WINNER,
)
from shuangkou.fastplay.tricks.scores import COMPARED, COUNT, FIELDS, LASTS, PERIOD, RESULTS, UNIT_POINTS
from shuangkou.fastplay.tricks.tables import MOST_TIMES, TIMES, times_number
from shuangkou.rules.tricks.options import KittyMultiplier

Array = npt.NDArray[Any]

_NONE = times_number(KittyMultiplier.NONE)
_TWICE = times_number(KittyMultiplier.TWICE)
_DOUBLING = times_number(KittyMultiplier.DOUBLING)
_LINEAR = times_number(KittyMultiplier.LINEAR)
_CARDS = times_number(KittyMultiplier.CARDS)
_BY_TRUMP = times_number(KittyMultiplier.BY_TRUMP)
_LAST_TRICK = times_number(KittyMultiplier.LAST_TRICK)

MATCH_WON = 4
"""Where the settlement has the side that won the match: 1 for side 0, -1 for side 1; then the score."""
SCORE = 5
SETTLED = 6


@kernel
def multiplier(t: Array, copies: int, length: int, with_trump: int) -> int:
    """§7.3."""
    rule = t[TIMES]
    small = 2 if copies == 1 else 4
    if rule == _NONE:
        return 0
    if rule == _TWICE:
        times = 2
    elif rule == _DOUBLING:
        times = small << (length - 1)
    elif rule == _LINEAR:
        times = small * length
    elif rule == _CARDS:
        times = 1 << (copies * length)
    elif rule == _BY_TRUMP:
        times = 1 << (length if with_trump else length - 1)
    else:
        times = 8 if length > 1 else small
    return min(times, t[MOST_TIMES]) if t[MOST_TIMES] else times


@kernel
def score_of(t: Array, d: Array) -> int:
    """§7.1, of a deal that is over; the points of the last trick once more where they are multiplied."""
    attackers = d[ATTACKERS]
    score = d[TAKEN + attackers] + d[FINES + 1 - attackers] - d[FINES + attackers]
    if d[WINNER] & 1 == attackers and t[TIMES] != _NONE:
        times = multiplier(t, d[LAST_COPIES], d[LAST_LENGTH], d[LAST_TRUMP])
        score += (times - 1) * d[LAST_POINTS] if t[TIMES] == _LAST_TRICK else times * d[KITTY_POINTS]
    return max(0, score)


@kernel
def _results_at(t: Array, s: Array, d: Array, score: int) -> int:
    """Where the results begin of deals that end like this one, whatever their score."""
    attackers = d[ATTACKERS]
    is_theirs = d[WINNER] & 1 == attackers
    last, row = 0, 0
    if d[LAST_ALL]:
        last = 3 if is_theirs else 2
    elif d[LAST_ANY] and not is_theirs:
        last = 1
    if s[COMPARED]:
        is_captured = is_theirs and t[TIMES] != _NONE
        own = d[TAKEN + 1 - attackers] + (0 if is_captured else d[KITTY_POINTS])
        row = 0 if own == score else (1 if own > score else 2)
    return s[LASTS + last] + FIELDS * row * s[COUNT]


@kernel
def settle(t: Array, s: Array, d: Array, out: Array) -> None:
    """Write the points by seat of a deal that is over, who won the match, and the score."""
    attackers, score = d[ATTACKERS], score_of(t, d)
    at, beyond = score // s[UNIT_POINTS], 0
    if at >= s[COUNT]:
        beyond = (at - s[COUNT]) // s[PERIOD] + 1
        at -= beyond * s[PERIOD]
    start = _results_at(t, s, d, score)
    found, end = start + FIELDS * at, start + FIELDS * (s[COUNT] - 1)
    for side in range(2):
        rise = s[end + side] - s[end - FIELDS * s[PERIOD] + side]
        points = s[found + side] + beyond * rise
        out[1 - attackers if side == 0 else attackers] = points
        out[3 - attackers if side == 0 else 2 + attackers] = points
    out[MATCH_WON] = s[found + 3] * (1 if attackers == 1 else -1)
    out[SCORE] = score


@kernel
def worth(t: Array, s: Array, values: Array, d: Array) -> float:
    """What a deal that is over is worth to its attacking side, by `values_of`."""
    score = score_of(t, d)
    row = (_results_at(t, s, d, score) - RESULTS) // (FIELDS * s[COUNT])
    value: float = values[row, min(score // s[UNIT_POINTS], s[COUNT] - 1)]
    return value
