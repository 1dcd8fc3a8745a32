"""Bots at real tables: real AI players, a real engine, a real NATS."""

from __future__ import annotations

import asyncio
from functools import partial
from urllib.request import urlopen

from kit.bot_tables import Tables, commits_of
from kit.keys import Keys
from kit.ports import free_port
from kit.service_process import Launcher, ServiceProcess
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus
from shuangkou.v1.events_pb2 import Commit, Event

BOTS = ("plain", "veteran", "tilt", "carefree")


async def finished(tables: Tables, *table_ids: str) -> None:
    """Wait until these tables are played out."""
    for table_id in table_ids:
        await eventually(partial(tables.is_finished, table_id), within=90)


async def are_under_way(tables: Tables, table_ids: list[str]) -> bool:
    """Some acts were made at every table."""
    return all([(await tables.view(table_id)).version > 20 for table_id in table_ids])


def events_in(commits: list[Commit], kind: str) -> list[Event]:
    """All events of one kind."""
    return [event for commit in commits for event in commit.events if event.WhichOneof("event") == kind]


def check_every_act_was_made_once(commits: list[Commit]) -> None:
    """Consecutive versions, one act in each, none under the same id as another."""
    assert [commit.version for commit in commits] == list(range(1, len(commits) + 1))
    ids = [(commit.actor, commit.command_id) for commit in commits]
    assert len(set(ids)) == len(ids)
    for commit in commits:
        acts = [event for event in commit.events if event.WhichOneof("event") in ("cards_played", "passed")]
        assert len(acts) <= 1


async def test_four_bots_play_a_table_to_its_end(
    launcher: Launcher, engine: ServiceProcess, tables: Tables, bus: Bus
) -> None:
    await launcher.start("ai_player", engine_target=engine.target)
    table_id = await tables.open(*BOTS, deals=2)
    await finished(tables, table_id)
    commits = await commits_of(bus, table_id)
    check_every_act_was_made_once(commits)
    assert len(events_in(commits, "deal_settled")) == 2
    assert not events_in(commits, "deadline_passed")


async def test_two_ai_players_share_the_tables(
    launcher: Launcher, engine: ServiceProcess, tables: Tables, bus: Bus
) -> None:
    replicas = await launcher.start_all("ai_player", 2, engine_target=engine.target)
    table_ids = [await tables.open(*BOTS) for _ in range(4)]
    await finished(tables, *table_ids)
    for table_id in table_ids:
        check_every_act_was_made_once(await commits_of(bus, table_id))
    assert all([await decisions(replica, "played") > 0 for replica in replicas])


async def test_a_killed_ai_player_leaves_no_table_behind(
    launcher: Launcher, engine: ServiceProcess, tables: Tables, bus: Bus
) -> None:
    victim = await launcher.start("ai_player", engine_target=engine.target)
    table_ids = [await tables.open(*BOTS) for _ in range(4)]
    await eventually(partial(are_under_way, tables, table_ids), within=30)
    victim.kill()
    await launcher.start("ai_player", engine_target=engine.target)
    await finished(tables, *table_ids)
    for table_id in table_ids:
        commits = await commits_of(bus, table_id)
        check_every_act_was_made_once(commits)
        assert not events_in(commits, "deadline_passed")


async def test_a_hosted_seat_is_played_for_its_person(
    launcher: Launcher, engine: ServiceProcess, tables: Tables, bus: Bus
) -> None:
    await launcher.start("ai_player", engine_target=engine.target)
    table_id = await tables.open("host", "plain", "plain", "plain")
    await tables.host_seat(table_id, 0)
    await finished(tables, table_id)
    commits = await commits_of(bus, table_id)
    assert not events_in(commits, "deadline_passed")
    assert 0 in {event.cards_played.seat for event in events_in(commits, "cards_played")}


async def test_work_waits_for_an_engine(
    launcher: Launcher, engine: ServiceProcess, tables: Tables, bus: Bus
) -> None:
    address = f"127.0.0.1:{free_port()}"
    ai_player = await launcher.start("ai_player", engine_target=address)
    table_id = await tables.open(*BOTS)

    async def has_tried() -> bool:
        return await decisions(ai_player, "failed") > 0

    await eventually(has_tried, within=20)
    await launcher.start("engine", grpc_address=address, bot_seconds="60")
    await finished(tables, table_id)
    # An engine that is away is no fault of the AI player, and the work is not lost.
    assert {line["event"] for line in ai_player.log if line["level"] == "warning"} == {"work_put_off"}
    assert not [line for line in ai_player.log if line["level"] == "error" or "exception" in line]
    commits = await commits_of(bus, table_id)
    check_every_act_was_made_once(commits)
    assert not events_in(commits, "deadline_passed")


async def test_bots_go_on_when_one_of_two_engines_is_killed(
    launcher: Launcher, engine: ServiceProcess, tables: Tables, bus: Bus
) -> None:
    victim = await launcher.start("engine", bot_seconds="60")
    await launcher.start("ai_player", engine_target=f"ipv4:{victim.target},{engine.target}")
    table_ids = [await tables.open(*BOTS) for _ in range(2)]
    await eventually(partial(are_under_way, tables, table_ids), within=30)
    victim.kill()
    await finished(tables, *table_ids)
    for table_id in table_ids:
        commits = await commits_of(bus, table_id)
        check_every_act_was_made_once(commits)
        assert not events_in(commits, "deadline_passed")


async def test_work_that_is_too_old_is_dropped(launcher: Launcher, keys: Keys, bus: Bus) -> None:
    hasty = await launcher.start("engine", bot_seconds="0.001")
    tables = Tables(hasty, keys)
    table_id = await tables.open(*BOTS)
    await finished(tables, table_id)
    await tables.close()
    left = [commit for commit in await commits_of(bus, table_id) if commit.next.seats]
    ai_player = await launcher.start("ai_player", engine_target=hasty.target)

    async def all_dropped() -> bool:
        return await decisions(ai_player, "dropped_stale") == len(left)

    await eventually(all_dropped, within=20)
    assert await decisions(ai_player, "played") == 0


async def decisions(replica: ServiceProcess, outcome: str) -> float:
    """How many seats' turns ended like this at this AI player."""
    page = await asyncio.to_thread(_scrape, replica)
    prefix, label = "shuangkou_ai_player_decisions_total{", f'outcome="{outcome}"'
    lines = [line for line in page.splitlines() if line.startswith(prefix) and label in line]
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines)


def _scrape(replica: ServiceProcess) -> str:
    with urlopen(f"http://127.0.0.1:{replica.metrics_port}/metrics", timeout=10) as answer:
        page: bytes = answer.read()
    return page.decode()
