"""A person has one stream of its seat: a newer one, on whatever engine, ends the older with a reason."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from kit.keys import Keys
from kit.nats import NatsServer
from kit.nats_proxy import proxied
from kit.service_process import Launcher
from kit.table_clients import PEOPLE, Caller, Clients, is_dealt, play_one, play_until, refused, told
from kit.waiting import eventually
from shuangkou.v1.table_pb2 import WatchTableResponse

SUPERSEDED = (grpc.StatusCode.FAILED_PRECONDITION, "stream/superseded")
WITHIN = 20.0


class Stream:
    """An open stream, read in the background: its last version, and how it has ended."""

    def __init__(self, caller: Caller, table_id: str, seat: int | None) -> None:
        self.version = 0
        self._call: Any = caller.watch(table_id, seat)
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        response: WatchTableResponse
        async for response in self._call:
            self.version = max(self.version, response.snapshot.version, response.commit.commit.version)

    async def began(self) -> Stream:
        await eventually(lambda: self.version or self._reading.done(), within=WITHIN)
        assert self.is_open
        return self

    @property
    def is_open(self) -> bool:
        return not self._reading.done()

    async def end(self) -> tuple[grpc.StatusCode, str]:
        """Wait for its end, which must be a refusal."""
        return told(await refused(asyncio.wait_for(self._reading, WITHIN)))

    def close(self) -> None:
        self._call.cancel()
        self._reading.cancel()


async def opened(caller: Caller, table_id: str, seat: int | None) -> Stream:
    return await Stream(caller, table_id, seat).began()


async def table_of_people(clients: Clients) -> str:
    table_id = await clients.service().create(*PEOPLE)
    await play_until(clients.people(), table_id, is_dealt)
    return table_id


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 1), (1, 0)])
async def test_a_second_stream_ends_the_first(clients: Clients, first: int, second: int) -> None:
    table_id = await table_of_people(clients)
    older = await opened(clients.player("bob", first), table_id, 1)
    newer = await opened(clients.player("bob", second), table_id, 1)
    assert await older.end() == SUPERSEDED
    version = await play_one(clients.people(), table_id, await clients.player("alice").view(table_id))
    await eventually(lambda: newer.version == version)
    assert newer.is_open
    newer.close()


async def test_other_people_onlookers_and_services_are_left_alone(clients: Clients) -> None:
    table_id = await clients.service().create("alice", "bob", "bot:plain", "bot:plain")
    other_table = await clients.service().create("bob", "alice", "bot:plain", "bot:plain")
    others = [
        await opened(clients.player("alice", 0), table_id, 0),
        await opened(clients.player("bob", 0), other_table, 0),
        await opened(clients.player("bob", 0), table_id, None),
        await opened(clients.player("bob", 1), table_id, None),
        await opened(clients.service(engine=0), table_id, 2),
        await opened(clients.service(engine=1), table_id, 2),
    ]
    older = await opened(clients.player("bob", 0), table_id, 1)
    newer = await opened(clients.player("bob", 1), table_id, 1)
    assert await older.end() == SUPERSEDED
    version = await clients.people()[0].view(table_id)
    assert all(stream.is_open for stream in (*others, newer)), version
    for stream in (*others, newer):
        stream.close()


async def test_of_streams_opened_at_once_exactly_one_is_left(clients: Clients) -> None:
    table_id = await table_of_people(clients)
    streams = [Stream(clients.player("carol", number % 2), table_id, 2) for number in range(12)]
    await eventually(lambda: sum(stream.is_open for stream in streams) == 1, within=WITHIN)
    ends = [await stream.end() for stream in streams if not stream.is_open]
    assert set(ends) == {SUPERSEDED}
    (left,) = (stream for stream in streams if stream.is_open)
    version = await play_one(clients.people(), table_id, await clients.player("alice").view(table_id))
    await eventually(lambda: left.version == version)
    left.close()


async def test_an_engine_that_did_not_hear_of_it_looks_it_up(
    engine_launcher: Launcher, nats_server: NatsServer, keys: Keys
) -> None:
    async with proxied(nats_server) as proxy:
        behind = await engine_launcher.start("engine", nats_url=proxy.url)
        direct = await engine_launcher.start("engine")
        clients = Clients([behind, direct], keys)
        table_id = await table_of_people(clients)
        older = await opened(clients.player("bob", 0), table_id, 1)
        proxy.lose_message("claimed.")
        newer = await opened(clients.player("bob", 1), table_id, 1)
        await eventually(lambda: proxy.lost == ["claimed."])
        assert older.is_open
        await proxy.close()
        assert await older.end() == SUPERSEDED
        assert newer.is_open
        newer.close()
        await clients.close()


async def test_a_stream_begins_while_nobody_can_say_that_it_is_the_newest(
    engine_launcher: Launcher, nats_server: NatsServer, keys: Keys
) -> None:
    async with proxied(nats_server) as proxy:
        clients = Clients([await engine_launcher.start("engine", nats_url=proxy.url)], keys)
        table_id = await table_of_people(clients)
        proxy.lose_publish("claim.")
        older = await opened(clients.player("bob"), table_id, 1)
        assert proxy.lost == ["claim."]
        newer = await opened(clients.player("bob"), table_id, 1)
        # The older one claims again when nobody has answered it, and is then the newest.
        await eventually(lambda: older.is_open != newer.is_open, within=WITHIN)
        assert await (newer if older.is_open else older).end() == SUPERSEDED
        (older if older.is_open else newer).close()
        await clients.close()
