"""What a hand owes to a lead (§6.6, §6.7), as `rules.tricks.following` and `defaults`."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.layout import (
    CHOICE,
    CUT_LEFT,
    EXHAUSTED,
    HELD,
    LED,
    LED_SIZE,
    MUST,
    OWED,
    OWED_SIZE,
    OWED_UNITS,
    PAIRS,
    PLAN,
    QUADS,
    SUITED,
    TRACTORS,
    TRIPLES,
    UNIT,
    UNITS,
)
from shuangkou.fastplay.tricks.tables import END, FACES, FIRST, HIGH, PLACE, SUIT, SUITS, TRUMPS
from shuangkou.fastplay.tricks.units import can_cut, plan_nothing, plan_unit

Array = npt.NDArray[Any]


@kernel
def owe(t: Array, d: Array, seat: int, w: Array) -> None:
    """Write what a seat owes to the lead on the table."""
    suit, size = d[LED], d[LED_SIZE]
    held = d[HELD + seat * FACES : HELD + (seat + 1) * FACES]
    w[OWED : OWED + 8] = 0
    w[OWED + OWED_SIZE] = size
    w[MUST : MUST + FACES] = 0
    first, end = t[FIRST + suit], t[END + suit]
    if d[SUITED + seat * SUITS + suit] <= size:
        w[OWED + EXHAUSTED] = 1
        for slot in range(FACES):
            w[CHOICE + slot] = held[slot]
        for slot in range(first, end):
            w[MUST + slot], w[CHOICE + slot] = held[slot], 0
        return
    w[CHOICE : CHOICE + FACES] = 0
    for slot in range(first, end):
        w[CHOICE + slot] = held[slot]
    if size == 1:
        return
    _owe_sets(t, d, held, w)
    _owe_tractors(t, d, held, w)
    if t[HIGH]:
        _owe_highest(t, d, held, w)


@kernel
def needed_sets(d: Array, copies: int) -> int:
    """Sets of so many that the lead holds."""
    needed = 0
    for unit in range(UNIT, UNIT + 4 * d[UNITS], 4):
        needed += d[unit + 1] * (d[unit] // copies)
    return needed


@kernel
def _owe_sets(t: Array, d: Array, held: Array, w: Array) -> None:
    fours, threes, twos = 0, 0, 0
    for slot in range(t[FIRST + d[LED]], t[END + d[LED]]):
        fours += held[slot] >= 4
        threes += held[slot] >= 3
        twos += held[slot] // 2
    wanted = needed_sets(d, 4)
    quads = min(wanted, fours)
    triples = min(needed_sets(d, 3), threes)
    pairs = min(needed_sets(d, 2), twos)
    if quads < wanted:
        alone = triples - quads
        pairs = min(pairs, 2 * quads + alone + (d[LED_SIZE] - 4 * quads - 3 * alone) // 2)
    w[OWED + QUADS], w[OWED + TRIPLES], w[OWED + PAIRS] = quads, triples, pairs


@kernel
def _owe_tractors(t: Array, d: Array, held: Array, w: Array) -> None:
    """From the largest down each led tractor that can be matched beside those before it."""
    number, copies, length = 0, 0, 0
    for unit in range(UNIT, UNIT + 4 * d[UNITS], 4):
        if d[unit + 1] < 2 or (d[unit] == copies and d[unit + 1] == length):
            continue
        w[OWED_UNITS + 2 * number], w[OWED_UNITS + 2 * number + 1] = d[unit], d[unit + 1]
        plan_owed(w, number + 1)
        if can_cut(t, d[LED], held, w):
            number += 1
        else:
            copies, length = d[unit], d[unit + 1]
    w[OWED + TRACTORS] = number


@kernel
def plan_owed(w: Array, number: int) -> None:
    """The first of the owed tractors, to be cut."""
    plan_nothing(w)
    for unit in range(OWED_UNITS, OWED_UNITS + 2 * number, 2):
        plan_unit(w, w[unit], w[unit + 1])


@kernel
def _owe_highest(t: Array, d: Array, held: Array, w: Array) -> None:
    """§6.7: all pairs and the highest of the other cards; and, to choose from, those equal to the lowest."""
    first, end = t[FIRST + d[LED]], t[END + d[LED]]
    pairs, room = 0, d[LED_SIZE]
    for slot in range(first, end):
        pairs += held[slot] // 2
    if needed_sets(d, 2) <= pairs:
        return
    for slot in range(first, end):
        w[MUST + slot], w[CHOICE + slot] = held[slot] // 2 * 2, 0
        room -= w[MUST + slot]
    slot = end - 1
    while room > 0:
        place, equal, low = t[PLACE + slot], 0, slot
        while low >= first and t[PLACE + low] == place:
            equal += held[low] % 2
            low -= 1
        into = CHOICE if equal > room else MUST
        for face in range(low + 1, slot + 1):
            w[into + face] += held[face] % 2
        room -= equal
        slot = low


@kernel
def is_legal_follow(t: Array, d: Array, cards: Array, w: Array) -> bool:
    """Whether these cards, all of the hand, meet the duty that was written."""
    total, twos, threes, fours = 0, 0, 0, 0
    for slot in range(FACES):
        number = cards[slot]
        if number < w[MUST + slot] or number > w[MUST + slot] + w[CHOICE + slot]:
            return False
        total += number
        twos += number // 2
        threes += number // 3
        fours += number // 4
    if total != w[OWED + OWED_SIZE]:
        return False
    if twos < w[OWED + PAIRS] or threes < w[OWED + TRIPLES] or fours < w[OWED + QUADS]:
        return False
    if not w[OWED + TRACTORS]:
        return True
    plan_owed(w, w[OWED + TRACTORS])
    return can_cut(t, d[LED], cards, w)


@kernel
def owe_ruff(t: Array, d: Array, w: Array) -> bool:
    """Where the suit led is exhausted: turn the duty into that of trumps that may take the trick; False where
    the hand has none such."""
    total = 0
    for slot in range(t[FIRST + TRUMPS]):
        w[CHOICE + slot] = 0
    for slot in range(t[FIRST + TRUMPS], t[END + TRUMPS]):
        total += w[CHOICE + slot]
    if total < d[LED_SIZE]:
        return False
    plan_nothing(w)
    number = 0
    for unit in range(UNIT, UNIT + 4 * d[UNITS], 4):
        plan_unit(w, d[unit], d[unit + 1])
        if d[unit + 1] > 1:
            w[OWED_UNITS + 2 * number], w[OWED_UNITS + 2 * number + 1] = d[unit], d[unit + 1]
            number += 1
    if not can_cut(t, TRUMPS, w[CHOICE : CHOICE + FACES], w):
        return False
    w[OWED + EXHAUSTED], w[OWED + TRACTORS] = 0, number
    for copies in range(2, 5):
        w[OWED + PAIRS + 2 - copies] = needed_sets(d, copies)
    return True


@kernel
def make_follow(t: Array, prefer: Array, into: Array, w: Array) -> None:
    """Write a follow that meets the duty, of cards with low numbers in `prefer` by slot.

    Tractors are cut as low as they go, or as high where the plan's last number says so beforehand.
    """
    must, choice, size = w[MUST : MUST + FACES], w[CHOICE : CHOICE + FACES], w[OWED + OWED_SIZE]
    made = 0
    for slot in range(FACES):
        into[slot] = must[slot]
        made += must[slot]
    if w[OWED + EXHAUSTED] or made:
        while made < size:
            into[_cheapest(prefer, choice, must, into, 0)] += 1
            made += 1
        return
    if w[OWED + TRACTORS]:
        is_high = w[PLAN + 5]
        plan_owed(w, w[OWED + TRACTORS])
        w[PLAN + 5] = is_high
        first = FACES
        for slot in range(FACES):
            first = min(first, slot) if choice[slot] else first
        suit = t[SUIT + first]
        if can_cut(t, suit, choice, w):
            for slot in range(t[FIRST + suit], t[END + suit]):
                into[slot] = choice[slot] - w[CUT_LEFT + slot]
                made += into[slot]
    for copies in range(4, 1, -1):
        made += _add_sets(prefer, choice, into, copies, w[OWED + PAIRS + 2 - copies])
    while made < size:
        slot = _cheapest(prefer, choice, must, into, 1)
        into[slot if slot >= 0 else _cheapest(prefer, choice, must, into, 0)] += 1
        made += 1


@kernel
def _cheapest(prefer: Array, choice: Array, must: Array, into: Array, odd: int) -> int:
    """Of cards that are left to choose from, with `odd` only of those that break no pair; -1 for none."""
    best = -1
    for slot in range(FACES):
        left = choice[slot] + must[slot] - into[slot]
        if left > 0 and (not odd or left % 2) and (best < 0 or prefer[slot] < prefer[best]):
            best = slot
    return best


@kernel
def _add_sets(prefer: Array, choice: Array, into: Array, copies: int, wanted: int) -> int:
    """Make the cards up until they hold so many sets; how many cards came."""
    have, added = 0, 0
    for slot in range(FACES):
        have += into[slot] // copies
    while have < wanted:
        best = -1
        for slot in range(FACES):
            can = choice[slot] // copies > into[slot] // copies
            if can and (best < 0 or prefer[slot] < prefer[best]):
                best = slot
        if best < 0:
            return added
        more = (into[best] // copies + 1) * copies - into[best]
        into[best] += more
        added += more
        have += 1
    return added


assert (QUADS, TRIPLES, PAIRS) == (2, 3, 4)
