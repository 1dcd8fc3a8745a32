"""Plays in the making: what a policy thinks of, before it weighs them."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.desk import ABOUT, ACTS, MOST_ACTS
from shuangkou.fastplay.tricks.tables import FACES
from shuangkou.fastplay.tricks.units import add_unit

Array = npt.NDArray[Any]

COPIES, LENGTH, UNITS_OF, TOP, FACE = range(5)
"""About an act: shape of its key, its units, the top of its key, and the slot of its only face or -1."""
FIELDS = 8


@kernel
def blank_act(w: Array, number: int) -> Array:
    """The cards of an act, none yet; beyond the last there is room for one more, which is lost."""
    at = ACTS + min(number, MOST_ACTS - 1) * FACES
    cards = w[at : at + FACES]
    cards[:] = 0
    return cards


@kernel
def describe(w: Array, number: int, about: tuple[int, int, int, int]) -> int:
    """Copies, places, units and top of an act that is no face alone; how many acts there are then."""
    at = ABOUT + min(number, MOST_ACTS - 1) * FIELDS
    w[at + COPIES], w[at + LENGTH], w[at + UNITS_OF], w[at + TOP] = about
    w[at + FACE] = -1
    return min(number + 1, MOST_ACTS - 1)


@kernel
def add_face(w: Array, slot: int, copies: int, number: int) -> int:
    """One more act: so many copies of one face; how many there are then."""
    blank_act(w, number)[slot] = copies
    after = describe(w, number, (copies, 1, 1, 0))
    w[ABOUT + min(number, MOST_ACTS - 1) * FIELDS + FACE] = slot
    return after


@kernel
def add_unit_act(t: Array, suit: int, unit: Array, w: Array, number: int) -> int:
    """One more act: a unit; how many there are then."""
    add_unit(t, suit, unit, blank_act(w, number), 1)
    return describe(w, number, (unit[0], unit[1], 1, unit[2]))
