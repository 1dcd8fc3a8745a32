"""One run: so many hostile requests against a whole suite, then the log is compared with the answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from prometheus_client import CollectorRegistry

from kit.hostile.attacks import Attacker
from kit.hostile.callers import Pretences
from kit.hostile.forging import Forge
from kit.hostile.record import Attack, Record
from kit.hostile.suite import HostileSuite, hostile_suite
from kit.hostile.targets import Targets
from kit.keys import Keys
from kit.table_clients import PEOPLE, Clients
from shuangkou.chassis.nats import Server, connect, read
from shuangkou.v1.events_pb2 import Commit

Say = Callable[[str], None]

_AT_ONCE = 48
_ROUND = 2000
"""Requests between two looks at the processes, each with new tables to attack."""
_SOCKETS_A_ROUND = 10
"""To each process."""
_OVERSIZED = 0.002
_HASTY = 0.15


@dataclass(frozen=True, slots=True)
class Plan:
    """How many requests; equal seeds send the same, though to tables of other cards."""

    seed: int
    requests: int


@dataclass(frozen=True, slots=True)
class Report:
    """What came of it."""

    plan: Plan
    record: Record
    commits: int
    seconds: float

    @property
    def findings(self) -> list[str]:
        """The laws that were broken, each with its first example."""
        return [
            f"{law} ({times} times): {self.record.examples[law]}"
            for law, times in self.record.findings.items()
        ]

    def lines(self) -> list[str]:
        """For a person."""
        calls = sum(self.record.outcomes.values())
        return [
            f"seed {self.plan.seed}: {calls:,} calls in {self.seconds:.0f} s, {self.commits:,} commits",
            "answers: "
            + ", ".join(f"{name} {times:,}" for name, times in self.record.outcomes.most_common()),
            "calls: " + ", ".join(f"{name} {times:,}" for name, times in sorted(self.record.by_rpc.items())),
            *(f"FOUND {finding}" for finding in self.findings),
            f"{len(self.findings)} findings",
        ]


async def run(plan: Plan, keys: Keys, folder: Path, say: Say) -> Report:
    """Start a suite in the folder, attack it, and see whether the laws held."""
    record, rng, began = Record(), Random(plan.seed), time.monotonic()
    async with hostile_suite(keys, folder) as suite:
        clients = Clients(suite.engines, keys)
        battle = _Battle(suite, Targets(clients, record, rng), Pretences(keys, folder, PEOPLE), record, rng)
        for sent in range(0, plan.requests, _ROUND):
            known = set(record.findings)
            await battle.round(min(_ROUND, plan.requests - sent))
            for law in record.findings.keys() - known:
                say(f"FOUND {law}: {record.examples[law]}")
            say(
                f"{sent + _ROUND:,} sent in {time.monotonic() - began:.0f} s, {len(record.findings)} findings"
            )
        battle.attacker.leave()
        await clients.close()
        suite.look_after(record)
        commits = record.compare(await _commits(suite.nats.url))
    return Report(plan, record, commits, time.monotonic() - began)


class _Battle:
    """Rounds of attacks, each against newer tables."""

    def __init__(
        self, suite: HostileSuite, targets: Targets, pretences: Pretences, record: Record, rng: Random
    ) -> None:
        self.attacker = Attacker(record, rng)
        self._suite = suite
        self._targets = targets
        self._pretences = pretences
        self._record = record
        self._rng = rng
        self._weights = [rpc.weight for rpc in suite.rpcs]

    async def round(self, requests: int) -> None:
        """So many requests, some at once, and a few connections that are no calls."""
        self._suite.refresh_tokens()
        await self._targets.renew()
        attacks = self._attacks(requests)
        async with asyncio.TaskGroup() as group:
            for _ in range(_AT_ONCE):
                group.create_task(self._strike_all(attacks))
            for process in self._suite.processes.values():
                for _ in range(_SOCKETS_A_ROUND):
                    group.create_task(self.attacker.vandalise(process.grpc_port))
        self._suite.look_after(self._record)

    async def _strike_all(self, attacks: Iterator[Attack]) -> None:
        for attack in attacks:
            await self.attacker.strike(attack)

    def _attacks(self, requests: int) -> Iterator[Attack]:
        rng = self._rng
        forge = Forge(rng, self._targets.pools(), self._targets.honest)
        for rpc in rng.choices(self._suite.rpcs, self._weights, k=requests):
            raw = forge.oversized() if rng.random() < _OVERSIZED else forge.request(rpc.request)
            yield Attack(rpc, raw, self._pretences.any(rng), hasty=rng.random() < _HASTY)


async def _commits(nats_url: str) -> list[Commit]:
    bus = await connect(Server(nats_url), "test", CollectorRegistry())
    try:
        return [
            Commit.FromString(message.payload) async for message in read(bus, "TABLES", "table.*.*.public.*")
        ]
    finally:
        await bus.close()
