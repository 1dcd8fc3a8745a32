"""What acts bring in a world: each is made, and the deal played on by the rule policy."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.deal import bury, play
from shuangkou.fastplay.tricks.instant import play_out
from shuangkou.fastplay.tricks.layout import ATTACKERS, BURYING, TURN
from shuangkou.fastplay.tricks.payoff import worth
from shuangkou.fastplay.tricks.worlds import sample_world

Array = npt.NDArray[Any]


@kernel
def try_acts(
    game: tuple[Array, Array, Array],
    d: Array,
    desk: tuple[Array, Array],
    hidden: tuple[Array, Array, Array],
    stream: Array,
    trial: tuple[Array, Array],
) -> None:
    """Sample worlds, one for each row, and write what each act brings in it to the side of the seat to act:
    cards that it plays, or buries where it is to bury."""
    t, s, values = game
    x, w = desk
    acts, gains = trial
    world, run = d.copy(), d.copy()
    sign = 1.0 if d[TURN] & 1 == d[ATTACKERS] else -1.0
    for row in range(len(gains)):
        world[:] = d
        sample_world(t, world, hidden, stream)
        for number in range(len(acts)):
            run[:] = world
            if d[BURYING]:
                bury(t, run, acts[number])
            else:
                play(t, run, acts[number], w)
            play_out(t, run, x, w)
            gains[row, number] = sign * worth(t, s, values, run)
