"""While the table of a room is being opened."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from kit.guests import guest
from kit.queueing import Club
from kit.service_process import Launcher, ServiceProcess, refusal_in
from shuangkou.v1.matchmaking_pb2 import Game
from shuangkou.v1.rooms_pb2 import ROOM_STATE_STARTING


async def test_a_room_that_is_started_by_many_calls_at_once_has_one_table(
    launcher: Launcher, matchmaking: ServiceProcess, engine: ServiceProcess, club: Club
) -> None:
    replicas = [matchmaking, await launcher.start("matchmaking", engine_target=engine.target)]
    ann, ben = [await guest(club, name, matchmaking) for name in ("ann", "ben")]
    code = (await ann.create(game=Game(ruleset_id="duel52"))).code
    await ben.join(code)
    hosts = [await guest(club, "ann", replicas[number % 2]) for number in range(16)]
    started = await asyncio.gather(*(host.start(code) for host in hosts))
    assert {room.tables for room in started} == {1}
    table_id = (await ann.playing(code)).table_id
    assert {room.table_id for room in started} <= {"", table_id}


async def test_while_a_room_starts_it_says_so_and_names_no_table(
    matchmaking: ServiceProcess, engine: ServiceProcess, club: Club
) -> None:
    ann, ben, eve = [await guest(club, name, matchmaking) for name in ("ann", "ben", "eve")]
    code = (await ann.create(game=Game(ruleset_id="duel52"))).code
    await ben.join(code)
    with engine.frozen():
        await ann.start(code)
        starting = f"the table of room {code} is being opened"
        for call in (eve.join(code), ben.leave(code), ann.arrange(code, kick_player_id="ben")):
            with pytest.raises(grpc.aio.AioRpcError, match=starting) as caught:
                await call
            assert refusal_in(caught.value)[1] == "room/starting"
        with pytest.raises(grpc.aio.AioRpcError, match=f"ben is being seated: the table of room {code}"):
            await ben.player.queue()
        assert (await ben.join(code)).state == ROOM_STATE_STARTING
