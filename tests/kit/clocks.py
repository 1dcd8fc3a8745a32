"""Clocks for whoever plays against time in a test."""

import time
from collections.abc import Callable
from itertools import count

from kit.effort import rounds


def ticking(seconds: float = 0.001) -> Callable[[], float]:
    """A clock on which so much time passes whenever it is read, and else none."""
    ticks = count()
    return lambda: next(ticks) * seconds


def clock_of_conduct() -> Callable[[], float]:
    """One that ticks, so that an act is late, on any machine, where a search goes on reading it after its
    budget. With the profile `thorough` it is that of the processor, for machines that do nothing else."""
    return ticking(0.0005) if rounds(few=0, many=1) == 0 else time.process_time
