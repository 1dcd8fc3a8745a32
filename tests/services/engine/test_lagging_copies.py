"""Of several copies of a log some lag behind for a moment; what was answered is read all the same."""

from __future__ import annotations

import time

import pytest
from prometheus_client import CollectorRegistry

from kit.nats_cluster import NatsCluster
from shuangkou.chassis.nats import Bus, NewMessage, Server, append, connect, ensure_streams
from shuangkou.engine.log import TableLog, engine_streams
from shuangkou.v1.events_pb2 import Commit

_COPIES = 3
_SECONDS = 2.0
"""Of reading through each broker; copies answer readers only a moment after they are made.

Without the leader's word, about one look in ten came to a copy that lagged.
"""


@pytest.mark.timeout(240)
async def test_what_is_stored_is_read_through_every_broker(cluster: NatsCluster) -> None:
    first = await connect(Server(cluster.url), "test", CollectorRegistry())
    await ensure_streams(first, engine_streams(_COPIES))
    await first.close()
    for number, node in enumerate(cluster.nodes):
        bus = await connect(Server(node.url), "test", CollectorRegistry())
        await _reads_what_it_stored(bus, f"t{number}")
        await bus.close()


async def _reads_what_it_stored(bus: Bus, table_id: str) -> None:
    log = TableLog(bus, replicas=_COPIES)
    assert await log.last(table_id) is None
    until, version = time.monotonic() + _SECONDS, 0
    while time.monotonic() < until:
        version += 1
        commit = Commit(table_id=table_id, version=version).SerializeToString()
        sequence = await append(bus, NewMessage(f"table.qq.{table_id}.public.human", commit))
        last = await log.last(table_id)
        assert last is not None
        assert (last.sequence, last.payload) == (sequence, commit)
        records = [record async for record in log.records(table_id, sequence, known_sequence=sequence)]
        assert [record.commit.version for record in records] == [version]
