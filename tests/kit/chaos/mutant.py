"""An engine without one of its safeguards, named by SHUANGKOU_MUTATION, to show that the checker sees it.

unchecked: appends without the optimistic check. early: answers before the commit is stored. credulous: takes
an append that nobody answered for a stored one.
"""

from __future__ import annotations

import asyncio
import os

from shuangkou.chassis.app import run
from shuangkou.chassis.nats.appending import append
from shuangkou.chassis.nats.connection import Bus
from shuangkou.chassis.nats.errors import AppendTimeout
from shuangkou.chassis.nats.messages import Expectation, NewMessage
from shuangkou.engine import log as engine_log
from shuangkou.engine.bind import bind
from shuangkou.engine.fold import Entry
from shuangkou.engine.log import TableLog
from shuangkou.engine.settings import EngineSettings
from shuangkou.wire.refusals import refusal

_STORED_LATER_SECONDS = 0.5
_append = TableLog.append
_tasks: set[asyncio.Task[int]] = set()


async def _unchecked(bus: Bus, message: NewMessage, _expect: Expectation, timeout: float) -> int:
    return await append(bus, message, timeout=timeout)


async def _early(self: TableLog, entry: Entry, last_sequence: int) -> int:
    if entry.secret is not None:
        return await _append(self, entry, last_sequence)

    async def later() -> int:
        await asyncio.sleep(_STORED_LATER_SECONDS)
        return await _append(self, entry, last_sequence)

    task = asyncio.create_task(later())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    return last_sequence + 1


async def _credulous(self: TableLog, entry: Entry, last_sequence: int) -> int:
    try:
        return await _append(self, entry, last_sequence)
    except AppendTimeout:
        return last_sequence + 1


match os.environ["SHUANGKOU_MUTATION"]:
    case "unchecked":
        vars(engine_log)["append"] = _unchecked
    case "early":
        TableLog.append = _early  # type: ignore[method-assign]  # the engine under test is a broken one
    case "credulous":
        TableLog.append = _credulous  # type: ignore[method-assign]  # the engine under test is a broken one
    case other:
        raise SystemExit(f"no mutation {other!r}")

run("engine", EngineSettings, bind, refusal)
