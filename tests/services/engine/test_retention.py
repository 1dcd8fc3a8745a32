"""Tables that are over leave the log once their time has come; no other does, and none comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from kit.engines import stored_commits
from kit.keys import Keys
from kit.service_process import Launcher, ServiceProcess
from kit.table_clients import (
    PEOPLE,
    Caller,
    Clients,
    is_dealt,
    play_until,
    seated,
    told,
)
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, read
from shuangkou.v1.table_pb2 import TABLE_PHASE_FINISHED, CreateTableRequest, GetTableRequest

BOTS = ["bot:plain"] * 4
WITHIN = 30.0


@pytest.fixture
async def clients(engine_launcher: Launcher, keys: Keys) -> AsyncIterator[Clients]:
    """Callers of two engines that keep a table for a second after its end."""
    made = Clients(await engine_launcher.start_all("engine", 2, finished_table_seconds="1"), keys)
    yield made
    await made.close()


@pytest.fixture
async def scoring(engine_launcher: Launcher) -> ServiceProcess:
    """Who stores settlements."""
    database = f"sqlite:///{engine_launcher.folder}/ledger.db"
    return await engine_launcher.start("scoring", database_url=database)


async def play_out(clients: Clients, *names: str, **terms: str) -> str:
    """A table that is played to its end by its holders."""
    opener = clients.service()
    table_id = await opener.create(*names, **terms)
    players: dict[int, Caller] = dict.fromkeys(range(4), clients.service())
    await play_until(players, table_id, lambda view: view.phase == TABLE_PHASE_FINISHED)
    return table_id


async def is_gone(bus: Bus, table_id: str) -> bool:
    return not [message async for message in read(bus, "TABLES", f"table.*.{table_id}.>")]


@pytest.fixture
async def newcomer(clients: Clients, engine_launcher: Launcher, keys: Keys) -> AsyncIterator[Clients]:
    """Callers of an engine that has no table in memory."""
    made = Clients([await engine_launcher.start("engine", finished_table_seconds="0")], keys)
    yield made
    await made.close()


async def test_a_table_that_is_over_is_purged_and_stays_in_the_event_stream(
    clients: Clients, newcomer: Clients, scoring: ServiceProcess, bus: Bus
) -> None:
    table_id = await play_out(clients, *BOTS)
    await eventually(lambda: is_gone(bus, table_id), within=WITHIN)
    told_to_analysts = [message async for message in read(bus, "EVENTS", f"events.table.*.{table_id}")]
    assert len(told_to_analysts) > 50
    answer = await newcomer.player("zoe").refused("GetTable", GetTableRequest(table_id=table_id))
    assert told(answer) == (grpc.StatusCode.NOT_FOUND, "table/unknown")


async def test_the_command_that_opened_a_purged_table_opens_no_other(
    clients: Clients, newcomer: Clients, scoring: ServiceProcess, bus: Bus
) -> None:
    table_id = await play_out(clients, *BOTS, command_id="once")
    await eventually(lambda: is_gone(bus, table_id), within=WITHIN)
    again = CreateTableRequest(command_id="once", ruleset_id="qq", seats=seated(*BOTS), deals=1)
    answer = await newcomer.service().refused("CreateTable", again)
    assert told(answer) == (grpc.StatusCode.INVALID_ARGUMENT, "request/command_id_reused")
    assert await is_gone(bus, table_id)


async def test_live_tables_are_left_alone(clients: Clients, scoring: ServiceProcess, bus: Bus) -> None:
    """One that waits for players, one in its first deal, and one that has settled deals behind it."""
    waiting = await clients.player("alice").create("alice", "", "", "")
    dealt = await clients.service().create(*PEOPLE)
    long_match = await clients.service().create(*PEOPLE, deals=5, deal_pause_ms=600_000)
    people = clients.people()
    await play_until(people, dealt, is_dealt)
    await play_until(people, long_match, lambda view: view.last_settlement.number == 1)
    before = {table_id: await stored_commits(bus, table_id) for table_id in (waiting, dealt, long_match)}
    over = await play_out(clients, *BOTS)
    await eventually(lambda: is_gone(bus, over), within=WITHIN)
    for table_id, commits in before.items():
        assert (await stored_commits(bus, table_id))[: len(commits)] == commits


async def test_a_table_stays_until_the_ledger_has_it(
    clients: Clients, engine_launcher: Launcher, bus: Bus
) -> None:
    unsettled = await play_out(clients, *BOTS)
    # Longer than the table is kept, and than several sweeps take.
    await asyncio.sleep(3.5)
    assert not await is_gone(bus, unsettled)
    await engine_launcher.start("scoring", database_url=f"sqlite:///{engine_launcher.folder}/ledger.db")
    await eventually(lambda: is_gone(bus, unsettled), within=WITHIN)


async def test_who_starts_later_purges_what_was_over_before(
    engine_launcher: Launcher, scoring: ServiceProcess, keys: Keys, bus: Bus
) -> None:
    keeper = await engine_launcher.start("engine", finished_table_seconds="0")
    clients = Clients([keeper], keys)
    table_id = await play_out(clients, *BOTS)
    await clients.close()
    await keeper.stop()
    await engine_launcher.start("engine", finished_table_seconds="1")
    await eventually(lambda: is_gone(bus, table_id), within=WITHIN)
