"""One run: tables are played while a storm blows, then what everyone was told is compared with the log."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

import grpc
from prometheus_client import CollectorRegistry

from kit.chaos.checker import Finding, check
from kit.chaos.history import History, Stored
from kit.chaos.players import Suite, TableUnderFire
from kit.chaos.storm import Storm, callers, processes_up
from kit.keys import Keys
from kit.nats import NatsServer
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, Server, connect, read
from shuangkou.v1.events_pb2 import Commit, SettlementStored

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of it. ``at_once``: tables that are played at the same time while the storm blows.

    ``mishaps``: the kinds that may happen, none for all. ``mutation``: which safeguard the engines go without
    (see ``kit.chaos.mutant``); none by default.
    """

    seed: int
    seconds: float
    at_once: int
    engines: int = 3
    patience_seconds: float = 90.0
    mishaps: tuple[str, ...] = ()
    mutation: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What came of it."""

    plan: Plan
    history: History
    mishaps: Counter[str]
    findings: list[Finding]
    commits: int

    def lines(self) -> list[str]:
        """For a person."""
        acks, waits = self.history.acks, self.history.waits_after_deaths()
        told = sum(len(part) for parts in self.history.told.values() for part in parts)
        size = f"{len(self.history.tables)} tables, {self.commits} commits"
        answers = f"{len(acks)} acts answered, {len(self.history.refused)} refused, {told} commits watched"
        lines = [
            f"seed {self.plan.seed}: {size}, {answers}",
            f"mishaps: {_counted(self.mishaps)}",
            f"troubles of clients: {_counted(self.history.troubles)}",
        ]
        if waits:
            p50, p99 = waits[len(waits) // 2], waits[min(len(waits) - 1, len(waits) * 99 // 100)]
            lines.append(
                f"from an engine's death to a table's next answer: p50 {p50 * 1000:.0f} ms, "
                f"p99 {p99 * 1000:.0f} ms, worst {waits[-1] * 1000:.0f} ms, of {len(waits)}"
            )
        lines += [f"FOUND {each.law}: {each.what} (table {each.table_id})" for each in self.findings[:50]]
        lines.append(f"{len(self.findings)} findings")
        return lines


def _counted(what: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {times}" for name, times in sorted(what.items()))


async def run(plan: Plan, keys: Keys, folder: Path, say: Say) -> Report:
    """Play, storm, wait for calm, check."""
    history = History()
    async with processes_up(folder, keys, plan.engines, plan.mutation) as processes:
        storm = Storm(processes, history, Random(plan.seed), plan.mishaps)
        async with callers(processes.addresses, keys) as suite:
            weather = asyncio.create_task(storm.blow(plan.seconds))
            until = time.monotonic() + plan.seconds
            progress = asyncio.create_task(_tell(history, storm, say))
            try:
                async with asyncio.TaskGroup() as slots:
                    for slot in range(plan.at_once):
                        slots.create_task(_keep_playing(suite, history, slot, plan, until))
            finally:
                progress.cancel()
            await weather
        stored = await what_is_stored(processes.nats, history, plan.patience_seconds)
    commits = sum(len(each) for each in stored.commits.values())
    return Report(plan, history, storm.counts, check(history, stored), commits)


async def _keep_playing(suite: Suite, history: History, slot: int, plan: Plan, until: float) -> None:
    round_ = 0
    while round_ == 0 or time.monotonic() < until:
        number = slot + round_ * plan.at_once
        chance = Random(f"{plan.seed}-{number}")
        table = TableUnderFire(suite, history, number, chance, plan.patience_seconds)
        try:
            await table.run()
        except (TimeoutError, AssertionError):
            # The checker finds that the table is not finished.
            history.troubles["gave up"] += 1
        except grpc.aio.AioRpcError as error:
            history.absurd.append((table.table_id, error.details() or error.code().name))
        round_ += 1


async def _tell(history: History, storm: Storm, say: Say) -> None:
    while True:
        await asyncio.sleep(5)
        say(
            f"{len(history.tables)} tables, {len(history.acks)} acts answered, {storm.counts.total()} mishaps"
        )


async def what_is_stored(nats: NatsServer, history: History, patience_seconds: float) -> Stored:
    """The log of the run's tables, and their settlements once every ended deal has one."""
    bus = await connect(Server(nats.url), "checker", CollectorRegistry())
    try:
        commits: dict[str, list[Commit]] = {table_id: [] for table_id in history.tables}
        async for message in read(bus, "TABLES", "table.*.*.public.*"):
            commit = Commit.FromString(message.payload)
            commits.setdefault(commit.table_id, []).append(commit)

        async def all_settled() -> dict[str, list[SettlementStored]] | None:
            settlements = await _settlements(bus)
            return settlements if set(history.tables) <= settlements.keys() else None

        try:
            settlements = await eventually(all_settled, within=patience_seconds)
        except AssertionError:
            # The checker says of which table.
            settlements = await _settlements(bus)
        return Stored(commits, settlements)
    finally:
        await bus.close()


async def _settlements(bus: Bus) -> dict[str, list[SettlementStored]]:
    settlements: dict[str, list[SettlementStored]] = defaultdict(list)
    async for message in read(bus, "SCORES", "score.>"):
        settlement = SettlementStored.FromString(message.payload)
        settlements[settlement.table_id].append(settlement)
    return settlements
