"""Legal plays with wild cards: counting, for all rows at once, the cards that wild cards must stand for.

For each rank and number of cards held there are three row sets: the rows that lack at most 0, 1 or 2
cards of that rank. Two ranks share one step, so a hand costs seven steps of a few operations on ints.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

STEP_BITS = 12
"""Two ranks of six bits each, as in a packed count."""
STEP_MASK = (1 << STEP_BITS) - 1
_FIELD = STEP_BITS // 2
_HELD = 9
"""A natural rank of two packs has 0 to 8 cards."""

Lack = tuple[int, int, int]
"""Row sets: at most 0, at most 1, at most 2 cards are missing."""
Matrix = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class WildFits:
    """shift: bits below the wild rank in a packed count; the wild rank is the highest.

    steps: for each two neighbouring ranks, by their packed count, what is missing.
    using: rows by the number of cards of the wild rank that they need as themselves.
    """

    shift: int
    steps: tuple[dict[int, Lack], ...]
    using: Lack

    def playable(self, packed_hand: int, rows: int) -> int:
        """Those of the rows that a hand with one or two wild cards can play."""
        wilds = packed_hand >> self.shift
        packed = packed_hand & (1 << self.shift) - 1
        none, one, two = rows, rows, rows
        for step in self.steps:
            zero, upto_one, upto_two = step[packed & STEP_MASK]
            packed >>= STEP_BITS
            if wilds == 2:
                two = two & zero | one & upto_one | none & upto_two
            one = one & zero | none & upto_one
            none &= zero
        unused, used_once, used_twice = self.using
        if wilds == 1:
            return one & unused | none & used_once
        return two & unused | one & used_once | none & used_twice


def wild_fits(needs: Matrix, floors: Matrix, wild_place: int) -> WildFits:
    """From the arrays of a move table whose rank at `wild_place`, the last, is wild."""
    columns = [list(_lacks(needs[:, place], floors[:, place])) for place in range(wild_place)]
    steps = []
    for low in range(0, wild_place, 2):
        pair = columns[low : low + 2]
        steps.append(
            {
                sum(count << _FIELD * index for index, count in enumerate(held)): _both(
                    [column[count] for column, count in zip(pair, held, strict=True)]
                )
                for held in product(range(_HELD), repeat=len(pair))
            }
        )
    used = needs[:, wild_place]
    using = (_bits(used == 0), _bits(used == 1), _bits(used == 2))
    return WildFits(_FIELD * wild_place, tuple(steps), using)


def _lacks(need: Matrix, floor: Matrix) -> Iterator[Lack]:
    for held in range(_HELD):
        has_floor = floor <= held
        zero, one, two = (_bits(has_floor & (need <= held + lack)) for lack in range(3))
        yield zero, one, two


def _both(lacks: list[Lack]) -> Lack:
    if len(lacks) == 1:
        return lacks[0]
    (zero, one, two), (also_zero, also_one, also_two) = lacks
    return (
        zero & also_zero,
        one & also_zero | zero & also_one,
        two & also_zero | one & also_one | zero & also_two,
    )


def _bits(members: npt.NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")
