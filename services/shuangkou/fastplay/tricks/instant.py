"""The rule policy: what each act of the seat to act is worth, and the best of them."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.acts import COPIES, FACE, FIELDS, LENGTH, TOP, UNITS_OF
from shuangkou.fastplay.tricks.deal import ABOVE, blocked_copies, name_shape, play, standing, strength
from shuangkou.fastplay.tricks.desk import ABOUT, ACTS, EVEN, FEED, GIFT, LEADS, ONE, STAKES, WORTHS
from shuangkou.fastplay.tricks.following import write_follows
from shuangkou.fastplay.tricks.layout import (
    BEST,
    FAILED,
    HAND,
    HELD,
    LEAD,
    LED,
    LED_SIZE,
    NUMBER,
    OVER,
    TRICK_POINTS,
    TURN,
    UNITS,
)
from shuangkou.fastplay.tricks.leading import write_leads
from shuangkou.fastplay.tricks.odds import cost, face_cost, lead_bonus, side_wins
from shuangkou.fastplay.tricks.sight import see
from shuangkou.fastplay.tricks.tables import END, FACES, FIRST, PLACE, POINTS, SUIT, TRUMPS
from shuangkou.fastplay.tricks.units import highest_top

Array = npt.NDArray[Any]


@kernel
def weigh_acts(t: Array, d: Array, x: Array, w: Array) -> int:
    """Write the plays worth a thought and what each is worth, in points; how many there are."""
    see(t, d, x, w)
    number = write_follows(t, d, x, w) if d[NUMBER] else write_leads(t, d, w)
    has_partner = 1 if d[NUMBER] < 2 else 0
    feeds = x[FEED] * has_partner + x[GIFT] * (3 - d[NUMBER] - has_partner)
    for act in range(number):
        cards, about = w[ACTS + act * FACES : ACTS + (act + 1) * FACES], ABOUT + act * FIELDS
        size, points = _count(t, cards, w[about + FACE])
        case = _case(t, d, cards, about, w)
        shape = (w[about + COPIES], w[about + LENGTH])
        chance = side_wins(t, d, case, shape, x, w)
        total = points + chance * size * feeds + (d[TRICK_POINTS] if d[NUMBER] else 0)
        if size == d[HAND + d[TURN]]:
            total += x[STAKES + (1 if shape[0] > 1 else 0)]
        worth = (chance - x[EVEN]) * total + x[LEADS] * chance
        if w[about + FACE] >= 0:
            worth -= face_cost(t, d, w[about + FACE], size, x, w)
        else:
            worth -= cost(t, d, cards, x, w)
        if not d[NUMBER]:
            worth += lead_bonus(d, case[3], size, x, w)
        x[WORTHS + act] = worth
    return number


@kernel
def _count(t: Array, cards: Array, face: int) -> tuple[int, int]:
    """How many cards a play has, and their points."""
    if face >= 0:
        return cards[face], cards[face] * t[POINTS + face]
    size, points = 0, 0
    for slot in range(FACES):
        size += cards[slot]
        points += cards[slot] * t[POINTS + slot]
    return size, points


@kernel
def _case(t: Array, d: Array, cards: Array, about: int, w: Array) -> tuple[int, int, int, int]:
    """Whose play takes the trick when this one is made, the units led, its strength, and the suit led."""
    face = w[about + FACE]
    if not d[NUMBER]:
        first = face
        if face < 0:
            first = 0
            while not cards[first]:
                first += 1
        return d[TURN], w[about + UNITS_OF], t[PLACE + face] if face >= 0 else w[about + TOP], t[SUIT + first]
    best = standing(d)
    if face >= 0 and cards[face] == d[LED_SIZE]:
        suit, found = t[SUIT + face], 0
        if suit in (d[LED], TRUMPS):
            found = t[PLACE + face] + (0 if suit == d[LED] else ABOVE)
    else:
        found = strength(t, d, cards, w)
    if found > best:
        return d[TURN], d[UNITS], found, d[LED]
    return d[BEST], d[UNITS], best, d[LED]


@kernel
def choose_shape(t: Array, d: Array, w: Array) -> int:
    """§6.5: copies of which the seat can beat what is led, the most of several."""
    named = w[ONE : ONE + 4]
    number = blocked_copies(t, d, named, w)
    base = HELD + d[TURN] * FACES
    best = named[0]
    for choice in range(number):
        copies, low = named[choice], -1
        for slot in range(t[END + d[LED]] - 1, t[FIRST + d[LED]] - 1, -1):
            low = slot if d[LEAD + slot] >= copies else low
        top = highest_top(t, d[LED], d[base : base + FACES], copies, 1)
        if low >= 0 and top > t[PLACE + low]:
            best = copies
    return best


@kernel
def play_out(t: Array, d: Array, x: Array, w: Array) -> None:
    """Play a deal to its end, every seat by the rule policy."""
    while not d[OVER]:
        if d[FAILED]:
            name_shape(t, d, choose_shape(t, d, w), w)
            continue
        number, best = weigh_acts(t, d, x, w), 0
        for act in range(1, number):
            if x[WORTHS + act] > x[WORTHS + best]:
                best = act
        play(t, d, w[ACTS + best * FACES : ACTS + (best + 1) * FACES], w)
