"""Rooms: what is allowed in them, and their way to a table through real processes."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.guests import QQ, Guest, guest
from kit.queueing import Club, leave_for_good, matches_published, refused
from kit.service_process import Launcher, ServiceProcess
from kit.waiting import eventually
from shuangkou.chassis.errors import Refused
from shuangkou.chassis.nats import Bus
from shuangkou.matchmaking import room as rooms
from shuangkou.v1.matchmaking_pb2 import Game
from shuangkou.v1.rooms_pb2 import (
    ROOM_STATE_GATHERING,
    AddRoomBot,
    ArrangeRoomRequest,
    CreateRoomRequest,
    ListPhrasesRequest,
    Room,
    SwapRoomSeats,
    WatchRoomRequest,
)
from shuangkou.v1.table_pb2 import GetTableRequest
from shuangkou.v1.table_pb2_grpc import TableServiceStub

_SECONDS = 15.0


async def test_a_room_becomes_a_table_and_can_start_again(
    launcher: Launcher, matchmaking: ServiceProcess, engine: ServiceProcess, club: Club, bus: Bus
) -> None:
    ann, ben, eve = [await guest(club, name, matchmaking) for name in ("ann", "ben", "eve")]
    room = await ann.create()
    code = room.code
    assert (await ann.create(), len(code), room.link) == (room, 6, f"shuangkou://room/{code}")
    assert await refused(eve.look(code)) == "room/not_in_it"
    await ben.join(code, seat=3)
    assert [seat.player_id for seat in (await ben.join(code)).seats] == ["ann", "", "", "ben"]
    await ann.arrange(code, swap=SwapRoomSeats(one=2, other=3))
    assert await refused(ann.start(code)) == "room/open_seats"
    assert await refused(ben.arrange(code, kick_player_id="ann")) == "room/host_only"
    for seat in (1, 3):
        await ann.arrange(code, add_bot=AddRoomBot(seat=seat, persona="steady"))
    # The room survives whoever serves it.
    matchmaking.kill()
    replica = await launcher.start("matchmaking", engine_target=engine.target)
    ann, ben, eve = [await guest(club, name, replica) for name in ("ann", "ben", "eve")]
    started = await ann.start(code)
    playing = await ben.playing(code)
    assert (await ann.start(code)).tables == started.tables == playing.tables == 1
    tables = TableServiceStub(club.channel(engine))
    request = GetTableRequest(table_id=playing.table_id, seat=2)
    seen = await tables.GetTable(request, metadata=ben.player.metadata, timeout=_SECONDS)
    sitting = [seat.occupant.player_id or seat.occupant.persona for seat in seen.view.seats]
    assert sitting == ["ann", "steady", "ben", "steady"]
    assert dict(seen.view.options) == {"turn_seconds": "60"}
    beside = tables.GetTable(
        GetTableRequest(table_id=playing.table_id), metadata=eve.player.metadata, timeout=_SECONDS
    )
    assert await refused(beside) == "table/private"
    assert not await matches_published(bus)
    assert await refused(ann.player.queue()) == "match/already_seated"
    assert await refused(eve.join(code)) == "room/in_play"
    assert await refused(ben.leave(code)) == "room/in_play"
    for number, player in ((0, ann), (2, ben)):
        await leave_for_good(player.player, playing.table_id, number, club.channel(engine))
    await launcher.start("ai_player", engine_target=engine.target)
    assert (await started_again(ann, code)).table_id != playing.table_id


async def started_again(host: Guest, code: str) -> Room:
    """The room in play once more, after the table that it became is over."""

    async def gathers() -> bool:
        return (await host.look(code)).state == ROOM_STATE_GATHERING

    await eventually(gathers, within=60)
    await host.start(code)
    return await host.playing(code)


async def test_a_room_outlives_the_broker_and_shows_its_table_to_spectators_where_it_says_so(
    launcher: Launcher, matchmaking: ServiceProcess, engine: ServiceProcess, club: Club
) -> None:
    ann, ben, eve = [await guest(club, name, matchmaking) for name in ("ann", "ben", "eve")]
    code = (await ann.create(game=Game(ruleset_id="duel52"), spectators=True)).code
    await ben.join(code)
    launcher.nats_server.restart()

    async def back() -> Room | None:
        try:
            return await ann.look(code)
        except grpc.aio.AioRpcError:
            return None

    found: Room = await eventually(back, within=60)
    assert [seat.player_id for seat in found.seats] == ["ann", "ben"]
    # The engine comes back to the broker in its own time.
    started = await ann.start(code)
    assert started.allows_spectators
    table_id = (await ann.playing(code)).table_id
    request = GetTableRequest(table_id=table_id)
    tables = TableServiceStub(club.channel(engine))
    beside = (await tables.GetTable(request, metadata=eve.player.metadata, timeout=_SECONDS)).view
    assert [seat.occupant.player_id for seat in beside.seats] == ["ann", "ben"]
    assert not beside.hand


async def test_nobody_is_taken_to_a_room_table_from_elsewhere(
    matchmaking: ServiceProcess, club: Club
) -> None:
    ann, ben = [await guest(club, name, matchmaking) for name in ("ann", "ben")]
    code = (await ann.create(game=Game(ruleset_id="duel52"))).code
    await ben.player.queue(people_only=True)
    assert await refused(ben.join(code)) == "match/already_queued"
    assert await refused(ben.create()) == "match/already_queued"
    await ben.player.cancel()
    await ben.join(code)
    await ann.start(code)
    assert len((await ann.playing(code)).seats) == 2
    assert await refused(ben.player.queue("again")) == "match/already_seated"


async def test_a_place_in_a_room_is_a_seat(matchmaking: ServiceProcess, club: Club) -> None:
    ann, ben, cai = [await guest(club, name, matchmaking) for name in ("ann", "ben", "cai")]
    code, other = (await ann.create()).code, (await cai.create()).code
    await ben.join(code)
    for player in (ann, ben):
        assert await refused(player.player.queue()) == "match/already_in_room"
        assert await refused(player.create("two")) == "match/already_in_room"
        assert await refused(player.join(other)) == "match/already_in_room"
    with pytest.raises(
        grpc.aio.AioRpcError,
        match=f"ben is in room {code}; leave that first: shuangkou room leave {code} --name ben",
    ):
        await ben.player.queue()
    assert (await ann.create()).code == code
    # Sent away, or gone: free for anything else.
    await ann.arrange(code, kick_player_id="ben")
    await ben.join(other)
    await ann.leave(code)
    await ann.player.queue(people_only=True)
    await cai.leave(other)
    await ben.leave(other)
    await ben.create("three")


async def test_who_left_the_table_of_a_room_for_good_may_queue_and_come_back(
    launcher: Launcher, matchmaking: ServiceProcess, engine: ServiceProcess, club: Club
) -> None:
    ann, ben = [await guest(club, name, matchmaking) for name in ("ann", "ben")]
    code = (await ann.create()).code
    await ben.join(code)
    for seat in (2, 3):
        await ann.arrange(code, add_bot=AddRoomBot(seat=seat, persona="steady"))
    await ann.start(code)
    table_id = (await ann.playing(code)).table_id
    await leave_for_good(ben.player, table_id, 1, club.channel(engine))
    await ben.player.queue("else", people_only=True)
    await leave_for_good(ann.player, table_id, 0, club.channel(engine))
    await launcher.start("ai_player", engine_target=engine.target)

    async def gathers() -> bool:
        return (await ann.look(code)).state == ROOM_STATE_GATHERING

    await eventually(gathers, within=60)
    assert await refused(ann.player.queue()) == "match/already_in_room"
    assert await refused(ann.start(code)) == "room/player_busy"
    assert await refused(ben.join(code)) == "match/already_queued"
    await ben.player.cancel("else")
    await ben.join(code)
    assert await refused(ben.player.queue()) == "match/already_in_room"


async def test_people_talk_watch_and_come_and_go(matchmaking: ServiceProcess, club: Club) -> None:
    ann, ben = [await guest(club, name, matchmaking) for name in ("ann", "ben")]
    code = (await ann.create(spectators=True)).code
    await ben.join(code)
    watching = ann.stub.WatchRoom(
        WatchRoomRequest(code=code), metadata=ann.player.metadata, timeout=4 * _SECONDS
    )
    await ben.say(code, "hurry")
    assert await refused(ben.say(code, "hurry")) == "room/too_fast"
    assert await refused(ben.say(code, "damn")) == "room/unknown_phrase"
    async for update in watching:
        if update.room.messages:
            [message] = update.room.messages
            assert (message.player_id, message.phrase.zh) == ("ben", "快点吧，我等得花儿都谢了！")
            break
    answer = await ann.stub.ListPhrases(ListPhrasesRequest(), metadata=ann.player.metadata, timeout=_SECONDS)
    assert all(phrase.en and phrase.zh for phrase in answer.phrases)
    await ann.leave(code)
    await ann.leave(code)
    assert (await ben.look(code)).host_id == "ben"
    await ben.leave(code)
    assert await refused(ben.look(code)) == "room/unknown"
    # Whose answer was lost asks again.
    await ben.leave(code)


async def test_a_room_left_alone_closes(launcher: Launcher, engine: ServiceProcess, club: Club) -> None:
    replica = await launcher.start("matchmaking", engine_target=engine.target, room_idle_seconds="1")
    ann = await guest(club, "ann", replica)
    code = (await ann.create()).code

    async def closed() -> bool:
        try:
            await ann.look(code)
        except grpc.aio.AioRpcError as error:
            return error.code() is grpc.StatusCode.NOT_FOUND
        return False

    await eventually(closed, within=30)


async def test_what_makes_no_sense_is_refused(matchmaking: ServiceProcess, club: Club) -> None:
    ann, ben = [await guest(club, name, matchmaking) for name in ("ann", "ben")]
    assert await refused(ann.create("")) == "request/bad_command_id"
    assert await refused(ann.create(game=Game())) == "ruleset/unknown"
    assert await refused(ann.create(game=Game(ruleset_id="qq", options={"x": "1"}))) == "ruleset/bad_option"
    assert await refused(ann.create(game=Game(ruleset_id="qq", deals=101))) == "match/bad_deals"
    code = (await ann.create()).code
    for bad in ("", "12345", "1234567", "12345a", "１２３４５６", "*", "......"):
        assert await refused(ann.look(bad)) == "room/bad_code"
    unknown = f"{(int(code) + 1) % 1_000_000:06}"
    for call in (ann.join(unknown), ann.look(unknown), ann.start(unknown), ann.leave(unknown)):
        assert await refused(call) == "room/unknown"
    assert await refused(ben.say(code, "hello")) == "room/not_in_it"
    assert await refused(ben.leave(code)) == "room/not_in_it"
    assert await refused(ben.start(code)) == "room/not_in_it"
    assert await refused(ben.join(code, seat=9)) == "request/no_such_seat"
    assert await refused(ben.join(code, seat=0)) == "room/seat_taken"
    assert await refused(ann.join(code, seat=1)) == "room/seated_elsewhere"
    assert await refused(ann.join(code, seat=4)) == "request/no_such_seat"
    assert (await ann.join(code, seat=0)).seats[0].player_id == "ann"
    for other in ({"game": Game(ruleset_id="zsy")}, {"game": Game(ruleset_id="qq")}, {"spectators": True}):
        assert await refused(ann.create(**other)) == "request/command_id_reused"
    assert await refused(ann.arrange(code)) == "request/no_act"
    assert await refused(ann.arrange(code, swap=SwapRoomSeats(one=0, other=4))) == "request/no_such_seat"
    assert await refused(ann.arrange(code, swap=SwapRoomSeats(one=0, other=0))) == "room/same_seat"
    bot = AddRoomBot(seat=1, persona="nobody")
    assert await refused(ann.arrange(code, add_bot=bot)) == "seat/unknown_persona"
    bot = AddRoomBot(seat=0, persona="plain")
    assert await refused(ann.arrange(code, add_bot=bot)) == "room/seat_taken"
    assert await refused(ann.arrange(code, remove_bot_seat=1)) == "room/no_bot"
    assert await refused(ann.arrange(code, kick_player_id="ann")) == "room/kick_host"
    assert await refused(ann.arrange(code, kick_player_id="zoe")) == "room/unknown_player"
    for seat in (1, 2, 3):
        await ann.arrange(code, add_bot=AddRoomBot(seat=seat, persona="plain"))
    assert await refused(ben.join(code)) == "room/full"
    await ann.arrange(code, remove_bot_seat=1)
    await ben.join(code)
    await ann.arrange(code, kick_player_id="ben")
    assert await refused(ben.join(code)) == "room/kicked"
    assert await refused(ben.look(code)) == "room/kicked"


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("join"), st.sampled_from("abcdef"), st.sampled_from((None, 0, 1, 2, 3, 7))),
        st.tuples(st.just("leave"), st.sampled_from("abcdef"), st.none()),
        st.tuples(st.just("swap"), st.integers(0, 4), st.integers(0, 4)),
        st.tuples(st.just("bot"), st.integers(0, 4), st.sampled_from(("plain", "none"))),
        st.tuples(st.just("kick"), st.sampled_from("abcdef"), st.none()),
    ),
    max_size=30,
)


def after(room: Room, act: tuple[str, Any, Any]) -> Room | None:
    """The room after an act, the same where it is refused."""
    kind, one, other = act
    requests = {
        "swap": lambda: ArrangeRoomRequest(swap=SwapRoomSeats(one=one, other=other)),
        "bot": lambda: ArrangeRoomRequest(add_bot=AddRoomBot(seat=one, persona=other)),
        "kick": lambda: ArrangeRoomRequest(kick_player_id=one),
    }
    try:
        if kind == "join":
            return rooms.joined(room, one, other)
        if kind == "leave":
            return rooms.left(room, one)
        return rooms.arranged(room, requests[kind](), ("plain",))
    except Refused:
        return room


@given(ACTS)
def test_whatever_happens_everybody_sits_once_and_one_person_is_the_host(acts: list[Any]) -> None:
    room = rooms.new_room(CreateRoomRequest(command_id="x"), "a", QQ, 4)
    for act in acts:
        before = room.SerializeToString(deterministic=True)
        changed = after(room, act)
        assert room.SerializeToString(deterministic=True) == before
        if changed is None:
            return
        room = changed
        people = rooms.people_in(room)
        assert len(people) == len(set(people))
        assert room.host_id in people
        assert not {*people} & {*room.kicked}
        assert len(room.seats) == 4


@pytest.mark.parametrize("attempt", range(3))
def test_codes_are_six_digits_and_the_same_for_the_same_call(attempt: int) -> None:
    codes = {rooms.code_of("ann", f"c{n}", attempt) for n in range(1000)}
    assert all(len(code) == 6 and code.isdigit() for code in codes)
    assert len(codes) > 990
    assert rooms.code_of("ann", "c1", attempt) == rooms.code_of("ann", "c1", attempt)
