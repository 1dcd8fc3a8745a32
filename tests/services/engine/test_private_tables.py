"""A private table is shown to its maker, to who sits there or is invited, to services, and to nobody else."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from kit.engines import Engines
from kit.event_stream import commits_of
from kit.table_clients import Caller, Clients, is_dealt, new_command_id, play_until, refused, told
from kit.waiting import eventually
from shuangkou.v1 import table_pb2
from shuangkou.v1.table_pb2 import (
    TABLE_VISIBILITY_PRIVATE,
    TABLE_VISIBILITY_PUBLIC,
    ActRequest,
    CreateTableRequest,
    InvitePlayersRequest,
    TakeSeat,
)

DENIED = grpc.StatusCode.PERMISSION_DENIED
BOTS = ("bot:plain",) * 3
SERVICE = table_pb2.DESCRIPTOR.services_by_name["TableService"]
ABOUT_A_TABLE = [method.name for method in SERVICE.methods if "table_id" in method.input_type.fields_by_name]


async def private_table(caller: Caller, *names: str, invited: tuple[str, ...] = (), **terms: Any) -> str:
    return await caller.create(*names, visibility=TABLE_VISIBILITY_PRIVATE, invited=invited, **terms)


async def invite(caller: Caller, table_id: str, *names: str, command_id: str = "") -> tuple[int, bool]:
    request = InvitePlayersRequest(
        table_id=table_id, command_id=command_id or new_command_id(), player_ids=names
    )
    answer = await caller.stub.InvitePlayers(request, metadata=caller.metadata, timeout=20)
    return answer.version, answer.already_done


def asking(method: str, table_id: str) -> Message:
    """A request that would be fine at any table that the caller may see."""
    request: Message = getattr(table_pb2, SERVICE.methods_by_name[method].input_type.name)(table_id=table_id)
    if isinstance(request, ActRequest):
        request.MergeFrom(ActRequest(seat=1, command_id=new_command_id(), take_seat=TakeSeat()))
    if isinstance(request, InvitePlayersRequest):
        request.MergeFrom(InvitePlayersRequest(command_id=new_command_id(), player_ids=["zoe"]))
    return request


async def refusal(caller: Caller, method: str, request: Message) -> tuple[grpc.StatusCode, str]:
    if SERVICE.methods_by_name[method].server_streaming:
        responses = getattr(caller.stub, method)(request, metadata=caller.metadata)
        return told(await refused(anext(aiter(responses))))
    return told(await caller.refused(method, request))


async def can_see(caller: Caller, table_id: str) -> bool:
    try:
        view = await caller.view(table_id)
    except grpc.aio.AioRpcError as error:
        if error.code() is not DENIED:
            raise
        return False
    watching = caller.watch(table_id)
    assert (await anext(aiter(watching))).snapshot.version >= view.version
    watching.cancel()
    return True


@pytest.mark.parametrize("method", ABOUT_A_TABLE)
@pytest.mark.parametrize("engine", [0, 1])
async def test_a_stranger_is_told_nothing_by_any_call(clients: Clients, method: str, engine: int) -> None:
    table_id = await private_table(clients.player("alice"), "alice", "", "bot:plain", "bot:plain")
    stranger = clients.player("zoe", engine)
    assert await refusal(stranger, method, asking(method, table_id)) == (DENIED, "table/private")


async def test_not_even_the_version_is_told_to_a_stranger(clients: Clients) -> None:
    table_id = await private_table(clients.player("alice"), "alice")
    for request in (
        table_pb2.GetTableRequest(table_id=table_id, at_least_version=99),
        table_pb2.GetTableRequest(table_id=table_id, seat=0),
    ):
        status, said = await clients.player("zoe").refused("GetTable", request)
        assert (status, said.code) == (DENIED, "table/private")
        assert not said.HasField("head_version")
        assert not said.HasField("seat")
        assert "alice" not in said.explanation


async def test_who_belongs_to_a_private_table_sees_it(clients: Clients) -> None:
    maker = clients.player("mia")
    table_id = await private_table(maker, *("", *BOTS), invited=("bob", "carol"))
    for engine in (0, 1):
        for name, expected in (("mia", True), ("bob", True), ("carol", True), ("zoe", False)):
            assert await can_see(clients.player(name, engine), table_id) is expected
        assert await can_see(clients.service("ai_player", engine), table_id)
    view = await maker.view(table_id)
    assert view.visibility == TABLE_VISIBILITY_PRIVATE
    assert list(view.invited) == ["bob", "carol"]


async def test_who_takes_a_seat_by_invitation_may_invite_others(clients: Clients) -> None:
    table_id = await private_table(
        clients.player("mia"), *("", "", "bot:plain", "bot:plain"), invited=("bob",)
    )
    bob, carol, zoe = (clients.player(name, 1) for name in ("bob", "carol", "zoe"))
    asked = InvitePlayersRequest(table_id=table_id, command_id="x", player_ids=["carol"])
    assert told(await bob.refused("InvitePlayers", asked)) == (DENIED, "table/not_yours")
    await bob.act(ActRequest(table_id=table_id, seat=0, command_id="sit", take_seat=TakeSeat()))
    assert not await can_see(carol, table_id)
    await invite(bob, table_id, "carol")
    assert await can_see(carol, table_id)
    assert not await can_see(zoe, table_id)
    await carol.act(ActRequest(table_id=table_id, seat=1, command_id="sit", take_seat=TakeSeat()))
    seats = (await clients.player("mia").view(table_id)).seats
    assert [state.occupant.player_id for state in seats] == ["bob", "carol", "", ""]


async def test_an_invitation_is_idempotent_and_says_what_is_wrong(clients: Clients) -> None:
    mia = clients.player("mia")
    table_id = await private_table(mia, *("", *BOTS), invited=("bob",))
    version, again = await invite(mia, table_id, "bob", "carol", "carol", command_id="inv")
    assert (version, again) == (2, False)
    assert await invite(clients.player("mia", 1), table_id, "bob", "carol", "carol", command_id="inv") == (
        2,
        True,
    )
    assert list((await mia.view(table_id)).invited) == ["bob", "carol"]

    async def said(*names: str) -> tuple[grpc.StatusCode, str]:
        asked = InvitePlayersRequest(table_id=table_id, command_id=new_command_id(), player_ids=names)
        return told(await mia.refused("InvitePlayers", asked))

    precondition, invalid = grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.INVALID_ARGUMENT
    assert await said("carol") == (precondition, "table/already_invited")
    assert await said() == (invalid, "request/nobody_invited")
    assert await said("no name") == (invalid, "request/bad_player")
    assert await said("engine") == (invalid, "request/bad_player")
    assert await said(*(f"p{number}" for number in range(65))) == (invalid, "request/too_many_invited")
    assert await said(*(f"p{number}" for number in range(63))) == (precondition, "table/too_many_invited")
    await invite(mia, table_id, *(f"p{number}" for number in range(62)))
    assert len((await mia.view(table_id)).invited) == 64


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"invited": ["bob"]}, "request/invited_to_public"),
        ({"invited": ["bob"], "visibility": TABLE_VISIBILITY_PUBLIC}, "request/invited_to_public"),
        ({"invited": ["a b"], "visibility": TABLE_VISIBILITY_PRIVATE}, "request/bad_player"),
        ({"visibility": 7}, "request/bad_visibility"),
    ],
)
async def test_terms_that_make_no_sense_are_refused(
    clients: Clients, terms: dict[str, Any], code: str
) -> None:
    request = CreateTableRequest(command_id=new_command_id(), ruleset_id="qq", **terms)
    status, said = await clients.player("mia").refused("CreateTable", request)
    assert (status, said.code) == (grpc.StatusCode.INVALID_ARGUMENT, code)


async def test_the_same_opening_gets_the_same_table_and_another_one_does_not(clients: Clients) -> None:
    mia, command_id = clients.player("mia"), new_command_id()
    made = await private_table(mia, "mia", invited=("bob",), command_id=command_id)
    assert await private_table(mia, "mia", invited=("bob",), command_id=command_id) == made
    for terms in ({}, {"visibility": TABLE_VISIBILITY_PRIVATE, "invited": ["zoe"]}):
        with pytest.raises(grpc.aio.AioRpcError, match="request/command_id_reused"):
            await mia.create("mia", command_id=command_id, **terms)


async def test_a_table_is_public_unless_it_is_asked_otherwise(clients: Clients) -> None:
    table_id = await clients.player("alice").create("alice", *BOTS)
    assert (await clients.player("zoe").view(table_id)).visibility == TABLE_VISIBILITY_PUBLIC
    asked = InvitePlayersRequest(table_id=table_id, command_id="x", player_ids=["bob"])
    answer = told(await clients.player("alice").refused("InvitePlayers", asked))
    assert answer == (grpc.StatusCode.FAILED_PRECONDITION, "table/not_private")


async def test_invitations_last_through_deals_and_hold_up_no_clock(clients: Clients) -> None:
    """The second engine reads the table for the first time in its second deal, from the deal's summary."""
    people = clients.people()
    table_id = await private_table(
        clients.service("matchmaking"), *(people[seat].name for seat in range(4)), deals=2, deal_pause_ms=0
    )
    await play_until(people, table_id, is_dealt)
    before = (await people[0].view(table_id)).next.deadline_ms
    await invite(people[0], table_id, "guest")
    assert (await people[0].view(table_id)).next.deadline_ms == before
    await play_until(people, table_id, lambda view: view.deal_number == 2 and is_dealt(view))
    assert await can_see(clients.player("guest", 1), table_id)
    assert not await can_see(clients.player("zoe", 1), table_id)


async def test_analysts_read_private_tables_and_can_tell_them(clients: Clients, engines: Engines) -> None:
    table_id = await private_table(clients.player("mia"), *("", *BOTS), invited=("bob",))

    async def read() -> bool:
        return bool(await commits_of(engines.nats.url, table_id))

    await eventually(read)
    (opening,) = await commits_of(engines.nats.url, table_id)
    assert opening.events[0].table_created.is_private
    assert list(opening.events[1].players_invited.player_ids) == ["bob"]
