"""Searches in processes of their own, never on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.metrics import AiPlayerMetrics, GivenUp
from shuangkou.ai_player.search_worker import SearchWorker, advise_on_view, search_view
from shuangkou.chassis.logs import logger
from shuangkou.wire.commands import SeatAct

T = TypeVar("T")

GRACE_SECONDS = 0.25
"""That a search may be late before nobody waits for it any more."""
_LOST_SECONDS = 2.0
"""That it may be late before its process is killed: longer, for on a machine that stands still for a moment
all of them are late, and a new process takes seconds of work."""
_WHOLE = 1.5
"""The time from asking to the answer, as a multiple of the budget."""
_LEAST_MS = 5.0
"""A budget below which no search is worth its message."""
_PAUSE_SECONDS = 5.0
"""Between two processes that die before they are ready."""


class SearchPool:
    """`processes` workers, each busy with one search at most; none where it is 0.

    Whatever goes wrong is no answer: who asks has a policy that needs no search. A worker that does not come
    to an end, or is dead, is replaced at once. `until`, on the clock of the event loop, is when who asks
    needs an answer: a search waits for a worker while there is time for it, and is shortened where there is
    little; without `until` it waits for no worker.
    """

    def __init__(self, processes: int, metrics: AiPlayerMetrics) -> None:
        self._processes = processes
        self._metrics = metrics
        self._free: asyncio.Queue[SearchWorker] = asyncio.Queue()
        self._workers: set[SearchWorker] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def prepare(self) -> None:
        """Wait until a worker is ready; BrokenProcessPool where the first ones cannot be."""
        if not self._processes:
            return
        if self._workers or self._tasks:
            self._free.put_nowait(await self._free.get())
            return
        starts = [self._in_background(self._start()) for _ in range(self._processes)]
        done, _ = await asyncio.wait(starts, return_when=asyncio.FIRST_COMPLETED)
        for started in done:
            started.result()

    async def search(
        self, view: bytes, persona: str, budget_ms: float, until: float | None = None
    ) -> SeatAct | None:
        """The act that is found within the budget, None for none."""
        return await self._ask(search_view, (view, persona), budget_ms, until)

    async def advise(
        self, view: bytes, persona: str, most: int, budget_ms: float, until: float | None = None
    ) -> list[Advice] | None:
        """The same for so many of the best acts."""
        return await self._ask(advise_on_view, (view, persona, most), budget_ms, until)

    async def close(self) -> None:
        """End the workers, whatever they do."""
        for task in self._tasks:
            task.cancel()
        for worker in self._workers:
            worker.kill()

    async def _ask(
        self,
        job: Callable[..., T | None],
        arguments: tuple[object, ...],
        budget_ms: float,
        until: float | None,
    ) -> T | None:
        if not self._processes:
            return None
        found = await self._found(job, arguments, budget_ms, until)
        if isinstance(found, GivenUp):
            self._metrics.give_up(found)
            return None
        return found

    async def _found(
        self,
        job: Callable[..., T | None],
        arguments: tuple[object, ...],
        budget_ms: float,
        until: float | None,
    ) -> T | GivenUp | None:
        if until is not None:
            budget_ms = min(budget_ms, 1000 * (until - _now()) / _WHOLE)
            if budget_ms < _LEAST_MS:
                return GivenUp.NO_TIME
        worker = await self._free_worker(0.0 if until is None else until - _now() - _WHOLE * budget_ms / 1000)
        if worker is None:
            return GivenUp.BUSY
        # The worker is looked after to the end of its search, even if who asked waits no longer.
        task = self._in_background(self._attend(worker, job, (*arguments, budget_ms), budget_ms))
        late = _now() + budget_ms / 1000 + GRACE_SECONDS
        done, _ = await asyncio.wait({task}, timeout=min(late, until or late) - _now())
        if done:
            return task.result()
        if until is not None and until < late:
            return GivenUp.NO_TIME
        logger().warning("search_late", budget_ms=budget_ms)
        return GivenUp.LATE

    async def _free_worker(self, seconds: float) -> SearchWorker | None:
        """The next that is free within these seconds."""
        if not self._free.empty():
            return self._free.get_nowait()
        if seconds <= 0:
            return None
        try:
            async with asyncio.timeout(seconds):
                return await self._free.get()
        except TimeoutError:
            return None

    async def _attend(
        self,
        worker: SearchWorker,
        job: Callable[..., T | None],
        arguments: tuple[object, ...],
        budget_ms: float,
    ) -> T | GivenUp | None:
        """What the worker finds; then it is free again, or replaced."""
        try:
            async with asyncio.timeout(budget_ms / 1000 + _LOST_SECONDS):
                found = await worker.do(job, *arguments)
        except TimeoutError:
            logger().error("search_worker_killed", budget_ms=budget_ms)
            self._replace_soon(worker)
            return GivenUp.LATE
        except BrokenProcessPool:
            logger().error("search_worker_died", budget_ms=budget_ms)
            self._replace_soon(worker)
            return GivenUp.BROKEN
        except Exception as error:  # noqa: BLE001  # whatever a search raises, the rule policy acts
            logger().error("search_failed", exc_info=error)
            self._free.put_nowait(worker)
            return GivenUp.FAILED
        self._free.put_nowait(worker)
        return found

    async def _start(self) -> None:
        """One more worker; BrokenProcessPool where it dies before it is ready."""
        worker = SearchWorker()
        self._workers.add(worker)
        try:
            await worker.start()
        except BrokenProcessPool:
            self._end(worker)
            raise
        self._free.put_nowait(worker)

    def _replace_soon(self, worker: SearchWorker) -> None:
        self._end(worker)
        starting = asyncio.create_task(self._start_in_the_end())
        self._keep(starting)

    async def _start_in_the_end(self) -> None:
        while True:
            try:
                return await self._start()
            except BrokenProcessPool:
                logger().error("search_worker_not_started")
                await asyncio.sleep(_PAUSE_SECONDS)

    def _end(self, worker: SearchWorker) -> None:
        worker.kill()
        self._workers.discard(worker)

    def _in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._keep(task)
        return task

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _now() -> float:
    return asyncio.get_running_loop().time()
