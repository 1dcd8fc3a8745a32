"""How likely plays are to win their trick, from the cards that have not been seen."""

from math import exp, log1p
from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.bits import lowest_bit
from shuangkou.fastplay.climbing.desk import (
    AFTER_PASS,
    CHANCES,
    CONTROL,
    IN_KIND,
    MEMORY,
    MOST_HELD,
    TAILS,
    UNSEEN,
    WITH_BOMB,
)
from shuangkou.fastplay.climbing.layout import CAN, GONE, HELD, PASSED, SIZE
from shuangkou.fastplay.climbing.tables import (
    BEATERS,
    BY_CARD,
    COUNTS_OF,
    DECK,
    IS_BOMB,
    OPEN_HANDS,
    PARTNERS,
    PARTS,
    PLACES_OF,
    PLAY_COUNT,
    RANKS,
    SIZES,
    STRIDE,
    WORDS,
)
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]


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
    for rank in range(t[RANKS]):
        cards, tails = n[UNSEEN + rank], TAILS + rank * MOST_HELD
        left, term = 1.0, (1.0 - share) ** cards
        for need in range(MOST_HELD):
            x[tails + need] = 0.0 if need > cards else (1.0 if share >= 1.0 else max(0.0, left))
            left -= term
            if share < 1.0:
                term *= (cards - need) / (need + 1) * share / (1.0 - share)


@kernel
def judge(t: Array, d: Array, seat: int, x: Array, n: Array, every: bool) -> None:
    """Write the chances of the plays that the seat could lead, or of every play, and their costs.

    Of every play where suits count: plans are made with one reading of each, which the seat may not hold.
    """
    _expect(t, d, seat, x, n)
    plays, words = t[PLAY_COUNT], t[WORDS]
    expected, costs = CHANCES + 2 * plays, CHANCES + plays
    for play in range(plays):
        if not every and not t[BY_CARD] and not d[CAN + seat * words + (play >> 6)] >> (play & 63) & 1:
            continue
        x[CHANCES + play] = chance_of(t, x, play, expected)
        x[costs + play] = 1.0 - (1.0 + x[CONTROL]) * x[CHANCES + play]


@kernel
def chance_of(t: Array, x: Array, play: int, expected: int) -> float:
    """That no rival beats the play."""
    beaten, words = 0.0, t[WORDS]
    for word in range(words):
        members = t[t[BEATERS] + play * words + word]
        while members:
            beaten += x[expected + word * 64 + lowest_bit(members)]
            members &= members - 1
    return exp(beaten)


@kernel
def _expect(t: Array, d: Array, seat: int, x: Array, n: Array) -> None:
    """Write how likely rivals hold each play and use it, as the logarithm of the chance that they do not."""
    total, plays = look(t, d, seat, x, n), t[PLAY_COUNT]
    expected = CHANCES + 2 * plays
    x[expected : expected + plays] = 0.0
    for other in range(4):
        if not is_rival(t, d, seat, other) or not total:
            continue
        size = d[SIZE + other]
        share = min(1.0, size / total)
        in_kind = x[IN_KIND] * (x[AFTER_PASS] if d[PASSED] >> other & 1 else 1.0)
        _tails(t, x, n, share)
        for play in range(plays):
            held = _held(t, x, play, size)
            if held > 1e-4:
                willing = x[WITH_BOMB] if t[t[IS_BOMB] + play] else in_kind
                x[expected + play] += log1p(-willing * held)


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
