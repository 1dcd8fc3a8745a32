"""The same question of many things, in processes side by side, that end when their answers are not wanted."""

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import active_children, get_context
from typing import TypeVar

Asked = TypeVar("Asked")
Told = TypeVar("Told")

_AHEAD = 4
"""Questions that lie ready for each process, so that none waits for the one who reads the answers."""


def side_by_side(
    answer: Callable[[Asked], Told],
    questions: Iterable[Asked],
    processes: int,
    begin: Callable[[], None],
) -> Generator[Told, None, None]:
    """The answers in the order of the questions, which are read as they are needed.

    answer, begin: what each process does, and does first; both travel to it. BrokenProcessPool when one
    dies. Whoever stops reading ends the processes in the midst of their work.
    """
    others = set(active_children())
    pool = ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(begin,)
    )
    left = iter(questions)
    asked: deque[Future[Told]] = deque()
    try:
        asked.extend(pool.submit(answer, one) for one in islice(left, _AHEAD * processes))
        while asked:
            yield asked.popleft().result()
            asked.extend(pool.submit(answer, one) for one in islice(left, 1))
        pool.shutdown()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - others:
            child.terminate()


def _begin(begin: Callable[[], None]) -> None:
    """Ctrl-C reaches every process of a terminal; only the one that asks heeds it, and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin()
