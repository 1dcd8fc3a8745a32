"""In which order the chances of plays follow from one another.

What beats a play mostly beats the next lower one as well. So the chance that nobody beats a play is that of a
higher play, times the chances that nobody has one of the few that beat the lower one only.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def chain_of(beaters: Sequence[int]) -> Array:
    """For each play, after all that beat fewer: its number, that of the play which it follows from or -1, how
    many more beat it, and these. beaters: by play, the set of those that beat it, bit m for play m."""
    found: list[int] = []
    done: dict[int, int] = {}
    for play in sorted(range(len(beaters)), key=lambda number: beaters[number].bit_count()):
        above = beaters[play]
        base = _largest_part(done, above)
        more = above & ~base
        members = [number for number in range(more.bit_length()) if more >> number & 1]
        found += [play, done.get(base, -1), len(members), *members]
        done[above] = play
    return np.array(found, dtype=np.int64)


def _largest_part(done: dict[int, int], above: int) -> int:
    """The largest set that was met already and lies within this one; empty where there is none."""
    if above in done:
        return above
    within = (part for part in reversed(done) if not part & ~above)
    return next(within, 0)
