"""Changes of places, forfeits and acts out of turn, over gRPC and on two engines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc

from kit.table_clients import (
    PEOPLE,
    Clients,
    is_dealt,
    new_command_id,
    play_until,
    told,
    turn_of,
)
from shuangkou.v1.table_pb2 import (
    TABLE_PHASE_BETWEEN_DEALS,
    ActRequest,
    Forfeit,
    GetTableRequest,
    LegalAct,
    ReclaimSeat,
    SeatView,
    Surrender,
    TableUpdate,
    TakeSeat,
    VoteRedeal,
    WatchTableRequest,
    WatchTableResponse,
)

WITHIN = 20.0


Call = grpc.aio.UnaryStreamCall[WatchTableRequest, WatchTableResponse]


async def opened(call: Call) -> AsyncIterator[WatchTableResponse]:
    """A stream whose snapshot has come."""
    responses = call.__aiter__()
    assert (await anext(responses)).HasField("snapshot")
    return responses


async def commits_of(stream: AsyncIterator[WatchTableResponse], until: int) -> list[TableUpdate]:
    """The commits of a stream up to this version."""
    updates: list[TableUpdate] = []
    async with asyncio.timeout(WITHIN):
        async for response in stream:
            if response.HasField("commit"):
                updates.append(response.commit)
            if updates and updates[-1].commit.version >= until:
                return updates
    raise AssertionError("the stream ended")


def act(table_id: str, seat: int, **command: object) -> ActRequest:
    """An act of another kind than playing."""
    return ActRequest(table_id=table_id, seat=seat, command_id=new_command_id(), **command)  # type: ignore[arg-type]  # one member of the oneof


async def dealt_before_watchers(clients: Clients) -> tuple[SeatView, dict[str, TableUpdate], list[int]]:
    """A jj table that was watched when its first deal began.

    The spectator's view, what each was told of the deal, and the seats that changed places.
    """
    table_id = await clients.player("alice").create(
        "alice", "bot:plain", "", "", ruleset_id="jj", deal_pause_ms=0
    )
    carol = clients.player("carol")
    await carol.act(act(table_id, 2, take_seat=TakeSeat()))
    calls = {
        "alice": clients.player("alice").watch(table_id, 0),
        "carol": clients.player("carol", engine=1).watch(table_id, 2),
        "nobody": clients.player("zoe", engine=1).watch(table_id),
    }
    watching = {name: await opened(call) for name, call in calls.items()}
    await clients.player("dave").act(act(table_id, 3, take_seat=TakeSeat()))
    updates = {name: (await commits_of(stream, until=4))[-1] for name, stream in watching.items()}
    for call in calls.values():
        call.cancel()
    events = updates["nobody"].commit.events
    swaps = [list(event.seats_swapped.seats) for event in events if event.HasField("seats_swapped")]
    return await clients.player("zoe").view(table_id), updates, swaps[0] if swaps else []


async def test_streams_follow_players_to_their_new_seats(clients: Clients) -> None:
    for _ in range(40):
        view, updates, swap = await dealt_before_watchers(clients)
        if {0, 2} & set(swap):
            break
    seats = {state.occupant.player_id: state.seat for state in view.seats}
    for name in ("alice", "carol"):
        caller = clients.player(name)
        own = await caller.view(view.table_id, seats[name])
        assert updates[name].seat == seats[name]
        assert updates[name].own_hand == own.hand
        assert updates[name].partner_hand == own.climbing.partner_hand
        assert len(own.climbing.partner_hand) == 27
    assert not updates["nobody"].own_hand
    assert not updates["nobody"].partner_hand
    mover = next(name for name, seat in (("alice", 0), ("carol", 2)) if seat in swap)
    old_seat = {"alice": 0, "carol": 2}[mover]
    caller = clients.player(mover, engine=1)
    for method, request in (
        ("GetTable", GetTableRequest(table_id=view.table_id, seat=old_seat)),
        ("Act", act(view.table_id, old_seat, vote_redeal=VoteRedeal())),
    ):
        assert told(await caller.refused(method, request)) == (
            grpc.StatusCode.PERMISSION_DENIED,
            "seat/not_yours",
        )
    again = caller.watch(view.table_id, seats[mover], after=0)
    replayed = await commits_of(again.__aiter__(), until=4)
    again.cancel()
    assert [update.commit.version for update in replayed] == [1, 2, 3, 4]
    assert replayed[-1] == updates[mover]
    assert [list(update.own_hand) for update in replayed[:-1]] == [[], [], []]


async def test_who_leaves_for_good_becomes_a_spectator(clients: Clients) -> None:
    table_id = await clients.service().create(*PEOPLE, deals=2, deal_pause_ms=600_000)
    view = await play_until(clients.people(), table_id, is_dealt)
    alice, bob = clients.player("alice"), clients.player("bob")
    call = alice.watch(table_id, 0)
    stream = await opened(call)
    leaving = act(table_id, 0, forfeit=Forfeit())
    version = await alice.act(leaving)
    assert version == view.version + 1
    answer = await alice.stub.Act(leaving, metadata=alice.metadata, timeout=WITHIN)
    assert (answer.version, answer.already_done) == (version, True)
    (update,) = await commits_of(stream, until=version)
    call.cancel()
    assert not update.HasField("seat")
    for method, request in (
        ("GetTable", GetTableRequest(table_id=table_id, seat=0)),
        ("Act", act(table_id, 0, reclaim_seat=ReclaimSeat())),
        ("Act", act(table_id, 0, forfeit=Forfeit())),
    ):
        assert told(await alice.refused(method, request)) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "seat/forfeited",
        )
    assert (await alice.view(table_id)).seats[0].forfeited
    await bob.act(act(table_id, 1, forfeit=Forfeit()))
    void = await alice.view(table_id)
    assert void.phase == TABLE_PHASE_BETWEEN_DEALS
    assert list(void.last_void.scores) == [-8, -8, 8, 8]
    assert [state.total for state in void.seats] == [-8, -8, 8, 8]


async def test_only_a_person_leaves_for_good(clients: Clients) -> None:
    table_id = await clients.player("alice").create("alice", *["bot:plain"] * 3)
    await play_until({0: clients.player("alice")}, table_id, is_dealt)
    status = told(await clients.service().refused("Act", act(table_id, 1, forfeit=Forfeit())))
    assert status == (grpc.StatusCode.PERMISSION_DENIED, "seat/not_yours")


async def test_acts_out_of_turn_are_listed_and_taken(clients: Clients) -> None:
    options = {"surrender": "true", "redeal_vote": "true"}
    table_id = await clients.service().create(*PEOPLE, options=options)
    people = clients.people()
    view = await play_until(people, table_id, is_dealt)
    turn = turn_of(view)
    for seat, person in people.items():
        legal = await person.legal(table_id, seat)
        assert [one.WhichOneof("command") for one in legal.others] == ["forfeit", "surrender", "vote_redeal"]
        assert bool(legal.plays) == (seat == turn)
    await people[1].act(act(table_id, 1, vote_redeal=VoteRedeal()))
    assert LegalAct(vote_redeal=VoteRedeal()) not in (await people[1].legal(table_id, 1)).others
    await people[3].act(act(table_id, 3, surrender=Surrender()))
    shown = (await people[0].view(table_id)).climbing.consents
    assert (list(shown.redeal), list(shown.surrender)) == ([1], [3])
    await people[1].act(act(table_id, 1, surrender=Surrender()))
    over = await people[0].view(table_id)
    assert over.last_settlement.surrendered == 1
    assert list(over.last_settlement.scores) == [4, -4, 4, -4]


async def test_a_table_that_does_not_know_surrender_refuses_it(clients: Clients) -> None:
    table_id = await clients.service().create(*PEOPLE)
    await play_until(clients.people(), table_id, is_dealt)
    status = told(await clients.player("bob").refused("Act", act(table_id, 1, surrender=Surrender())))
    assert status == (grpc.StatusCode.FAILED_PRECONDITION, "climbing/no_surrender")


async def test_a_refusal_says_where_the_caller_sits(clients: Clients) -> None:
    table_id = await clients.service().create(*PEOPLE)
    _, refusal = await clients.player("alice").refused("GetTable", GetTableRequest(table_id=table_id, seat=1))
    assert refusal.explanation == "seat 1 is not yours: you sit on seat 0"
