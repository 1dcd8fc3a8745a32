"""Searches in processes of their own, never on the event loop."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.mind import Mind
from shuangkou.ai_player.personas import persona_of
from shuangkou.ai_player.readiness import make_ready
from shuangkou.ai_player.unanswerable import NoPolicy, NotToAct
from shuangkou.chassis.logs import logger
from shuangkou.chassis.parent import die_with
from shuangkou.rules.ruleset import available, load
from shuangkou.v1 import table_pb2
from shuangkou.wire.commands import SeatAct
from shuangkou.wire.families import codec_for
from shuangkou.wire.views import ruleset_of_view

T = TypeVar("T")

GRACE_SECONDS = 0.25
"""That a search may be late before nobody waits for it any more."""


class SearchPool:
    """`processes` workers that keep nothing from one search to the next; none where it is 0.

    Whatever goes wrong is no answer: who asks has a policy that needs no search.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool = self._started() if processes else None
        self._busy = 0

    def _started(self) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, spawn, initializer=begin, initargs=(os.getpid(),))

    async def prepare(self) -> None:
        """Wait until a worker has made ready what searches need."""
        if self._pool is not None:
            await asyncio.wrap_future(self._pool.submit(warm_up))

    async def search(self, view: bytes, persona: str, budget_ms: float) -> SeatAct | None:
        """The act that is found within the budget, None for none: no worker is free, or one died."""
        return await self._ask(search_view, (view, persona, budget_ms), budget_ms)

    async def advise(self, view: bytes, persona: str, most: int, budget_ms: float) -> list[Advice] | None:
        """The same for so many of the best acts."""
        return await self._ask(advise_on_view, (view, persona, most, budget_ms), budget_ms)

    async def _ask(
        self, job: Callable[..., T | None], arguments: tuple[object, ...], budget_ms: float
    ) -> T | None:
        if self._pool is None or self._busy >= self._processes:
            return None
        self._busy += 1
        try:
            found = asyncio.wrap_future(self._pool.submit(job, *arguments))
            async with asyncio.timeout(budget_ms / 1000 + GRACE_SECONDS):
                return await found
        except TimeoutError:
            logger().warning("search_late", budget_ms=budget_ms)
            return None
        except BrokenProcessPool:
            logger().error("search_pool_broken")
            self._pool = self._started()
            return None
        finally:
            self._busy -= 1

    async def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def begin(parent: int) -> None:
    """In a new worker of this process: a killed AI player leaves no workers behind."""
    die_with(parent)
    warm_up()


def warm_up() -> None:
    """Load or compile what searches need, in the process that searches."""
    make_ready(map(load, available()))


def search_view(message: bytes, persona: str, budget_ms: float) -> SeatAct | None:
    """In a worker: the act that the persona finds, None where it has nothing to search."""
    mind, options, view = _read(message)
    try:
        return mind.search(options, view, persona_of(persona), budget_ms, time.perf_counter)
    except (NotToAct, NoPolicy):
        return None


def advise_on_view(message: bytes, persona: str, most: int, budget_ms: float) -> list[Advice] | None:
    """In a worker: advice, None where the view is not weighed."""
    mind, options, view = _read(message)
    return mind.advise(options, view, persona_of(persona), most, budget_ms, time.perf_counter)


def _read(message: bytes) -> tuple[Mind, Any, Any]:
    view = table_pb2.SeatView.FromString(message)
    ruleset = ruleset_of_view(view)
    return mind_for(ruleset), ruleset.options, codec_for(ruleset).view_from_wire(view, ruleset)
