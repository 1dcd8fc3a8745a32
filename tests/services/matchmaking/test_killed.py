"""A matchmaking process dies between a claim and its table: its players sit once or wait, never both."""

from __future__ import annotations

import pytest

from kit.killing import CLAIMED, MARKED, Scene, kill_matchmaker
from kit.nats_proxy import proxied
from kit.queueing import Club, matches_published, refused
from kit.service_process import Launcher, ServiceProcess
from shuangkou.chassis.nats import Bus, read
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_WAITING


async def tables_of(bus: Bus, name: str) -> list[str]:
    """The tables that gave the player a seat, by the engine's own log."""
    found = []
    async for message in read(bus, "TABLES", "table.*.*.public.>"):
        commit = Commit.FromString(message.payload)
        found += [commit.table_id for event in commit.events if event.seat_taken.player_id == name]
    return found


@pytest.mark.parametrize("moment", [CLAIMED, MARKED])
async def test_who_is_claimed_when_the_matchmaker_dies_is_seated_by_another(
    launcher: Launcher, engine: ServiceProcess, club: Club, bus: Bus, moment: str
) -> None:
    survivor = await launcher.start("matchmaking", engine_target=engine.target)
    async with proxied(launcher.nats_server) as proxy:
        scene = Scene(launcher, club, proxy, engine, survivor)
        left = await kill_matchmaker(scene, moment, "p")
    tickets = await left.seated()
    [table_id] = {ticket.table_id for ticket in tickets}
    assert sorted(ticket.seat for ticket in tickets) == [0, 1, 2, 3]
    assert [ticket.created_ms for ticket in tickets] == [ticket.created_ms for ticket in left.made]
    assert await tables_of(bus, "p0") == [table_id]
    [matched] = await matches_published(bus)
    assert sorted(matched.players) == ["p0", "p1", "p2", "p3"]
    for player in left.players:
        assert await refused(player.queue("next")) == "match/already_seated"


async def test_who_is_claimed_when_matchmaker_and_engine_die_waits_again(
    launcher: Launcher, engine: ServiceProcess, club: Club, bus: Bus
) -> None:
    """Before the mark there is a way back; nobody has a table then."""
    survivor = await launcher.start("matchmaking", engine_target=engine.target)
    async with proxied(launcher.nats_server) as proxy:
        scene = Scene(launcher, club, proxy, engine, survivor)
        left = await kill_matchmaker(scene, CLAIMED, "p", with_engine=True)
    tickets = [await player.in_state(TICKET_STATE_WAITING) for player in left.players]
    assert [ticket.returns for ticket in tickets] == [1] * 4
    assert [ticket.created_ms for ticket in tickets] == [ticket.created_ms for ticket in left.made]
    assert await tables_of(bus, "p0") == []
