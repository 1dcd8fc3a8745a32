"""Following (跟牌): give points to a trick that is won, win one that is worth it, else give little."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.deal import ABOVE, standing, strength
from shuangkou.fastplay.tricks.desk import ACTS, EACH, MOST_ACTS, ONE, PREFER, WORTHS
from shuangkou.fastplay.tricks.duty import is_legal_follow, make_follow, owe, owe_ruff
from shuangkou.fastplay.tricks.layout import (
    BEST,
    EXHAUSTED,
    HELD,
    LED,
    LED_SIZE,
    OWED,
    PLAN,
    SUITED,
    TURN,
    UNIT,
    UNITS,
)
from shuangkou.fastplay.tricks.odds import cost, face_cost, points_in, worth
from shuangkou.fastplay.tricks.tables import END, FACES, FIRST, HIGH, PLACE, POINTS, SUIT, SUITS, TRUMPS
from shuangkou.fastplay.tricks.units import add_unit, next_top, unit_code

Array = npt.NDArray[Any]


@kernel
def weigh_follows(t: Array, d: Array, x: Array, w: Array) -> int:
    """Write follows worth a thought and what each is worth; how many there are."""
    desk, seat = (x, w), d[TURN]
    owe(t, d, seat, w)
    is_out = w[OWED + EXHAUSTED]
    if d[LED_SIZE] == 1:
        return _weigh_singles(t, d, desk)
    number = 0
    for swing in range(2):
        number = _weigh_made(t, d, swing, desk, number)
    if d[UNITS] == 1 and not is_out:
        number = _weigh_units(t, d, d[LED], desk, number)
    elif is_out and not d[SUITED + seat * SUITS + d[LED]] and d[LED] != TRUMPS:
        if d[UNITS] == 1:
            return _weigh_units(t, d, TRUMPS, desk, number)
        if owe_ruff(t, d, w):
            for swing in range(2):
                number = _weigh_made(t, d, swing, desk, number)
    return number


@kernel
def _weigh_made(t: Array, d: Array, swing: int, desk: tuple[Array, Array], number: int) -> int:
    """What is owed, made up of the cheapest cards; points are saved, or given away."""
    x, w = desk
    for slot in range(FACES):
        points = t[POINTS + slot] / 2.0
        x[PREFER + slot] = x[EACH + slot] + (-points if swing else points)
    cards = w[ACTS + number * FACES : ACTS + (number + 1) * FACES]
    w[PLAN + 5] = 0
    make_follow(t, x[PREFER : PREFER + FACES], cards, w)
    return _weigh(t, d, cards, desk, number)


@kernel
def _weigh(t: Array, d: Array, cards: Array, desk: tuple[Array, Array], number: int) -> int:
    x, w = desk
    found, best = strength(t, d, cards, w), standing(d)
    beats = found > best
    case = (d[TURN] if beats else d[BEST], d[UNITS], found if beats else best, d[LED])
    given = (d[LED_SIZE], points_in(t, cards), cost(t, d, cards, x, w))
    x[WORTHS + number] = worth(t, d, case, (d[UNIT], d[UNIT + 1]), given, desk)
    return number + 1


@kernel
def _weigh_face(t: Array, d: Array, slot: int, copies: int, desk: tuple[Array, Array], number: int) -> int:
    """So many copies of one face, on as many of one."""
    x, w = desk
    cards = w[ACTS + number * FACES : ACTS + (number + 1) * FACES]
    cards[:] = 0
    cards[slot] = copies
    suit, found, best = t[SUIT + slot], 0, standing(d)
    if suit == d[LED]:
        found = t[PLACE + slot]
    elif suit == TRUMPS:
        found = t[PLACE + slot] + ABOVE
    beats = found > best
    case = (d[TURN] if beats else d[BEST], 1, found if beats else best, d[LED])
    given = (copies, copies * t[POINTS + slot], face_cost(t, d, slot, copies, x, w))
    x[WORTHS + number] = worth(t, d, case, (copies, 1), given, desk)
    return number + 1


@kernel
def _weigh_singles(t: Array, d: Array, desk: tuple[Array, Array]) -> int:
    """Every card of the suit led; else every trump, and of each plain suit the cheapest and points."""
    x, _ = desk
    base, number = HELD + d[TURN] * FACES, 0
    is_out = not d[SUITED + d[TURN] * SUITS + d[LED]]
    for slot in range(FACES):
        suit = t[SUIT + slot]
        if not d[base + slot] or (not is_out and suit != d[LED]):
            continue
        if is_out and suit != TRUMPS and not _is_end(t, d, base, slot, x):
            continue
        number = _weigh_face(t, d, slot, 1, desk, number)
    return number


@kernel
def _is_end(t: Array, d: Array, base: int, slot: int, x: Array) -> bool:
    """Whether a card of a plain suit is its cheapest, or has points."""
    if t[POINTS + slot]:
        return True
    for other in range(t[FIRST + t[SUIT + slot]], t[END + t[SUIT + slot]]):
        if d[base + other] and x[EACH + other] < x[EACH + slot]:
            return False
    return True


@kernel
def _weigh_units(t: Array, d: Array, suit: int, desk: tuple[Array, Array], number: int) -> int:
    """Units of the shape led: those of its suit that are legal, or trumps that take it."""
    _, w = desk
    hand = d[HELD + d[TURN] * FACES : HELD + (d[TURN] + 1) * FACES]
    copies, length, top = d[UNIT], d[UNIT + 1], 0
    if length == 1 and not t[HIGH]:
        for slot in range(t[FIRST + suit], t[END + suit]):
            if hand[slot] >= copies and number < MOST_ACTS:
                number = _weigh_face(t, d, slot, copies, desk, number)
        return number
    unit = w[ONE : ONE + 4]
    while number < MOST_ACTS:
        top = next_top(t, suit, hand, (copies, length), top)
        if not top:
            break
        unit[0], unit[1], unit[2] = copies, length, top
        unit[3] = unit_code(t, suit, hand, (copies, length), top)
        cards = w[ACTS + number * FACES : ACTS + (number + 1) * FACES]
        cards[:] = 0
        add_unit(t, suit, unit, cards, 1)
        if suit != d[LED] or is_legal_follow(t, d, cards, w):
            number = _weigh(t, d, cards, desk, number)
    return number
