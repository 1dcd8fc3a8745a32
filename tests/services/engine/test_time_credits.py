"""A crash and an outage cost no player time: what nobody could use of a turn is given back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import pairwise
from urllib.request import urlopen

import grpc
import pytest

from kit.engines import stored_commits
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import Launcher, ServiceProcess
from kit.table_clients import PEOPLE, Caller, Clients, is_dealt, lowest_act, play_one, play_until, turn_of
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, NatsFailure
from shuangkou.engine.outages import GAP_MS
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import SeatView

QUICK = {"turn_seconds": "5", "lead_seconds": "5", "time_bank_seconds": "0"}
SLOW = {"turn_seconds": "60", "lead_seconds": "60"}
AWAY = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


def now_ms() -> float:
    return time.time() * 1000


def kinds(commits: list[Commit]) -> list[str | None]:
    return [event.WhichOneof("event") for commit in commits for event in commit.events]


async def past(moment_ms: float) -> None:
    """Wait until this moment is over."""
    await eventually(lambda: now_ms() > moment_ms, within=60)


async def first_view(caller: Caller, table_id: str) -> SeatView:
    """As soon as an engine answers."""

    async def look() -> SeatView | None:
        try:
            return await caller.view(table_id)
        except grpc.aio.AioRpcError as error:
            if error.code() not in AWAY:
                raise
            return None

    view: SeatView = await eventually(look, within=60)
    return view


async def log_with(bus: Bus, table_id: str, kind: str) -> list[Commit]:
    """The log once it holds an event of this kind; asks no engine, which would wake the table."""

    async def found() -> list[Commit]:
        try:
            commits = await stored_commits(bus, table_id)
        except NatsFailure:
            return []
        return commits if kind in kinds(commits) else []

    commits: list[Commit] = await eventually(found, within=60)
    return commits


def check_nobody_was_late_before_a_credit(commits: list[Commit]) -> None:
    """After the outage the clocks were set back first, and deadlines were kept from then on."""
    told = kinds(commits)
    assert "time_credited" in told
    assert "deadline_passed" not in told[: told.index("time_credited")]
    for before, after in pairwise(commits):
        if "deadline_passed" in kinds([after]):
            assert after.time_ms >= before.next.deadline_ms
        if kinds([after]) == ["time_credited"]:
            assert after.next.deadline_ms > before.next.deadline_ms


async def measured(engine: ServiceProcess, name: str, at_least: float) -> None:
    """Wait until the engine has measured so much; a commit is stored a moment before it is counted."""

    def scraped() -> bool:
        with urlopen(f"http://127.0.0.1:{engine.metrics_port}/metrics", timeout=10) as page:
            lines = page.read().decode().splitlines()
        return any(line.startswith(f"{name} ") and float(line.split()[1]) >= at_least for line in lines)

    await eventually(lambda: asyncio.to_thread(scraped))


class Interruption:
    """Two tables on which a person is to act when everything stops, until both deadlines are long past."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._tables: list[str] = []
        self._left_ms = 0.0

    async def begin(self) -> None:
        """Deal the cards."""
        service = self._clients.service()
        self._tables = [await service.create(*PEOPLE, options=QUICK) for _ in range(2)]
        for table_id in self._tables:
            await play_until(self._clients.people(), table_id, is_dealt)

    async def last(self, end: Callable[[], None]) -> None:
        """Have everything stop now; returns when the deadlines are past."""
        views = [await self._clients.player("zoe").view(table_id) for table_id in self._tables]
        self._left_ms = views[0].next.deadline_ms - now_ms()
        end()
        await past(max(view.next.deadline_ms for view in views) + 1_000)

    async def check(self, clients: Clients, bus: Bus) -> None:
        """The player has the time that was left and acts by itself; where nobody does the fallback comes."""
        acted, silent = self._tables
        view = await first_view(clients.player("zoe"), acted)
        seat = turn_of(view)
        assert seat is not None
        assert view.next.deadline_ms - now_ms() >= self._left_ms
        version = await play_one(clients.people(), acted, view)
        await bus.connected(within=30)
        commits = (await stored_commits(bus, acted))[:version]
        assert commits[-1].actor == PEOPLE[seat]
        assert "deadline_passed" not in kinds(commits)
        check_nobody_was_late_before_a_credit(commits)
        check_nobody_was_late_before_a_credit(await log_with(bus, silent, "deadline_passed"))


async def test_a_deadline_that_passed_while_no_engine_ran_is_nobodys(
    engine_launcher: Launcher, keys: Keys, bus: Bus
) -> None:
    first = await engine_launcher.start("engine")
    interruption = Interruption(Clients([first], keys))
    await interruption.begin()
    await interruption.last(first.kill)
    second = await engine_launcher.start("engine")
    clients = Clients([second], keys)
    await interruption.check(clients, bus)
    await measured(second, "shuangkou_engine_outages_total", at_least=1)
    await measured(second, "shuangkou_engine_time_credits_total", at_least=2)
    await clients.close()


async def test_a_deadline_that_passed_while_the_broker_was_gone_is_nobodys(
    engine_launcher: Launcher, nats_server: NatsServer, keys: Keys, bus: Bus
) -> None:
    clients = Clients([await engine_launcher.start("engine")], keys)
    interruption = Interruption(clients)
    await interruption.begin()
    await interruption.last(nats_server.kill)
    nats_server.start()
    await interruption.check(clients, bus)
    await clients.close()


async def test_an_outage_that_is_over_before_the_deadline_is_given_back_too(
    engine_launcher: Launcher, keys: Keys, bus: Bus
) -> None:
    first = await engine_launcher.start("engine")
    clients = Clients([first], keys)
    table_id = await clients.service().create(*PEOPLE, options=SLOW)
    before = await play_until(clients.people(), table_id, is_dealt)
    first.kill()
    killed_ms = now_ms()
    await past(killed_ms + 2_000)
    again = Clients([await engine_launcher.start("engine")], keys)
    view = await first_view(again.player("zoe"), table_id)
    assert view.next.deadline_ms - now_ms() >= before.next.deadline_ms - killed_ms
    assert view.next.turn_ms - before.next.turn_ms == view.next.deadline_ms - before.next.deadline_ms
    version = await play_one(again.people(), table_id, view)
    told = kinds((await stored_commits(bus, table_id))[:version])
    assert told.count("time_credited") == 1
    assert "time_bank_used" not in told
    await clients.close()
    await again.close()


@pytest.mark.parametrize("is_cold", [False, True], ids=["warm", "cold"])
async def test_what_was_decided_before_an_outage_counts_after_it(
    engine_launcher: Launcher, nats_server: NatsServer, keys: Keys, bus: Bus, is_cold: bool
) -> None:
    engine = await engine_launcher.start("engine")
    clients = Clients([engine], keys)
    table_id = await clients.service().create(*PEOPLE, options=SLOW)
    view = await play_until(clients.people(), table_id, is_dealt)
    seat = turn_of(view)
    assert seat is not None
    request = await lowest_act(clients.people()[seat], table_id, seat)
    request.expected_version = view.version
    nats_server.kill()
    await past(now_ms() + GAP_MS + 1_000)
    nats_server.start()
    await bus.connected(within=30)
    credited = (await log_with(bus, table_id, "time_credited"))[-1].version
    assert credited > view.version
    if is_cold:
        engine.kill()
        clients = Clients([await engine_launcher.start("engine")], keys)
    await first_view(clients.player("zoe"), table_id)
    assert await clients.people()[seat].act(request) > credited
    await clients.close()


async def test_an_engine_that_was_frozen_alone_gives_back_what_it_slept(
    engine_launcher: Launcher, keys: Keys, bus: Bus
) -> None:
    engine = await engine_launcher.start("engine")
    clients = Clients([engine], keys)
    table_id = await clients.service().create(*PEOPLE, options=QUICK)
    before = await play_until(clients.people(), table_id, is_dealt)
    with engine.frozen():
        await past(before.next.deadline_ms + 1_000)
    check_nobody_was_late_before_a_credit(await log_with(bus, table_id, "time_credited"))
    await play_one(clients.people(), table_id, await first_view(clients.player("zoe"), table_id))
    await clients.close()


async def test_an_act_that_arrived_in_time_counts_however_long_its_storing_takes(
    engine_launcher: Launcher, nats_server: NatsServer, keys: Keys, bus: Bus
) -> None:
    clients = Clients([await engine_launcher.start("engine")], keys)
    table_id = await clients.service().create(*PEOPLE, options=QUICK)
    view = await play_until(clients.people(), table_id, is_dealt)
    seat = turn_of(view)
    assert seat is not None
    request = await lowest_act(clients.people()[seat], table_id, seat)
    with nats_server.frozen():
        acting = asyncio.create_task(clients.people()[seat].act(request))
        await past(view.next.deadline_ms + 500)
    assert await acting == view.version + 1
    commits = (await stored_commits(bus, table_id))[: view.version + 1]
    assert (commits[-1].actor, "deadline_passed" in kinds(commits)) == (PEOPLE[seat], False)
    await clients.close()


async def test_while_another_engine_serves_there_is_no_outage(
    engine_launcher: Launcher, keys: Keys, bus: Bus
) -> None:
    engines = await engine_launcher.start_all("engine", 2)
    clients = Clients(engines, keys)
    table_id = await clients.service().create(*PEOPLE, options=QUICK)
    await play_until(clients.people(), table_id, is_dealt)
    engines[0].kill()
    # The one that is left has never seen the table.
    assert "time_credited" not in kinds(await log_with(bus, table_id, "deadline_passed"))
    assert engines[1].line("outage_over") is None
    await measured(engines[1], "shuangkou_engine_timer_lateness_seconds_count", at_least=1)
    await clients.close()


@pytest.mark.parametrize("hints", [1, 5])
async def test_a_wake_up_that_comes_early_or_twice_changes_nothing(
    clients: Clients, engines_bus: Bus, hints: int
) -> None:
    table_id = await clients.service().create(*PEOPLE)
    before = await play_until(clients.people(), table_id, is_dealt)
    for _ in range(hints):
        await engines_bus.client.publish(f"due.{table_id}")
    await engines_bus.client.flush()

    async def all_handled() -> bool:
        answer = await engines_bus.api("CONSUMER.INFO.TIMERS.engine-timers", {})
        return bool(answer["num_pending"] == answer["num_ack_pending"] == 0)

    await eventually(all_handled)
    assert await clients.player("zoe").view(table_id) == before
