"""Tables that a test must leave as they are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kit.nats_cluster import NatsCluster
from kit.positions import Position, just_dealt, just_led
from kit.table_clients import Clients


@pytest.fixture
async def leading(clients: Clients) -> AsyncIterator[Position]:
    """Nobody has played yet. Whatever the test does must leave the table as it is."""
    position = await just_dealt(clients)
    yield position
    assert await position.actor.view(position.table_id, position.seat) == position.view


@pytest.fixture
async def following(clients: Clients) -> AsyncIterator[Position]:
    """The leader has played its highest single. Whatever the test does must leave the table as it is."""
    position = await just_led(clients)
    yield position
    assert await position.actor.view(position.table_id, position.seat) == position.view


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[NatsCluster]:
    """Three brokers of this test alone."""
    made = NatsCluster(tmp_path / "nats", 3)
    try:
        await made.start()
        yield made
    finally:
        made.stop()
