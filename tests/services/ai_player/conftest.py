"""Real AI players in front of a real engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from kit.bot_tables import Tables
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import Begin, Launcher, ServiceProcess, launching


@pytest.fixture
def launcher(nats_server: NatsServer, keys: Keys, tmp_path: Path, begin: Begin) -> Iterator[Launcher]:
    """Starts processes."""
    with launching(nats_server, keys, tmp_path, begin) as launcher:
        yield launcher


@pytest.fixture
async def engine(launcher: Launcher) -> ServiceProcess:
    """A real engine that waits long for a bot, so that no bot is spared its work."""
    return await launcher.start("engine", bot_seconds="60")


@pytest.fixture
async def tables(engine: ServiceProcess, keys: Keys) -> AsyncIterator[Tables]:
    """Where tables are opened and looked at."""
    tables = Tables(engine, keys)
    yield tables
    await tables.close()
