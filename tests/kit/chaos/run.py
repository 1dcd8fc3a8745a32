"""One run: tables are played while a storm blows, then what everyone was told is compared with the log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random

import grpc
from nats.aio.msg import Msg
from prometheus_client import CollectorRegistry

from kit.chaos.callers import Suite, callers, refusal_code
from kit.chaos.checker import check
from kit.chaos.evidence import what_is_stored
from kit.chaos.history import History
from kit.chaos.persons import Habits
from kit.chaos.processes import Place, Processes, Size, processes_up
from kit.chaos.report import Report
from kit.chaos.storm import Storm, Weather
from kit.chaos.tables import TableUnderFire
from shuangkou.chassis.nats import Server, connect

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of it. ``at_once``: tables that are played at the same time while the storm blows.

    ``mutation``: which safeguard a service goes without (see ``kit.chaos.mutant``); none by default.
    """

    seed: int
    at_once: int
    weather: Weather
    size: Size = field(default_factory=Size)
    habits: Habits = field(default_factory=Habits)
    mutation: str = ""

    def words(self) -> dict[str, object]:
        """What a report says of it."""
        weather, size = self.weather, self.size
        return {
            "seed": self.seed,
            "seconds": weather.seconds,
            "tables at once": self.at_once,
            "think seconds": self.habits.think_seconds,
            "engines": size.engines,
            "brokers": size.nodes,
            "shards": size.shards,
            "only": ",".join(weather.mishaps) or "-",
        }


async def run(plan: Plan, place: Place, say: Say) -> Report:
    """Play, storm, wait for calm, check."""
    history = History()
    async with processes_up(place, plan.size, plan.mutation) as processes:
        storm = Storm(processes, history, Random(plan.seed), plan.weather)
        engines = processes.addresses(*processes.engines)
        matchmaking = processes.addresses("matchmaking")[0]
        async with callers(engines, matchmaking, place.keys, history) as suite, _feed(processes, history):
            weather = asyncio.create_task(storm.blow())
            progress = asyncio.create_task(_tell(history, storm, say))
            try:
                await _play(plan, suite)
            finally:
                progress.cancel()
            await weather
        stored = await what_is_stored(processes, place.keys, history, plan.habits.patience_seconds)
    return Report(plan.words(), history, storm.counts, check(history, stored), stored)


async def _play(plan: Plan, suite: Suite) -> None:
    until = time.monotonic() + plan.weather.seconds
    async with asyncio.TaskGroup() as slots:
        for slot in range(plan.at_once):
            slots.create_task(_keep_playing(plan, suite, slot, until))


async def _keep_playing(plan: Plan, suite: Suite, slot: int, until: float) -> None:
    round_ = 0
    while round_ == 0 or time.monotonic() < until:
        table = TableUnderFire(suite, slot + round_ * plan.at_once, plan.seed, plan.habits)
        try:
            await table.run()
        except* TimeoutError:
            suite.history.absurd.append(("", f"table number {table.number} was given up"))
        except* grpc.aio.AioRpcError as errors:
            for error in errors.exceptions:
                code = refusal_code(error) if isinstance(error, grpc.aio.AioRpcError) else str(error)
                suite.history.absurd.append(("", f"at table number {table.number}: {code}"))
        round_ += 1


@asynccontextmanager
async def _feed(processes: Processes, history: History) -> AsyncIterator[None]:
    """Hear for the block what engines hear of each other."""
    bus = await connect(Server(processes.cluster.url), "checker", CollectorRegistry())

    async def heard(message: Msg) -> None:
        history.heard.append((message.subject, message.data))

    await bus.client.subscribe("live.>", cb=heard)
    try:
        yield
    finally:
        await bus.close()


async def _tell(history: History, storm: Storm, say: Say) -> None:
    while True:
        await asyncio.sleep(5)
        say(
            f"{len(history.tables)} tables, {len(history.acks)} acts answered, {storm.counts.total()} mishaps"
        )
