"""The rule policy: what each act of the seat to act is worth, and the best of them."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.deal import blocked_copies, name_shape, play
from shuangkou.fastplay.tricks.desk import ACTS, ONE, WORTHS
from shuangkou.fastplay.tricks.following import weigh_follows
from shuangkou.fastplay.tricks.layout import FAILED, HELD, LEAD, LED, NUMBER, OVER, TURN
from shuangkou.fastplay.tricks.leading import weigh_leads
from shuangkou.fastplay.tricks.sight import see
from shuangkou.fastplay.tricks.tables import END, FACES, FIRST, PLACE
from shuangkou.fastplay.tricks.units import highest_top

Array = npt.NDArray[Any]


@kernel
def weigh_acts(t: Array, d: Array, x: Array, w: Array) -> int:
    """Write the plays worth a thought and what each is worth, in points; how many there are."""
    see(t, d, x, w)
    return weigh_follows(t, d, x, w) if d[NUMBER] else weigh_leads(t, d, x, w)


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
