"""Follows worth a thought (跟牌): what is owed at the least cost, and what may win."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.acts import add_face, add_unit_act, blank_act, describe
from shuangkou.fastplay.tricks.desk import ACTS, EACH, MOST_ACTS, ONE, PREFER, REST
from shuangkou.fastplay.tricks.duty import is_legal_follow, make_follow, owe, owe_ruff
from shuangkou.fastplay.tricks.layout import (
    CHOICE,
    EXHAUSTED,
    HELD,
    LED,
    LED_SIZE,
    MUST,
    OWED,
    OWED_SIZE,
    PLAN,
    SUITED,
    TURN,
    UNIT,
    UNITS,
)
from shuangkou.fastplay.tricks.tables import END, FACES, FIRST, HIGH, POINTS, SUIT, SUITS, TRUMPS
from shuangkou.fastplay.tricks.units import next_top, unit_code

Array = npt.NDArray[Any]


@kernel
def write_follows(t: Array, d: Array, x: Array, w: Array) -> int:
    """Write follows worth a thought among the acts; how many there are."""
    if d[LED_SIZE] == 1:
        return _write_singles(t, d, x, w)
    owe(t, d, d[TURN], w)
    is_out = w[OWED + EXHAUSTED]
    is_void = is_out and not d[SUITED + d[TURN] * SUITS + d[LED]] and d[LED] != TRUMPS
    number, rounds = 0, 2
    if d[UNITS] == 1 and (is_void or not is_out):
        number = _write_units(t, d, TRUMPS if is_void else d[LED], w)
    elif is_void:
        rounds = 4
    for turn in range(rounds):
        if turn == 2 and not owe_ruff(t, d, w):
            break
        for slot in range(FACES):
            points = t[POINTS + slot] / 2.0
            x[PREFER + slot] = x[EACH + slot] + (-points if turn & 1 else points)
        number = _write_cheapest(t, d, x[PREFER : PREFER + FACES], w, number)
    return number


@kernel
def _write_cheapest(t: Array, d: Array, prefer: Array, w: Array, number: int) -> int:
    """The cheapest follow; and for each card in it the cheapest without that card, where one is legal."""
    cheapest, spare = w[REST : REST + FACES], -w[OWED + OWED_SIZE]
    w[PLAN + 5] = 0
    make_follow(t, prefer, cheapest, w)
    cards = blank_act(w, number)
    for slot in range(FACES):
        cards[slot] = cheapest[slot]
        spare += w[MUST + slot] + w[CHOICE + slot]
    number = _add_new(d, w, number)
    for slot in range(FACES):
        choice = w[CHOICE + slot]
        for spent in range(max(0, choice - spare), cheapest[slot] - w[MUST + slot]):
            w[CHOICE + slot] = spent
            cards = blank_act(w, number)
            make_follow(t, prefer, cards, w)
            w[CHOICE + slot] = choice
            if is_legal_follow(t, d, cards, w):
                number = _add_new(d, w, number)
    return number


@kernel
def _add_new(d: Array, w: Array, number: int) -> int:
    """Keep the follow that was made last, unless it is among those before it; how many there are then."""
    made = ACTS + min(number, MOST_ACTS - 1) * FACES
    for act in range(ACTS, made, FACES):
        slot = 0
        while slot < FACES and w[act + slot] == w[made + slot]:
            slot += 1
        if slot == FACES:
            return number
    return describe(w, number, (d[UNIT], d[UNIT + 1], d[UNITS], 0))


@kernel
def _write_singles(t: Array, d: Array, x: Array, w: Array) -> int:
    """Every card of the suit led; else every trump, and of each plain suit the cheapest and points."""
    base, number = HELD + d[TURN] * FACES, 0
    is_out = not d[SUITED + d[TURN] * SUITS + d[LED]]
    for slot in range(FACES):
        suit = t[SUIT + slot]
        if not d[base + slot] or (not is_out and suit != d[LED]):
            continue
        if is_out and suit != TRUMPS and not t[POINTS + slot] and not _is_cheapest(t, d, base, slot, x):
            continue
        number = add_face(w, slot, 1, number)
    return number


@kernel
def _is_cheapest(t: Array, d: Array, base: int, slot: int, x: Array) -> bool:
    is_cheapest = True
    for other in range(t[FIRST + t[SUIT + slot]], t[END + t[SUIT + slot]]):
        is_cheapest &= not d[base + other] or x[EACH + other] >= x[EACH + slot]
    return is_cheapest


@kernel
def _write_units(t: Array, d: Array, suit: int, w: Array) -> int:
    """Units of the shape led: those of its suit that are legal, or trumps that take it."""
    hand = d[HELD + d[TURN] * FACES : HELD + (d[TURN] + 1) * FACES]
    copies, length, top, number = d[UNIT], d[UNIT + 1], 0, 0
    if length == 1 and not t[HIGH]:
        for slot in range(t[FIRST + suit], t[END + suit]):
            if hand[slot] >= copies:
                number = add_face(w, slot, copies, number)
        return number
    unit = w[ONE : ONE + 4]
    while True:
        top = next_top(t, suit, hand, (copies, length), top)
        if not top:
            return number
        unit[0], unit[1], unit[2] = copies, length, top
        unit[3] = unit_code(t, suit, hand, (copies, length), top)
        after = add_unit_act(t, suit, unit, w, number)
        at = ACTS + min(number, MOST_ACTS - 1) * FACES
        if suit != d[LED] or is_legal_follow(t, d, w[at : at + FACES], w):
            number = after
