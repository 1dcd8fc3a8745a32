"""What plays bring in a world: each is made, and the deal played on by the rule policy."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.deal import play
from shuangkou.fastplay.tricks.instant import play_out
from shuangkou.fastplay.tricks.layout import ATTACKERS, TURN
from shuangkou.fastplay.tricks.payoff import MATCH_WON, SCORE, SETTLED, settle
from shuangkou.fastplay.tricks.worlds import sample_world

Array = npt.NDArray[Any]

_MATCH = 3.0
"""Levels that a match is worth which a deal wins."""
_POINT = 0.0025
"""Levels that a point of the score is worth where it changes none."""


@kernel
def try_plays(
    game: tuple[Array, Array],
    d: Array,
    desk: tuple[Array, Array],
    hidden: tuple[Array, Array],
    stream: Array,
    trial: tuple[Array, Array],
) -> None:
    """Sample a world, and write what each play brings in it to the side of the seat to act."""
    t, s = game
    x, w = desk
    plays, gains = trial
    world, out = d.copy(), np.zeros(SETTLED, dtype=np.int64)
    sample_world(t, world, hidden, stream)
    run, side = world.copy(), d[TURN] & 1
    for number in range(len(plays)):
        run[:] = world
        play(t, run, plays[number], w)
        play_out(t, run, x, w)
        settle(t, s, run, out)
        is_attacking = 1.0 if side == d[ATTACKERS] else -1.0
        is_first = 1.0 if side == 0 else -1.0
        gains[number] = out[side] - out[1 - side] + _POINT * is_attacking * out[SCORE]
        gains[number] += _MATCH * is_first * out[MATCH_WON]
