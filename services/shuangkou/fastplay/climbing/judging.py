"""How likely plays are to win their trick, from the cards that have not been seen."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.bits import lowest_bit
from shuangkou.fastplay.climbing.desk import (
    AFTER_PASS,
    CHANCES,
    CONTROL,
    IN_KIND,
    MEMORY,
    MOST_HELD,
    POSSIBLE,
    TAILS,
    UNSEEN,
    WITH_BOMB,
)
from shuangkou.fastplay.climbing.layout import GONE, HELD, PASSED, SIZE
from shuangkou.fastplay.climbing.tables import (
    BY_CARD,
    CHAIN,
    COUNTS_OF,
    DECK,
    FITS,
    IS_BOMB,
    OPEN_HANDS,
    PARTNERS,
    PARTS,
    PLACES_OF,
    PLAY_COUNT,
    RANKS,
    SIZES,
    STRIDE,
    VALUES,
    WORDS,
)
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]

_RECIPROCALS = (0.0, *(1 / number for number in range(1, MOST_HELD + 1)))
"""A product is far cheaper than a quotient."""


@kernel
def look(t: Array, d: Array, seat: int, x: Array, n: Array) -> int:
    """Count the cards that may be anywhere, as the seat remembers, by rank in UNSEEN; how many in all."""
    total = 0
    for rank in range(t[RANKS]):
        unseen = t[t[DECK] + rank] - d[HELD + seat * STRIDE + rank]
        if x[MEMORY] > 0.0:
            unseen -= d[GONE + rank]
        if t[OPEN_HANDS]:
            unseen -= d[HELD + (seat ^ 2) * STRIDE + rank]
        n[UNSEEN + rank] = unseen
        total += unseen
    return total


@kernel
def is_rival(t: Array, d: Array, seat: int, other: int) -> bool:
    """It holds cards and plays against the seat."""
    return other != seat and d[SIZE + other] > 0 and not (t[PARTNERS] and other == seat ^ 2)


@kernel
def _tails(t: Array, x: Array, n: Array, share: float) -> None:
    """Write the chances that at least 0, 1, 2, … of the unseen cards of each rank are among this share of
    all."""
    rest = 1.0 - share
    ratio = share / rest if rest > 0.0 else 0.0
    for rank in range(t[RANKS]):
        cards, tails = n[UNSEEN + rank], TAILS + rank * MOST_HELD
        left, term = 1.0, 1.0
        for _ in range(cards):
            term *= rest
        x[tails : tails + MOST_HELD] = 0.0
        for need in range(min(cards + 1, MOST_HELD)):
            x[tails + need] = 1.0 if rest <= 0.0 else max(0.0, left)
            left -= term
            term *= ratio * (cards - need) * _RECIPROCALS[need + 1]


@kernel
def judge(t: Array, d: Array, seat: int, x: Array, n: Array) -> None:
    """Write the chances of all plays, as the seat sees the deal, and their costs."""
    _expect(t, d, seat, x, n)
    plays = t[PLAY_COUNT]
    expected, costs, at = CHANCES + 2 * plays, CHANCES + plays, t[CHAIN]
    for _ in range(plays):
        play, base, more = t[at], t[at + 1], t[at + 2]
        chance = 1.0 if base < 0 else x[CHANCES + base]
        at += 3
        for place in range(at, at + more):
            chance *= x[expected + t[place]]
        at += more
        x[CHANCES + play] = chance
        x[costs + play] = 1.0 - (1.0 + x[CONTROL]) * chance


@kernel
def _expect(t: Array, d: Array, seat: int, x: Array, n: Array) -> None:
    """Write how likely no rival holds each play and uses it."""
    total, plays, words = look(t, d, seat, x, n), t[PLAY_COUNT], t[WORDS]
    _find_possible(t, n)
    expected = CHANCES + 2 * plays
    x[expected : expected + plays] = 1.0
    for other in range(4):
        if not is_rival(t, d, seat, other) or not total:
            continue
        size = d[SIZE + other]
        in_kind = x[IN_KIND] * (x[AFTER_PASS] if d[PASSED] >> other & 1 else 1.0)
        _tails(t, x, n, min(1.0, size / total))
        for word in range(words):
            members = n[POSSIBLE + word]
            while members:
                play = word * 64 + lowest_bit(members)
                members &= members - 1
                held = _held(t, x, play, size)
                if held > 1e-4:
                    x[expected + play] *= 1.0 - held * (x[WITH_BOMB] if t[t[IS_BOMB] + play] else in_kind)


@kernel
def _find_possible(t: Array, n: Array) -> None:
    """Write which plays the unseen cards could make; every play where suits count."""
    plays, words = t[PLAY_COUNT], t[WORDS]
    for word in range(words):
        rest = plays - word * 64
        possible = np.int64(-1) if rest >= 64 else (np.int64(1) << rest) - 1
        if not t[BY_CARD]:
            for rank in range(t[RANKS]):
                possible &= t[t[FITS] + (rank * t[VALUES] + max(0, n[UNSEEN + rank])) * words + word]
        n[POSSIBLE + word] = possible


@kernel
def _held(t: Array, x: Array, play: int, size: int) -> float:
    """The chance that a hand of this size holds the play."""
    if t[t[SIZES] + play] > size:
        return 0.0
    held = 1.0
    for part in range(t[t[PARTS] + play]):
        at = play * STRIDE + part
        held *= x[TAILS + t[t[PLACES_OF] + at] * MOST_HELD + t[t[COUNTS_OF] + at]]
        if held < 1e-4:
            return 0.0
    return held
