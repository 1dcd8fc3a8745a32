"""Keeps the processes of a suite running: starts them in order, restarts what dies, stops them in order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Final

from rich.text import Text

from shuangkou.chassis.nats import Server
from shuangkou.cli.broker import ANALYST, password_of
from shuangkou.cli.child import Child, ending
from shuangkou.cli.columns import left
from shuangkou.cli.plan import ProcessPlan, SuitePlan
from shuangkou.cli.problem import Problem, first_of
from shuangkou.cli.readiness import wait_for_nats, wait_for_service

Say = Callable[[Text | str], None]
"""Tells the person at the terminal one line."""

_START_SECONDS: Final = 180
_GRACE_SECONDS: Final = 10
_FIRST_BACKOFF_SECONDS: Final = 0.2
_LONGEST_BACKOFF_SECONDS: Final = 10
_STABLE_SECONDS: Final = 30
_TAIL_LINES: Final = 15


class Supervisor:
    """Runs a suite for as long as its ``async with`` block lasts. Problem when something does not start."""

    def __init__(self, plan: SuitePlan, say: Say) -> None:
        self.plan = plan
        self._say = say
        self._nats = Child(plan.nats, plan.folder.logs)
        self._services = [Child(service, plan.folder.logs) for service in plan.services]
        self._keepers: list[asyncio.Task[None]] = []

    @property
    def children(self) -> list[Child]:
        """All processes, the broker first."""
        return [self._nats, *self._services]

    async def __aenter__(self) -> Supervisor:
        try:
            await self._begin(self._nats)
            async with asyncio.TaskGroup() as starts:
                for service in self._services:
                    starts.create_task(self._begin(service))
        except BaseExceptionGroup as failures:
            await self._stop()
            raise first_of(failures) from None
        except BaseException:
            await self._stop()
            raise
        self.plan.folder.write(self.plan.record())
        self._keepers = [asyncio.create_task(self._keep(child)) for child in self.children]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        await self._stop()

    async def keep(self) -> None:
        """Until this is cancelled; raises what keeps the suite from being kept running."""
        await asyncio.gather(*self._keepers)

    async def _begin(self, child: Child) -> None:
        began = time.monotonic()
        await child.start()
        await self._until_ready(child)
        seconds = time.monotonic() - began
        line = Text("  ✓ ", "green").append_text(left(child.plan.name, 13))
        self._say(
            line.append_text(left(child.plan.address, 18)).append(f"ready after {seconds:.1f} s", "dim")
        )

    async def _until_ready(self, child: Child) -> None:
        ready = asyncio.ensure_future(self._ready(child.plan))
        exited = asyncio.ensure_future(child.exited())
        try:
            await asyncio.wait((ready, exited), timeout=_START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if exited.done():
                raise _not_started(child, ending(exited.result()))
            if not ready.done():
                raise _not_started(child, f"was not ready after {_START_SECONDS} s")
            ready.result()
        finally:
            ready.cancel()
            exited.cancel()

    async def _ready(self, plan: ProcessPlan) -> None:
        if plan is self.plan.nats:
            password = password_of(self.plan.folder, ANALYST)
            await wait_for_nats(Server(self.plan.nats_url, ANALYST, password, _START_SECONDS))
        else:
            await wait_for_service(plan.address)

    async def _keep(self, child: Child) -> None:
        backoff = _FIRST_BACKOFF_SECONDS
        while True:
            began = time.monotonic()
            how = ending(await child.exited())
            if time.monotonic() - began > _STABLE_SECONDS:
                backoff = _FIRST_BACKOFF_SECONDS
            self._say_when(f"{child.plan.name} {how}; starting it again in {backoff:g} s")
            await asyncio.sleep(backoff)
            backoff = min(backoff * 2, _LONGEST_BACKOFF_SECONDS)
            await child.start()
            with suppress(Problem):
                await self._until_ready(child)
                self._say_when(f"{child.plan.name} is back on {child.plan.address}")

    def _say_when(self, line: str) -> None:
        self._say(Text(f"{time.strftime('%H:%M:%S')} ", "dim").append(line, "not dim"))

    async def _stop(self) -> None:
        # The services need the broker to finish what they have accepted, so it goes last.
        try:
            await asyncio.gather(*(service.stop(_GRACE_SECONDS) for service in self._services))
        finally:
            await self._nats.stop(_GRACE_SECONDS)


def _not_started(child: Child, how: str) -> Problem:
    tail = "".join(f"\n    {line}" for line in child.last_lines(_TAIL_LINES))
    return Problem(f"{child.plan.name} {how}; the end of {child.log}:{tail}")
