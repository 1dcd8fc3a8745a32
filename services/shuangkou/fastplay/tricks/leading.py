"""Leads worth a thought (首出): units, safe throws, and the ends of every suit."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.acts import add_face, add_unit_act, blank_act, describe
from shuangkou.fastplay.tricks.desk import ONE, PART, UNSEEN
from shuangkou.fastplay.tricks.layout import HELD, LEFT, OUT, SUITED, TURN
from shuangkou.fastplay.tricks.tables import END, FACES, FIRST, PLACES, START, SUITS, THROWS
from shuangkou.fastplay.tricks.units import add_unit, decompose, highest_top

Array = npt.NDArray[Any]

LAST_UNIT = OUT + 4 * FACES
"""Where the units of a throw end."""


@kernel
def write_leads(t: Array, d: Array, w: Array) -> int:
    """Write leads worth a thought among the acts; how many there are."""
    number = 0
    for suit in range(SUITS):
        if d[SUITED + d[TURN] * SUITS + suit]:
            number = _write_suit(t, d, suit, w, number)
    return number


@kernel
def _write_suit(t: Array, d: Array, suit: int, w: Array, number: int) -> int:
    """The units of a suit as it is taken apart, and the highest set of a tractor alone; of the single cards
    the highest and the lowest; of what is part of a unit too. Then what may be thrown."""
    part, first, end = w[PART : PART + FACES], t[FIRST + suit], t[END + suit]
    part[:] = 0
    part[first:end] = d[HELD + d[TURN] * FACES + first : HELD + d[TURN] * FACES + end]
    units, one = w[OUT:LAST_UNIT], w[ONE : ONE + 4]
    count = decompose(t, suit, part, units, w[LEFT : LEFT + FACES])
    is_first = True
    for u in range(0, 4 * count, 4):
        copies, length, top, code = units[u], units[u + 1], units[u + 2], units[u + 3]
        if copies == 1 and not is_first and u < 4 * count - 4:
            continue
        is_first = is_first and copies > 1
        highest = t[START + suit * PLACES + top] + (code >> (2 * (length - 1)))
        if copies > 1 or length == 1:
            number = add_face(w, highest, copies, number)
        if length > 1:
            one[0], one[1], one[2], one[3] = copies, length, top, code
            number = add_unit_act(t, suit, one, w, number)
    low, high = -1, -1
    for slot in range(first, end):
        if part[slot]:
            low = slot if low < 0 else low
            high = slot
    if part[low] > 1:
        number = add_face(w, low, 1, number)
    if part[high] > 1 and high != low:
        number = add_face(w, high, 1, number)
    return _write_throw(t, suit, count, w, number) if t[THROWS] else number


@kernel
def _write_throw(t: Array, suit: int, count: int, w: Array, number: int) -> int:
    """The largest throw of a suit that nothing unseen beats; its cards are in PART, its units written."""
    cards, units, unseen = w[PART : PART + FACES], w[OUT:LAST_UNIT], w[UNSEEN : UNSEEN + FACES]
    is_beaten = count > 1
    while is_beaten:
        is_beaten = False
        copies, length, top = 0, 0, 0
        for u in range(0, 4 * count, 4):
            if units[u] != copies or units[u + 1] != length:
                copies, length = units[u], units[u + 1]
                top = highest_top(t, suit, unseen, copies, length)
            if top > units[u + 2]:
                is_beaten = True
                add_unit(t, suit, units[u : u + 4], cards, -1)
        if is_beaten:
            count = decompose(t, suit, cards, units, w[LEFT : LEFT + FACES])
    if count < 2:
        return number
    blank_act(w, number)[:] = cards
    return describe(w, number, (units[0], units[1], count, units[2]))
