"""One process that searches, and what runs in it."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.mind import Mind
from shuangkou.ai_player.personas import persona_of
from shuangkou.ai_player.readiness import make_ready
from shuangkou.ai_player.unanswerable import NoPolicy, NotToAct
from shuangkou.chassis.parent import die_with
from shuangkou.rules.ruleset import available, load
from shuangkou.v1 import table_pb2
from shuangkou.wire.commands import SeatAct
from shuangkou.wire.families import codec_for
from shuangkou.wire.views import ruleset_of_view

T = TypeVar("T")


class SearchWorker:
    """A process that does one job after another and keeps nothing from one to the next."""

    def __init__(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(1, spawn, initializer=begin, initargs=(os.getpid(),))
        self._pid: int | None = None

    async def start(self) -> None:
        """Return when it is ready for searches; BrokenProcessPool where it dies before."""
        self._pid = await self.do(os.getpid)

    async def do(self, job: Callable[..., T], *arguments: object) -> T:
        """What the job gives, or whatever it raises; BrokenProcessPool where the process dies of it."""
        return await asyncio.wrap_future(self._pool.submit(job, *arguments))

    def kill(self) -> None:
        """End the process, whatever it does; nothing where it is dead already."""
        if self._pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        self._pool.shutdown(wait=False, cancel_futures=True)


def begin(parent: int) -> None:
    """In a new worker of this process: a killed AI player leaves no workers behind."""
    die_with(parent)
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
