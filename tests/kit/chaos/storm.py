"""A suite whose processes die, freeze and stop being heard, as a seed has it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import grpc

from kit.chaos.history import Death, History
from kit.chaos.players import Suite
from kit.keys import Keys
from kit.nats import NatsServer
from kit.nats_proxy import NatsProxy, proxied
from kit.ports import free_port
from kit.service_process import Launcher, ServiceProcess, launching
from shuangkou.v1.table_pb2_grpc import TableServiceStub

_CHANNEL_OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 250),
    ("grpc.enable_http_proxy", 0),
)
_LONGEST_CALM_SECONDS = 1.0
_LONGEST_FREEZE_SECONDS = 2.5
_WEIGHTS = {
    "kill engine": 8,
    "freeze engine": 3,
    "lose answers": 4,
    "lose publishes": 4,
    "kill broker": 1,
    "freeze broker": 1,
    "kill ai_player": 2,
    "kill scoring": 2,
}


class Processes:
    """The broker, engines behind a proxy each, an AI player and a scorer; each comes back where it was."""

    def __init__(
        self, nats: NatsServer, launcher: Launcher, proxies: Sequence[NatsProxy], mutation: str
    ) -> None:
        self.nats = nats
        self.proxies = proxies
        self._launcher = launcher
        self._ports = [free_port() for _ in proxies]
        self._mutation = mutation
        self.engines: list[ServiceProcess] = [self._engine(number) for number in range(len(proxies))]
        self.workers = {name: self._worker(name) for name in ("ai_player", "scoring")}

    @property
    def addresses(self) -> list[str]:
        """Where the engines listen."""
        return [f"127.0.0.1:{port}" for port in self._ports]

    async def serving(self) -> None:
        """Wait until all serve."""
        await asyncio.gather(*(each.serving() for each in (*self.engines, *self.workers.values())))

    def kill_engine(self, number: int) -> None:
        """SIGKILL, and start another in its place."""
        self.engines[number].kill()
        self.engines[number] = self._engine(number)

    def kill_worker(self, name: str) -> None:
        """SIGKILL, and start another in its place."""
        self.workers[name].kill()
        self.workers[name] = self._worker(name)

    def _engine(self, number: int) -> ServiceProcess:
        return self._launcher.spawn(
            "engine",
            module="kit.chaos.mutant" if self._mutation else "",
            nats_url=self.proxies[number].url,
            grpc_address=f"127.0.0.1:{self._ports[number]}",
            mutation=self._mutation,
        )

    def _worker(self, name: str) -> ServiceProcess:
        return self._launcher.spawn(
            name,
            engine_target=f"ipv4:{','.join(self.addresses)}",
            database_url=f"sqlite+aiosqlite:///{self._launcher.folder / 'ledger.db'}",
        )


class Storm:
    """Blows until it is told to end; ``counts`` says what it did."""

    def __init__(
        self, processes: Processes, history: History, chance: Random, kinds: Sequence[str] = ()
    ) -> None:
        """``kinds``: the mishaps that may happen, all of them by default."""
        self.counts: Counter[str] = Counter()
        self._processes = processes
        self._history = history
        self._chance = chance
        self._weights = {kind: weight for kind, weight in _WEIGHTS.items() if not kinds or kind in kinds}

    async def blow(self, seconds: float) -> None:
        """One mishap after the other, for so long; everything runs again at the end."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await asyncio.sleep(self._chance.uniform(0.05, _LONGEST_CALM_SECONDS))
            what = self._chance.choices(list(self._weights), list(self._weights.values()))[0]
            self.counts[what] += 1
            await self._do(what)
        await self._processes.serving()

    async def _do(self, what: str) -> None:
        processes, number = self._processes, self._chance.randrange(len(self._processes.engines))
        match what.split():
            case "kill", "engine":
                self._history.deaths.append(Death(number, time.monotonic()))
                processes.kill_engine(number)
            case "kill", "broker":
                processes.nats.kill()
                await asyncio.sleep(self._chance.uniform(0, 0.5))
                await asyncio.to_thread(processes.nats.start)
            case "kill", worker:
                processes.kill_worker(worker)
            case "freeze", whom:
                frozen = processes.nats if whom == "broker" else processes.engines[number]
                with frozen.frozen():
                    await asyncio.sleep(self._chance.uniform(0.1, _LONGEST_FREEZE_SECONDS))
            case "lose", "answers":
                processes.proxies[number].lose_answer("table.")
            case _:
                processes.proxies[number].lose_publish("table.")


@asynccontextmanager
async def processes_up(folder: Path, keys: Keys, engines: int, mutation: str) -> AsyncIterator[Processes]:
    """A suite of this run alone."""
    nats = NatsServer(folder / "nats")
    nats.start()
    try:
        async with AsyncExitStack() as stack:
            proxies = [await stack.enter_async_context(proxied(nats)) for _ in range(engines)]
            launcher = stack.enter_context(launching(nats, keys, folder))
            processes = Processes(nats, launcher, proxies, mutation)
            await processes.serving()
            yield processes
    finally:
        nats.stop()


@asynccontextmanager
async def callers(addresses: Sequence[str], keys: Keys) -> AsyncIterator[Suite]:
    """Connections of clients to engines, which find them again after a restart."""
    channels = [grpc.aio.insecure_channel(address, options=_CHANNEL_OPTIONS) for address in addresses]
    try:
        yield Suite([TableServiceStub(channel) for channel in channels], keys)
    finally:
        await asyncio.gather(*(channel.close() for channel in channels))
