"""A seat is never stuck: the engine acts when time is up, whoever of the engines is still alive."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from datetime import datetime

import pytest

from kit.engines import stored_commits
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import Launcher
from kit.table_clients import (
    PEOPLE,
    Clients,
    is_dealt,
    new_command_id,
    play_one,
    play_until,
    turn_of,
)
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, NatsFailure, NotThere
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import ActRequest, HostSeat

BOTS = ("bot:plain",) * 4
"""No AI player runs here, so they never answer."""
SLACK_MS = 300
AT = "Nats-Schedule: @at "


def kinds(commits: list[Commit]) -> list[str | None]:
    return [event.WhichOneof("event") for commit in commits for event in commit.events]


async def log_when(bus: Bus, table_id: str, is_enough: Callable[[list[Commit]], bool]) -> list[Commit]:
    """The log as soon as there is enough of it; asks no engine, which would wake the table."""

    async def enough() -> list[Commit]:
        try:
            commits = await stored_commits(bus, table_id)
        except NatsFailure:
            # The broker is being restarted.
            return []
        return commits if is_enough(commits) else []

    commits: list[Commit] = await eventually(enough, within=30)
    assert [commit.version for commit in commits] == list(range(1, len(commits) + 1))
    return commits


async def at_least(bus: Bus, table_id: str, number: int) -> int:
    """Wait for so many commits; how many there are."""
    return len(await log_when(bus, table_id, lambda commits: len(commits) >= number))


async def finished(bus: Bus, table_id: str) -> list[Commit]:
    """The whole log, once the match is over."""
    return await log_when(bus, table_id, lambda commits: "match_finished" in kinds(commits))


async def test_a_person_that_lets_its_time_pass_is_played_for(clients: Clients, engines_bus: Bus) -> None:
    alice, service = clients.player("alice"), clients.service()
    callers = dict.fromkeys(range(4), service) | {0: alice}
    options = {"turn_seconds": "5", "lead_seconds": "5", "time_bank_seconds": "0"}
    table_id = await service.create("alice", *BOTS[1:], options=options)
    await play_until(callers, table_id, lambda view: turn_of(view) == 0)
    began = time.monotonic()

    async def missed() -> list[Commit]:
        commits = await stored_commits(engines_bus, table_id)
        return [commit for commit in commits if commit.events[-1].HasField("deadline_passed")]

    commits = await eventually(missed, within=15)
    assert time.monotonic() - began > 4
    assert commits[0].events[-1].deadline_passed.seat == 0
    assert commits[0].events[-1].deadline_passed.in_a_row == 1
    assert commits[0].actor == "engine"
    assert not (await alice.view(table_id)).seats[0].hosted


async def test_an_engine_that_never_saw_a_table_goes_on_with_it_when_another_dies(
    engine_launcher: Launcher, keys: Keys, bus: Bus
) -> None:
    first = await engine_launcher.start("engine", bot_seconds="0.02")
    clients = Clients([first], keys)
    table_id = await clients.service().create(*BOTS)
    await at_least(bus, table_id, 20)
    first.kill()
    before = await at_least(bus, table_id, 20)
    # Started after the death of the other, and nobody tells it of the table but the schedule.
    await engine_launcher.start("engine", bot_seconds="0.02")
    await at_least(bus, table_id, before + 20)
    await clients.close()


async def test_bots_that_never_answer_are_played_for_to_the_end(
    engine_launcher: Launcher, keys: Keys, bus: Bus
) -> None:
    engines = await engine_launcher.start_all("engine", 2, bot_seconds="0.01")
    clients = Clients(engines, keys)
    service, other = (clients.service(engine=number) for number in range(2))
    table_ids = [await service.create(*BOTS) for _ in range(2)]
    for table_id in table_ids:
        # From now on both engines mind its deadlines.
        await other.view(table_id)
    for log in [await finished(bus, table_id) for table_id in table_ids]:
        for commit in log:
            for event in commit.events:
                assert not event.deadline_passed.in_a_row
            if commit.next.deadline_ms:
                # A schedule fires soon after, should both be dead by then.
                assert commit.time_ms < commit.bookkeeping.timer_ms <= commit.next.deadline_ms + SLACK_MS
    assert [line for engine in engines for line in engine.log if line["level"] == "error"] == []
    await clients.close()


async def test_deadlines_are_kept_over_a_restart_of_the_broker(
    engine_launcher: Launcher, nats_server: NatsServer, keys: Keys, bus: Bus
) -> None:
    engine = await engine_launcher.start("engine", bot_seconds="0.05")
    clients = Clients([engine], keys)
    table_id = await clients.service().create(*BOTS)
    before = await at_least(bus, table_id, 10)
    nats_server.restart()
    await at_least(bus, table_id, before + 10)
    await clients.close()


@pytest.mark.parametrize("pause_ms", [0, 200])
async def test_the_next_deal_starts_without_anybody_asking(
    clients: Clients, engines_bus: Bus, pause_ms: int
) -> None:
    service = clients.service()
    table_id = await service.create(*BOTS, deals=2, deal_pause_ms=pause_ms)
    await play_until({0: service}, table_id, is_dealt)
    settled: list[Commit] = []
    while not settled:
        view = await service.view(table_id)
        await play_one(dict.fromkeys(range(4), service), table_id, view)
        settled = [
            commit
            for commit in await stored_commits(engines_bus, table_id)
            if "deal_settled" in kinds([commit])
        ]

    async def second_deal() -> Commit | None:
        commits = await stored_commits(engines_bus, table_id)
        return next(
            (commit for commit in commits[settled[0].version :] if kinds([commit]) == ["deal_started"]), None
        )

    commit = await eventually(second_deal)
    assert commit.time_ms - settled[0].time_ms >= pause_ms


async def scheduled_ms(bus: Bus, table_id: str) -> int:
    """When the broker will wake an engine for this table; 0 for never."""
    try:
        answer = await bus.api("STREAM.MSG.GET.TIMERS", {"last_by_subj": f"timer.{table_id}"})
    except NotThere:
        return 0
    headers = base64.b64decode(answer["message"]["hdrs"]).decode()
    at = next(line for line in headers.splitlines() if line.startswith(AT)).removeprefix(AT)
    return round(datetime.fromisoformat(at).timestamp() * 1000)


async def test_a_schedule_that_a_forestalled_engine_replaced_is_set_anew(
    engine_launcher: Launcher, keys: Keys, bus: Bus
) -> None:
    engines = await engine_launcher.start_all("engine", 2, bot_seconds="0.2")
    clients = Clients(engines, keys)
    people, there = clients.people(0), clients.people(1)
    table_id = await clients.service().create(*PEOPLE)
    view = await play_until(people, table_id, is_dealt)
    seat = turn_of(view)
    assert seat is not None

    async def is_scheduled() -> bool:
        deadline_ms = (await people[0].view(table_id)).next.deadline_ms
        return deadline_ms <= await scheduled_ms(bus, table_id) <= deadline_ms + SLACK_MS

    await eventually(is_scheduled)
    await there[seat].view(table_id)
    await play_one(people, table_id, view)
    # The other engine still believes that this seat is to act, so that a bot's deadline would come soon.
    host = ActRequest(table_id=table_id, seat=seat, command_id=new_command_id(), host_seat=HostSeat())
    await there[seat].act(host)
    wrong_one_has_fired = time.time() + 0.2 + SLACK_MS / 1000 + 0.5
    await eventually(lambda: time.time() > wrong_one_has_fired)
    await eventually(is_scheduled)
    await clients.close()
