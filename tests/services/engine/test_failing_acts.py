"""An act that fails by a fault of ours is told once: by its call, or where that is gone by the engine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, ensure_streams
from shuangkou.engine.acts import Acts, Done, Request
from shuangkou.engine.clock import Clock, now_ms
from shuangkou.engine.commands import OpenTable
from shuangkou.engine.log import TableLog, engine_streams
from shuangkou.engine.metrics import EngineMetrics
from shuangkou.engine.table import OPEN_SEAT, Table, Terms
from shuangkou.engine.tables import Keeping, Tables
from shuangkou.engine.uptime import UptimeWatch
from shuangkou.rules.ruleset import load

TABLE_ID = "aaaaaaaaaaaaaaaaaaaa"


class OurFault(Exception):
    """What no caller can be blamed for."""


@pytest.fixture
async def acts(bus: Bus) -> Acts:
    """Those of an engine that serves nobody else."""
    await ensure_streams(bus, engine_streams(1))
    metrics, log, clock = EngineMetrics(CollectorRegistry()), TableLog(bus), Clock()
    tables = Tables(bus, log, metrics, Keeping(changed=clock.set, forgotten=clock.forget))
    return Acts(tables, log, clock, UptimeWatch(bus, metrics), metrics, bot_ms=1000)


def opening(acts: Acts, meanwhile: Callable[[], None] = lambda: None) -> asyncio.Task[Done]:
    """A call that opens a table and meets a fault of ours, right after what happens `meanwhile`."""

    def permission(_: Table) -> bool:
        meanwhile()
        raise OurFault

    command = OpenTable(Terms("ann", 1, 0), (OPEN_SEAT,) * 4)
    request = Request(TABLE_ID, ("ann", "c1"), command, 1, permission, now_ms())
    return asyncio.create_task(acts.open(request, load("qq")))


async def test_who_waits_hears_of_it_and_the_log_does_not(acts: Acts) -> None:
    with capture_logs() as lines:
        with pytest.raises(OurFault):
            await opening(acts)
        # What is told later is told by callbacks that wait already.
        await asyncio.sleep(0)
    assert lines == []


async def test_the_log_hears_of_it_when_nobody_waits_any_more(acts: Acts) -> None:
    def hang_up() -> None:
        call.cancel()

    with capture_logs() as lines:
        call = opening(acts, meanwhile=hang_up)
        with pytest.raises(asyncio.CancelledError):
            await call
        await eventually(lambda: bool(lines))
    (line,) = lines
    assert line["event"] == "act_failed"
    assert isinstance(line["exc_info"], OurFault)
