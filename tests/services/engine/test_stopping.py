"""An engine that is asked to stop: no act is lost, streams are told to reconnect, the process ends soon."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc

from kit.engines import stored_commits
from kit.keys import Keys
from kit.service_process import Launcher
from kit.table_clients import PEOPLE, Caller, Clients, is_dealt, play_one, play_until, refused, told
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus
from shuangkou.v1.errors_pb2 import Refusal
from shuangkou.v1.table_pb2 import WatchTableResponse

_STOPPING = (grpc.StatusCode.UNAVAILABLE, "server/stopping")


async def test_an_engine_stops_in_the_middle_of_play(engine_launcher: Launcher, keys: Keys, bus: Bus) -> None:
    leaving, staying = await engine_launcher.start_all("engine", 2, bot_seconds="60")
    clients = Clients([leaving, staying], keys)
    people = clients.people(0)
    table_id = await clients.service().create(*PEOPLE, deals=100, deal_pause_ms=0)
    await play_until(people, table_id, is_dealt)
    streams = [aiter(clients.player(name).watch(table_id, seat)) for seat, name in enumerate(PEOPLE)]
    streams.append(aiter(clients.player("zoe").watch(table_id)))
    for stream in streams:
        await anext(stream)
    # A stream that nobody reads holds nothing up.
    unread = clients.player("zoe").watch(table_id, after=0)
    acknowledged: list[int] = []
    playing = asyncio.create_task(_play(people, table_id, acknowledged))
    await eventually(lambda: len(acknowledged) > 5)
    ends = [asyncio.create_task(_end(stream)) for stream in streams]
    assert await leaving.stop() == 0
    assert [told(await end) for end in ends] == [_STOPPING] * len(streams)
    await playing
    unread.cancel()
    versions = {commit.version for commit in await stored_commits(bus, table_id)}
    assert set(acknowledged) <= versions
    assert not [line for line in leaving.log if line["level"] == "error"]
    # Another engine goes on where it was.
    await play_one(clients.people(1), table_id, await clients.player("alice", 1).view(table_id))
    await clients.close()


async def _play(people: dict[int, Caller], table_id: str, acknowledged: list[int]) -> None:
    while True:
        try:
            acknowledged.append(await play_one(people, table_id, await people[0].view(table_id)))
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            return


async def _end(stream: AsyncIterator[WatchTableResponse]) -> tuple[grpc.StatusCode, Refusal]:
    async def read() -> None:
        async for _ in stream:
            pass

    return await refused(read())
