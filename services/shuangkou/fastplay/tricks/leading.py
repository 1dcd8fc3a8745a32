"""Leading (首出): winners that are known, safe throws, trumps drawn from the others, else what is cheap."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.desk import ACTS, MOST_ACTS, ONE, PART, UNSEEN, WORTHS
from shuangkou.fastplay.tricks.layout import HELD, LEFT, OUT, SUITED, TURN
from shuangkou.fastplay.tricks.odds import Case, cost, face_cost, lead_bonus, points_in, worth
from shuangkou.fastplay.tricks.tables import (
    END,
    FACES,
    FIRST,
    PLACE,
    PLACES,
    POINTS,
    START,
    SUIT,
    SUITS,
    THROWS,
)
from shuangkou.fastplay.tricks.units import add_unit, decompose, highest_top

Array = npt.NDArray[Any]

LAST_UNIT = OUT + 4 * FACES
"""Where the units of a throw end."""


@kernel
def weigh_leads(t: Array, d: Array, x: Array, w: Array) -> int:
    """Write leads worth a thought and what each is worth; how many there are."""
    number = 0
    for suit in range(SUITS):
        if d[SUITED + d[TURN] * SUITS + suit]:
            number = _weigh_suit(t, d, suit, (x, w), number)
            if t[THROWS]:
                number = _weigh_throw(t, d, suit, (x, w), number)
    return number


@kernel
def _weigh_suit(t: Array, d: Array, suit: int, desk: tuple[Array, Array], number: int) -> int:
    """The units of a suit as it is taken apart, of the single cards the highest and the lowest; and of what
    is part of a unit the highest and the lowest card alone."""
    _, w = desk
    part, first, end = w[PART : PART + FACES], t[FIRST + suit], t[END + suit]
    part[:] = 0
    part[first:end] = d[HELD + d[TURN] * FACES + first : HELD + d[TURN] * FACES + end]
    units = w[OUT:LAST_UNIT]
    count = decompose(t, suit, part, units, w[LEFT : LEFT + FACES])
    low, high, is_first = -1, -1, True
    for u in range(0, 4 * count, 4):
        is_last = u == 4 * count - 4
        if units[u] > 1 or is_first or is_last:
            is_first = is_first and units[u] > 1
            number = _weigh_unit(t, d, suit, units[u : u + 4], desk, number)
        if units[u] > 1 and units[u + 1] > 1:
            number = _weigh_pairs(t, d, suit, units[u : u + 4], desk, number)
    for slot in range(first, end):
        if part[slot]:
            low = slot if low < 0 else low
            high = slot
    for slot in (low, high):
        if part[slot] > 1:
            number = _weigh_face(t, d, slot, 1, desk, number)
    return number


@kernel
def _weigh_pairs(t: Array, d: Array, suit: int, unit: Array, desk: tuple[Array, Array], number: int) -> int:
    """The highest set of a tractor alone."""
    _, w = desk
    one = w[ONE : ONE + 4]
    one[0], one[1], one[2] = unit[0], 1, unit[2]
    one[3] = unit[3] >> (2 * (unit[1] - 1))
    return _weigh_unit(t, d, suit, one, desk, number)


@kernel
def _weigh_face(t: Array, d: Array, slot: int, copies: int, desk: tuple[Array, Array], number: int) -> int:
    """So many copies of one face."""
    x, w = desk
    if number >= MOST_ACTS:
        return number
    cards = w[ACTS + number * FACES : ACTS + (number + 1) * FACES]
    cards[:] = 0
    cards[slot] = copies
    suit = t[SUIT + slot]
    loses = face_cost(t, d, slot, copies, x, w)
    case = (d[TURN], 1, t[PLACE + slot], suit)
    found = worth(t, d, case, (copies, 1), (copies, copies * t[POINTS + slot], loses), desk)
    x[WORTHS + number] = found + lead_bonus(d, suit, copies, x, w)
    return number + 1


@kernel
def _weigh_cards(
    t: Array, d: Array, case: Case, shape: tuple[int, int], desk: tuple[Array, Array], number: int
) -> int:
    """The lead whose cards have been written among the acts."""
    x, w = desk
    cards, size = w[ACTS + number * FACES : ACTS + (number + 1) * FACES], 0
    for slot in range(t[FIRST + case[3]], t[END + case[3]]):
        size += cards[slot]
    loses = cost(t, d, cards, x, w)
    found = worth(t, d, case, shape, (size, points_in(t, cards), loses), desk)
    x[WORTHS + number] = found + lead_bonus(d, case[3], size, x, w)
    return number + 1


@kernel
def _weigh_unit(t: Array, d: Array, suit: int, unit: Array, desk: tuple[Array, Array], number: int) -> int:
    if unit[1] == 1:
        slot = t[START + suit * PLACES + unit[2]] + unit[3]
        return _weigh_face(t, d, slot, unit[0], desk, number)
    if number >= MOST_ACTS:
        return number
    cards = desk[1][ACTS + number * FACES : ACTS + (number + 1) * FACES]
    cards[:] = 0
    add_unit(t, suit, unit, cards, 1)
    return _weigh_cards(t, d, (d[TURN], 1, unit[2], suit), (unit[0], unit[1]), desk, number)


@kernel
def _weigh_throw(t: Array, d: Array, suit: int, desk: tuple[Array, Array], number: int) -> int:
    """The largest throw of a suit that nothing unseen beats."""
    _, w = desk
    if number >= MOST_ACTS:
        return number
    first, end = t[FIRST + suit], t[END + suit]
    cards = w[ACTS + number * FACES : ACTS + (number + 1) * FACES]
    cards[:] = 0
    cards[first:end] = d[HELD + d[TURN] * FACES + first : HELD + d[TURN] * FACES + end]
    units, unseen = w[OUT:LAST_UNIT], w[UNSEEN : UNSEEN + FACES]
    is_beaten, count = True, 0
    while is_beaten:
        count = decompose(t, suit, cards, units, w[LEFT : LEFT + FACES])
        is_beaten = False
        copies, length, top = 0, 0, 0
        for u in range(0, 4 * count, 4):
            if units[u] != copies or units[u + 1] != length:
                copies, length = units[u], units[u + 1]
                top = highest_top(t, suit, unseen, copies, length)
            if top > units[u + 2]:
                is_beaten = True
                add_unit(t, suit, units[u : u + 4], cards, -1)
    if count < 2:
        return number
    return _weigh_cards(t, d, (d[TURN], count, units[2], suit), (units[0], units[1]), desk, number)
