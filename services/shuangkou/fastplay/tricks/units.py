"""Units, and what can be cut out of a holding side by side (§5, §6.6), as `rules.tricks.packing` does it."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.layout import (
    CUT_AT,
    CUT_LEFT,
    CUT_SLOT,
    CUT_UNIT,
    MOST_UNITS,
    PLAN,
    PLAN_UNITS,
)
from shuangkou.fastplay.tricks.tables import END, FACES, FIRST, LENGTH, PLACES, START, STOP

Array = npt.NDArray[Any]


@kernel
def holds_at(t: Array, counts: Array, at: int, copies: int) -> bool:
    """Whether a face has so many copies at a place; at: suit * PLACES + place."""
    is_held = False
    for slot in range(t[START + at], t[STOP + at]):
        is_held |= counts[slot] >= copies
    return is_held


@kernel
def next_top(t: Array, suit: int, counts: Array, shape: tuple[int, int], above: int) -> int:
    """The lowest top above a place that a unit of these copies and places can have, 0 for none."""
    copies, length = shape
    run = 0
    for place in range(max(0, above - length + 2), t[LENGTH + suit]):
        run = run + 1 if holds_at(t, counts, suit * PLACES + place, copies) else 0
        if run >= length and place > max(0, above):
            return place
    return 0


@kernel
def highest_top(t: Array, suit: int, counts: Array, copies: int, length: int) -> int:
    """The highest top that a unit of these copies and places can have, 0 for none."""
    run = 0
    for place in range(t[LENGTH + suit] - 1, -1, -1):
        run = run + 1 if holds_at(t, counts, suit * PLACES + place, copies) else 0
        if run >= length and place + length - 1 > 0:
            return place + length - 1
    return 0


@kernel
def unit_code(t: Array, suit: int, counts: Array, shape: tuple[int, int], top: int) -> int:
    """Which face of each place a unit takes, the first that will do; four choices a place, the top last."""
    copies, length = shape
    code, weight = 0, 1
    for place in range(top - length + 1, top + 1):
        at = suit * PLACES + place
        for slot in range(t[START + at], t[STOP + at]):
            if counts[slot] >= copies:
                code += weight * (slot - t[START + at])
                break
        weight *= 4
    return code


@kernel
def add_unit(t: Array, suit: int, unit: Array, into: Array, times: int) -> None:
    """The cards of a unit come to these counts, so many times as often."""
    code = unit[3]
    for place in range(unit[2] - unit[1] + 1, unit[2] + 1):
        into[t[START + suit * PLACES + place] + (code & 3)] += times * unit[0]
        code >>= 2


@kernel
def _largest(t: Array, suit: int, counts: Array, unit: Array) -> bool:
    """The largest unit of at least two copies; of equal ones that of more copies, then the higher."""
    most, size = 0, 0
    for slot in range(t[FIRST + suit], t[END + suit]):
        most = max(most, counts[slot])
    length = t[LENGTH + suit]
    for copies in range(most, 1, -1):
        low = -1
        for place in range(length + 1):
            is_held = place < length and holds_at(t, counts, suit * PLACES + place, copies)
            if is_held and low < 0:
                low = place
            elif not is_held and low >= 0:
                high = place - 1
                if low == 0 and high == length - 1:
                    low = 1
                row = high - low + 1
                here = copies * row
                is_more = here == size and (copies > unit[0] or (copies == unit[0] and high > unit[2]))
                if here > size or is_more:
                    size = here
                    unit[0], unit[1], unit[2] = copies, row, high
                low = -1
    if size:
        unit[3] = unit_code(t, suit, counts, (unit[0], unit[1]), unit[2])
    return size > 0


@kernel
def decompose(t: Array, suit: int, counts: Array, units: Array, left: Array) -> int:
    """§5.7: write the units of cards of one effective suit, the largest first; how many they are."""
    number, total = 0, 0
    for slot in range(t[FIRST + suit], t[END + suit]):
        left[slot] = counts[slot]
        total += counts[slot] > 1
    while total and _largest(t, suit, left, units[4 * number : 4 * number + 4]):
        add_unit(t, suit, units[4 * number : 4 * number + 4], left, -1)
        number += 1
    for place in range(t[LENGTH + suit] - 1, 0, -1):
        at = suit * PLACES + place
        for slot in range(t[START + at], t[STOP + at]):
            for _ in range(left[slot]):
                u = 4 * number
                units[u], units[u + 1], units[u + 2] = 1, 1, place
                units[u + 3] = slot - t[START + at]
                number += 1
    return number


@kernel
def _has_sets(t: Array, suit: int, left: Array, w: Array) -> bool:
    """Whether sets of four, three and two are left side by side; a set of three is taken of three first."""
    fours, threes, pairs = 0, 0, 0
    for slot in range(t[FIRST + suit], t[END + suit]):
        fours += left[slot] >= 4
        threes += left[slot] == 3
        pairs += left[slot] // 2
    quads, triples = w[PLAN + 2], w[PLAN + 3]
    if fours < quads or fours - quads + threes < triples:
        return False
    of_four = max(0, triples - threes)
    return pairs - 2 * quads - (triples - of_four) - 2 * of_four >= w[PLAN + 4]


@kernel
def _next_face(t: Array, suit: int, left: Array, w: Array, k: int) -> bool:
    """Move frame k of a cut on to its next face; False where there is none."""
    u = w[CUT_UNIT + k] // FACES
    copies, length = w[PLAN_UNITS + 2 * u], w[PLAN_UNITS + 2 * u + 1]
    is_bound = w[CUT_UNIT + k] % FACES > 0 or (u == 0 and w[PLAN + 1] >= 0)
    place, slot = w[CUT_AT + k], w[CUT_SLOT + k] + 1
    step = -1 if w[PLAN + 5] else 1
    while True:
        at = suit * PLACES + place
        for face in range(max(slot, t[START + at]), t[STOP + at]):
            if left[face] >= copies:
                w[CUT_AT + k], w[CUT_SLOT + k] = place, face
                left[face] -= copies
                return True
        place += step
        slot = 0
        if is_bound or place < 0 or place + length > t[LENGTH + suit]:
            return False


@kernel
def _begin_frame(t: Array, suit: int, w: Array, k: int) -> None:
    """Where frame k of a cut begins to look."""
    u, offset = w[CUT_UNIT + k] // FACES, w[CUT_UNIT + k] % FACES
    shape = PLAN_UNITS + 2 * u
    w[CUT_SLOT + k] = -1
    if offset:
        w[CUT_AT + k] = w[CUT_AT + k - 1] + 1
    elif u == 0 and w[PLAN + 1] >= 0:
        w[CUT_AT + k] = w[PLAN + 1] - w[shape + 1] + 1
    elif u > 0 and w[shape] == w[shape - 2] and w[shape + 1] == w[shape - 1] and (u > 1 or w[PLAN + 1] < 0):
        w[CUT_AT + k] = w[CUT_AT + k - w[shape + 1]]
    elif w[PLAN + 5]:
        w[CUT_AT + k] = t[LENGTH + suit] - w[shape + 1]
    else:
        w[CUT_AT + k] = 0


@kernel
def can_cut(t: Array, suit: int, counts: Array, w: Array) -> bool:
    """Whether the plan can be cut out of these counts; then CUT_LEFT holds what is left over.

    Every unit is tried at every place, of equal ones in one order.
    """
    left, frames = w[CUT_LEFT : CUT_LEFT + FACES], 0
    for slot in range(t[FIRST + suit], t[END + suit]):
        left[slot] = counts[slot]
    for u in range(w[PLAN]):
        for offset in range(w[PLAN_UNITS + 2 * u + 1]):
            w[CUT_UNIT + frames] = u * FACES + offset
            frames += 1
    if not frames:
        return _has_sets(t, suit, left, w)
    k = 0
    _begin_frame(t, suit, w, 0)
    while k >= 0:
        if w[CUT_SLOT + k] >= 0:
            left[w[CUT_SLOT + k]] += w[PLAN_UNITS + 2 * (w[CUT_UNIT + k] // FACES)]
        if not _next_face(t, suit, left, w, k):
            k -= 1
        elif k == frames - 1:
            if _has_sets(t, suit, left, w):
                return True
        else:
            k += 1
            _begin_frame(t, suit, w, k)
    return False


@kernel
def plan_nothing(w: Array) -> None:
    """An empty plan."""
    w[PLAN], w[PLAN + 1] = 0, -1
    w[PLAN + 2], w[PLAN + 3], w[PLAN + 4], w[PLAN + 5] = 0, 0, 0, 0


@kernel
def plan_unit(w: Array, copies: int, length: int) -> None:
    """One unit more in the plan; sets of one place are counted only."""
    if length > 1:
        w[PLAN_UNITS + 2 * w[PLAN]], w[PLAN_UNITS + 2 * w[PLAN] + 1] = copies, length
        w[PLAN] += 1
    elif copies > 1:
        w[PLAN + 6 - copies] += 1


@kernel
def best_top(t: Array, suit: int, counts: Array, units: Array, number: int, w: Array) -> int:
    """The highest top of a unit of the first shape beside which the others can be cut out, 0 for none."""
    copies, length = units[0], units[1]
    plan_nothing(w)
    w[PLAN], w[PLAN_UNITS], w[PLAN_UNITS + 1] = 1, copies, length
    for other in range(1, number):
        plan_unit(w, units[4 * other], units[4 * other + 1])
    top = highest_top(t, suit, counts, copies, length)
    while top > 0:
        w[PLAN + 1] = top
        if can_cut(t, suit, counts, w):
            return top
        top -= 1
    return 0


assert 2 * MOST_UNITS >= FACES
