"""Two engines on one broker, shared by all tests that leave them alive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from kit.keys import Keys
from kit.nats import NatsServer
from kit.nursery import nursery
from kit.service_process import Begin, Launcher, ServiceProcess, launching
from kit.table_clients import Clients
from shuangkou.chassis.nats import Bus, Server, connect, read
from shuangkou.v1.events_pb2 import Commit


@dataclass(frozen=True, slots=True)
class Engines:
    """Engine processes and the broker that they share; not for killing, `engine_launcher` starts such."""

    nats: NatsServer
    processes: tuple[ServiceProcess, ...]

    def errors(self) -> list[dict[str, object]]:
        """What they have logged as errors so far."""
        return [line for process in self.processes for line in process.log if line["level"] in _GRAVE]


_GRAVE = ("error", "critical")


@pytest.fixture(scope="session")
def begin() -> Iterator[Begin]:
    """Begins the processes of services: where only their start is tried, they start as users start them."""
    with nursery() as begins:
        yield begins


@pytest.fixture(scope="session")
def engines(keys: Keys, tmp_path_factory: pytest.TempPathFactory, begin: Begin) -> Iterator[Engines]:
    """Two engines on one broker."""
    folder = tmp_path_factory.mktemp("engines")
    server = NatsServer(folder / "nats")
    server.start()
    with launching(server, keys, folder, begin) as launcher:
        processes = asyncio.run(launcher.start_all("engine", 2))
        yield Engines(server, tuple(processes))
    server.stop()


@pytest.fixture
async def clients(engines: Engines, keys: Keys) -> AsyncIterator[Clients]:
    """Callers of the two shared engines, whose calls must not make them log an error."""
    before = engines.errors()
    made = Clients(engines.processes, keys)
    yield made
    await made.close()
    assert engines.errors() == before


@pytest.fixture
async def engines_bus(engines: Engines) -> AsyncIterator[Bus]:
    """A connection to the broker of the shared engines."""
    bus = await connect(Server(engines.nats.url), "test", CollectorRegistry())
    yield bus
    await bus.close()


@pytest.fixture
def engine_launcher(nats_server: NatsServer, keys: Keys, tmp_path: Path, begin: Begin) -> Iterator[Launcher]:
    """Starts engines of this test alone, on a broker of this test alone, to be killed at will."""
    with launching(nats_server, keys, tmp_path, begin) as launcher:
        yield launcher


async def stored_commits(bus: Bus, table_id: str) -> list[Commit]:
    """Every commit of a table, as the log holds it."""
    messages = read(bus, "TABLES", f"table.*.{table_id}.public.>")
    return [Commit.FromString(message.payload) async for message in messages]
