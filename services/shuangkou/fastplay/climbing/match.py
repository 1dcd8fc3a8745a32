"""Duplicate deals between two sets of weights, wholly inside the core: to tune by, never to report."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.climbing.deal import act
from shuangkou.fastplay.climbing.instant import choose
from shuangkou.fastplay.climbing.layout import OVER, TURN
from shuangkou.fastplay.climbing.payoff import settle
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]


@kernel
def play_out(t: Array, d: Array, first: Array, second: Array, n: Array, points: Array) -> None:
    """Play a begun deal to its end, seats 0 and 2 by the first floats, 1 and 3 by the second."""
    cards = np.zeros(64, dtype=np.int64)
    while not d[OVER]:
        x = first if d[TURN] & 1 == 0 else second
        act(t, d, choose(t, d, x, n), cards)
    settle(t, d, points)
