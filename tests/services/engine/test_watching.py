"""WatchTable: a snapshot, then every commit once and in order, whatever happens in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest

from kit.engines import Engines, stored_commits
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import Launcher
from kit.table_clients import (
    PEOPLE,
    Caller,
    Clients,
    is_dealt,
    play_one,
    play_until,
)
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import (
    TABLE_PHASE_BETWEEN_DEALS,
    TABLE_PHASE_FINISHED,
    SeatView,
    TableUpdate,
    WatchTableResponse,
)
from shuangkou.v1.table_pb2_grpc import TableServiceStub

BOTS = ("bot:plain",) * 4
WITHIN = 20.0
_SMALL_WINDOW = (("grpc.http2.lookahead_bytes", 16), ("grpc.http2.bdp_probe", 0))
"""Options of a channel that lets the server send little ahead of the reader."""


class Stream:
    """An open stream of a table; heartbeats are counted and left out."""

    def __init__(self, responses: AsyncIterator[WatchTableResponse]) -> None:
        self._responses = responses
        self.heartbeats: list[int] = []

    async def next(self) -> SeatView | TableUpdate:
        """The next snapshot or commit."""
        async with asyncio.timeout(WITHIN):
            async for response in self._responses:
                if response.HasField("heartbeat"):
                    self.heartbeats.append(response.heartbeat.head_version)
                    continue
                return response.snapshot if response.HasField("snapshot") else response.commit
        raise AssertionError("the stream ended")

    async def snapshot(self) -> SeatView:
        """The next message, which must be a snapshot."""
        view = await self.next()
        assert isinstance(view, SeatView)
        return view

    async def commits_until(self, version: int) -> list[TableUpdate]:
        """Commits up to this version; fails on a snapshot."""
        updates: list[TableUpdate] = []
        while not updates or updates[-1].commit.version < version:
            update = await self.next()
            assert isinstance(update, TableUpdate)
            updates.append(update)
        return updates


@asynccontextmanager
async def watching(
    caller: Caller, table_id: str, seat: int | None = None, after: int | None = None
) -> AsyncIterator[Stream]:
    call = caller.watch(table_id, seat, after)
    try:
        yield Stream(aiter(call))
    finally:
        call.cancel()


async def dealt_table(clients: Clients, *names: str, deals: int = 1) -> str:
    """A table whose first deal has started."""
    table_id = await clients.service().create(*names, deals=deals)
    await play_until(clients.people(), table_id, is_dealt)
    return table_id


def public(commit: Commit) -> Commit:
    """The commit as streams carry it."""
    shown = Commit.FromString(commit.SerializeToString())
    shown.ClearField("bookkeeping")
    return shown


def versions(updates: list[TableUpdate]) -> list[int]:
    return [update.commit.version for update in updates]


async def test_a_stream_begins_with_the_view_and_goes_on_with_every_commit(
    clients: Clients, engines_bus: Bus
) -> None:
    people = clients.people()
    table_id = await dealt_table(clients, *PEOPLE)
    async with watching(people[1], table_id, seat=1) as stream:
        snapshot = await stream.snapshot()
        assert snapshot == await people[1].view(table_id, 1)
        view = await play_until(people, table_id, lambda view: view.phase == TABLE_PHASE_FINISHED)
        updates = await stream.commits_until(view.version)
    stored = await stored_commits(engines_bus, table_id)
    assert [update.commit for update in updates] == [public(commit) for commit in stored[snapshot.version :]]


async def test_the_snapshot_of_a_spectator_has_no_hand(clients: Clients) -> None:
    table_id = await dealt_table(clients, *PEOPLE)
    async with watching(clients.player("zoe"), table_id) as stream:
        snapshot = await stream.snapshot()
        assert not snapshot.hand
        assert not snapshot.HasField("seat")


@pytest.mark.parametrize("engine", [0, 1])
async def test_a_stream_resumes_after_any_version_without_gap_or_repeat(
    clients: Clients, engines_bus: Bus, engine: int
) -> None:
    people = clients.people()
    table_id = await dealt_table(clients, *PEOPLE)
    view = await play_until(people, table_id, lambda view: view.version >= 12)
    watcher = clients.player("bob", engine)
    for after in range(view.version + 1):
        async with watching(watcher, table_id, seat=1, after=after) as stream:
            head = (await stream.snapshot()).version
            version = await play_one(people, table_id, await people[0].view(table_id))
            updates = await stream.commits_until(version)
            assert versions(updates) == list(range(after + 1, version + 1))
            assert head in (version - 1, version)
            for update in updates:
                dealt = any(event.HasField("deal_started") for event in update.commit.events)
                assert len(update.own_hand) == (27 if dealt else 0)


async def test_a_new_deal_brings_the_watching_seat_its_own_hand(clients: Clients) -> None:
    bots = dict.fromkeys(range(4), clients.service())
    table_id = await clients.service().create("alice", *BOTS[1:], deals=2, deal_pause_ms=0)
    callers = bots | {0: clients.player("alice")}
    async with (
        watching(callers[0], table_id, seat=0, after=0) as own,
        watching(clients.player("zoe"), table_id, after=0) as spectator,
        watching(clients.service(engine=1), table_id, seat=1, after=0) as elsewhere,
    ):
        for stream in (own, spectator, elsewhere):
            await stream.snapshot()
        view = await play_until(callers, table_id, lambda view: view.deal_number == 2 and is_dealt(view))
        hand, other = [(await callers[seat].view(table_id, seat)).hand for seat in (0, 1)]
        assert (await own.commits_until(view.version))[-1].own_hand == hand
        assert (await elsewhere.commits_until(view.version))[-1].own_hand == other
        assert not any(update.own_hand for update in await spectator.commits_until(view.version))


async def test_a_watcher_of_one_engine_sees_what_another_does(clients: Clients) -> None:
    people = clients.people(engine=0)
    table_id = await dealt_table(clients, *PEOPLE)
    async with watching(clients.player("carol", 1), table_id, seat=2) as stream:
        first = (await stream.snapshot()).version
        for _ in range(10):
            version = await play_one(people, table_id, await people[0].view(table_id))
        assert versions(await stream.commits_until(version)) == list(range(first + 1, version + 1))


async def test_many_watchers_come_and_go_and_each_sees_everything(clients: Clients) -> None:
    people = clients.people()
    table_id = await dealt_table(clients, *PEOPLE)

    async def look(engine: int, until: asyncio.Future[int]) -> None:
        async with watching(clients.player("zoe", engine), table_id) as stream:
            first = (await stream.snapshot()).version
            end = await until
            if end > first:
                assert versions(await stream.commits_until(end)) == list(range(first + 1, end + 1))

    for _ in range(8):
        until: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        lookers = [asyncio.create_task(look(number % 2, until)) for number in range(6)]
        for _ in range(3):
            version = await play_one(people, table_id, await people[0].view(table_id))
        until.set_result(version)
        await asyncio.gather(*lookers)


async def test_a_silent_table_sends_heartbeats_with_its_head_version(clients: Clients) -> None:
    table_id = await clients.player("alice").create("alice")
    async with watching(clients.player("alice"), table_id) as stream:
        assert (await stream.snapshot()).version == 1
        waiting = asyncio.create_task(stream.next())
        await eventually(lambda: len(stream.heartbeats) >= 2)
        waiting.cancel()
        assert set(stream.heartbeats) == {1}


async def test_a_reader_that_falls_behind_is_sent_a_new_snapshot(clients: Clients, engines: Engines) -> None:
    bots = dict.fromkeys(range(4), clients.service())
    table_id = await clients.service().create(*BOTS, deals=100)
    reader = clients.player("zoe")
    async with grpc.aio.insecure_channel(engines.processes[0].target, options=_SMALL_WINDOW) as channel:
        slow = Caller("zoe", TableServiceStub(channel), reader.metadata)
        async with watching(slow, table_id, after=0) as stream:
            await stream.snapshot()
            view = await play_until(bots, table_id, lambda view: view.version >= 700)
            jumps, seen = [], 0
            while seen < view.version:
                news = await stream.next()
                if isinstance(news, SeatView):
                    jumps.append(news.version - seen)
                    seen = news.version
                else:
                    seen += 1
                    assert news.commit.version == seen
    assert jumps
    assert min(jumps) > 1


async def test_a_watcher_survives_the_death_of_the_broker(
    engine_launcher: Launcher, nats_server: NatsServer, keys: Keys
) -> None:
    engines = await engine_launcher.start_all("engine", 2, bot_seconds="60")
    clients = Clients(engines, keys)
    table_id = await dealt_table(clients, *PEOPLE)
    people = clients.people(engine=0)
    async with watching(clients.player("carol", 1), table_id, seat=2) as stream:
        first = (await stream.snapshot()).version
        await play_one(people, table_id, await people[0].view(table_id))
        await stream.commits_until(first + 1)
        nats_server.restart()
        version = await _play_when_possible(people, table_id)
        assert versions(await stream.commits_until(version)) == list(range(first + 2, version + 1))
    await clients.close()


async def _play_when_possible(people: dict[int, Caller], table_id: str) -> int:
    async def attempt() -> int | None:
        try:
            return await play_one(people, table_id, await people[0].view(table_id))
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            return None

    return int(await eventually(attempt, within=WITHIN))


async def test_a_watcher_sees_the_pause_and_the_next_deal(clients: Clients) -> None:
    bots = dict.fromkeys(range(4), clients.service())
    table_id = await clients.service().create(*BOTS, deals=2, deal_pause_ms=300)
    async with watching(clients.player("zoe", 1), table_id) as stream:
        first = (await stream.snapshot()).version
        view = await play_until(
            bots, table_id, lambda view: view.phase == TABLE_PHASE_BETWEEN_DEALS and view.deal_number == 1
        )
        updates = await stream.commits_until(view.version + 1)
        assert versions(updates) == list(range(first + 1, view.version + 2))
        assert updates[-1].commit.events[0].deal_started.number == 2
