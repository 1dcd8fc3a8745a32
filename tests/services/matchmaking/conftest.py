"""Real matchmaking processes in front of a real engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from kit.keys import Keys
from kit.nats import NatsServer
from kit.queueing import Club
from kit.service_process import Begin, Launcher, ServiceProcess, launching


@pytest.fixture
def launcher(nats_server: NatsServer, keys: Keys, tmp_path: Path, begin: Begin) -> Iterator[Launcher]:
    """Starts processes."""
    with launching(nats_server, keys, tmp_path, begin) as launcher:
        yield launcher


@pytest.fixture
async def club(keys: Keys) -> AsyncIterator[Club]:
    """Where players come from."""
    club = Club(keys)
    yield club
    await club.close()


@pytest.fixture
async def engine(launcher: Launcher) -> ServiceProcess:
    """A real engine."""
    return await launcher.start("engine")


@pytest.fixture
async def matchmaking(launcher: Launcher, engine: ServiceProcess) -> ServiceProcess:
    """One matchmaking replica, which asks nobody whether it is ready."""
    return await launcher.start("matchmaking", engine_target=engine.target, ready_check_seconds="0")


@pytest.fixture
async def asking(launcher: Launcher, engine: ServiceProcess) -> ServiceProcess:
    """One matchmaking replica, which asks everybody and pauses who is not ready."""
    settings = {"ready_check_seconds": "30", "unready_pause_seconds": "60"}
    return await launcher.start("matchmaking", engine_target=engine.target, **settings)
