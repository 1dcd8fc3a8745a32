"""An engine's memory does not grow with what it has done. `make bench` prints by how much for a lot of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.soak import Soak, growth
from bench.suite import Callers, client_of
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import Launcher, launching

# Gross bounds in bytes for each: so little work is mostly noise, and what is kept for ever is larger.
_BOUNDS = {"acts": (5, 20_000), "watches": (500, 40_000), "tables": (500, 40_000)}


@pytest.fixture
def launcher(nats_server: NatsServer, keys: Keys, tmp_path: Path) -> Iterator[Launcher]:
    """Starts processes that share no memory with others."""
    with launching(nats_server, keys, tmp_path) as launcher:
        yield launcher


@pytest.mark.timeout(600)
@pytest.mark.parametrize("what", _BOUNDS)
async def test_an_engine_keeps_nothing_of_what_is_over(
    launcher: Launcher, keys: Keys, tmp_path: Path, what: str
) -> None:
    total, bound = _BOUNDS[what]
    process = await launcher.start("engine", idle_table_seconds="0.2")
    async with client_of(process, Callers.made_with(keys)) as engine:
        grown = await growth(what, process, getattr(Soak(engine), what), total, steps=5)
    assert grown.per_unit < bound, grown
