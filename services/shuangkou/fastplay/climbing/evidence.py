"""What a seat's acts tell about the cards that it still holds, counted by rank as the deal goes on."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.climbing.layout import FLUSH, PASS, TOP, TOP_SEAT, TURN
from shuangkou.fastplay.climbing.tables import (
    COUNTS_OF,
    IS_BOMB,
    PARTNERS,
    PARTS,
    PLACES_OF,
    RANKS,
    STRIDE,
)
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]

PASSED, NEARLY, SKIPPED, LED_OVER, BOMBED, MADE = 0, 3, 6, 9, 12, 15
"""By size of the set, one to three cards (MADE: to four and more). PASSED: times that the seat let a rival's
lower set pass; NEARLY: those at most three ranks lower. SKIPPED: times that it beat a lower set by a higher
one than this rank. LED_OVER: higher sets that it led. BOMBED: lower sets of rivals that it bombed. MADE: sets
of this rank that it played."""
RUNS, MATE_PASSED, RUN_PASSED, BOMB_PASSED = 19, 20, 21, 22
"""RUNS: runs and chains that it played with this rank in it. MATE_PASSED: lower sets of its partner that it
let pass. RUN_PASSED, BOMB_PASSED: runs and chains, and bombs, of rivals that it let pass, whatever the rank.
"""
COUNTED = 23
_NEAR = 3


def no_evidence() -> Array:
    """[4, STRIDE, COUNTED] by seat and rank, before any act."""
    return np.zeros((4, STRIDE, COUNTED), dtype=np.float64)


@kernel
def note(t: Array, d: Array, play: int, evidence: Array) -> None:
    """Count what the act of the seat to act tells; `d` is the deal before it."""
    seat = evidence[d[TURN]]
    if play == PASS:
        _note_pass(t, d, seat)
        return
    if play >= FLUSH:
        return
    if t[t[PARTS] + play] > 1:
        for part in range(t[t[PARTS] + play]):
            seat[t[t[PLACES_OF] + play * STRIDE + part], RUNS] += 1.0
        return
    rank, size = t[t[PLACES_OF] + play * STRIDE], t[t[COUNTS_OF] + play * STRIDE]
    seat[rank, MADE + min(size, 4) - 1] += 1.0
    top = d[TOP]
    if top == PASS:
        if size <= 3 and not t[t[IS_BOMB] + play]:
            for lower in range(rank):
                seat[lower, LED_OVER + size - 1] += 1.0
        return
    beaten = _set_of(t, top)
    if beaten < 0:
        return
    beaten_rank = t[t[PLACES_OF] + top * STRIDE]
    if t[t[IS_BOMB] + play]:
        for higher in range(beaten_rank + 1, t[RANKS]):
            seat[higher, BOMBED + beaten - 1] += 1.0
    elif size == beaten:
        for between in range(beaten_rank + 1, rank):
            seat[between, SKIPPED + size - 1] += 1.0


@kernel
def _note_pass(t: Array, d: Array, seat: Array) -> None:
    top = d[TOP]
    if top == PASS or top >= FLUSH:
        return
    is_mate = t[PARTNERS] and d[TOP_SEAT] == d[TURN] ^ 2
    size = _set_of(t, top)
    if size < 0:
        if not is_mate:
            seat[:, BOMB_PASSED if t[t[IS_BOMB] + top] else RUN_PASSED] += 1.0
        return
    rank = t[t[PLACES_OF] + top * STRIDE]
    for higher in range(rank + 1, t[RANKS]):
        if is_mate:
            seat[higher, MATE_PASSED] += 1.0
            continue
        seat[higher, PASSED + size - 1] += 1.0
        if higher - rank <= _NEAR:
            seat[higher, NEARLY + size - 1] += 1.0


@kernel
def _set_of(t: Array, play: int) -> int:
    """How many equal cards a play is that is no bomb; -1 for any other."""
    if play >= FLUSH or t[t[PARTS] + play] > 1 or t[t[IS_BOMB] + play]:
        return -1
    size = t[t[COUNTS_OF] + play * STRIDE]
    return size if size <= 3 else -1
