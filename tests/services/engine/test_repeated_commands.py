"""The same command gets the same answer, and of two that contend one wins."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from kit.engines import stored_commits
from kit.table_clients import (
    PEOPLE,
    Clients,
    decline,
    is_dealt,
    lowest_act,
    new_command_id,
    play,
    play_until,
    seated,
    turn_of,
)
from shuangkou.chassis.nats import Bus
from shuangkou.v1.table_pb2 import (
    CreateTableRequest,
)

TIMEOUT = 20.0


@pytest.fixture
async def table_id(clients: Clients) -> str:
    """A table of four persons whose deal has started."""
    made = await clients.service().create(*PEOPLE)
    await play_until(clients.people(), made, is_dealt)
    return made


async def test_creating_again_with_the_same_command_id_gives_the_same_table(clients: Clients) -> None:
    request = CreateTableRequest(command_id=new_command_id(), ruleset_id="qq", seats=seated(*PEOPLE))
    answers = []
    for engine in (0, 1, 0):
        caller = clients.service(engine=engine)
        answers.append(await caller.stub.CreateTable(request, metadata=caller.metadata, timeout=TIMEOUT))
    assert {(answer.table_id, answer.version) for answer in answers} == {(answers[0].table_id, 1)}


async def test_creating_at_the_same_time_on_both_engines_makes_one_table(
    clients: Clients, engines_bus: Bus
) -> None:
    request = CreateTableRequest(command_id=new_command_id(), ruleset_id="qq", seats=seated(*PEOPLE))
    callers = [clients.service(engine=number % 2) for number in range(10)]
    answers = await asyncio.gather(
        *(caller.stub.CreateTable(request, metadata=caller.metadata, timeout=TIMEOUT) for caller in callers)
    )
    assert len({(answer.table_id, answer.version) for answer in answers}) == 1
    commits = await stored_commits(engines_bus, answers[0].table_id)
    assert sum(event.HasField("table_created") for commit in commits for event in commit.events) == 1


async def test_the_same_command_id_of_another_caller_is_another_table(clients: Clients) -> None:
    command_id = new_command_id()
    first = await clients.player("alice").create("alice", command_id=command_id)
    second = await clients.player("bob").create("bob", command_id=command_id)
    assert first != second


@pytest.mark.parametrize(
    "changed",
    [
        {"deals": 2},
        {"deal_pause_ms": 5},
        {"options": {"turn_seconds": "5"}},
        {"seats": seated("alice", "bot:plain", "", "")},
    ],
    ids=lambda changed: next(iter(changed)),
)
async def test_another_opening_under_the_same_command_id_is_refused(
    clients: Clients, changed: dict[str, Any]
) -> None:
    caller, command_id = clients.player("alice"), new_command_id()
    first: dict[str, Any] = {"command_id": command_id, "ruleset_id": "qq", "seats": seated("alice")}
    await caller.stub.CreateTable(CreateTableRequest(**first), metadata=caller.metadata, timeout=TIMEOUT)
    status, refusal = await caller.refused("CreateTable", CreateTableRequest(**(first | changed)))
    assert (status, refusal.code) == (grpc.StatusCode.INVALID_ARGUMENT, "request/command_id_reused")


async def test_an_act_sent_again_gets_its_answer_again_on_any_engine(clients: Clients, table_id: str) -> None:
    people = clients.people()
    view = await people[0].view(table_id)
    seat = turn_of(view)
    assert seat is not None
    request = await lowest_act(people[seat], table_id, seat)
    answers = []
    for engine in (0, 0, 1):
        caller = clients.player(PEOPLE[seat], engine)
        answers.append(await caller.stub.Act(request, metadata=caller.metadata, timeout=TIMEOUT))
    assert [answer.version for answer in answers] == [view.version + 1] * 3
    assert [answer.already_done for answer in answers] == [False, True, True]


async def test_an_act_is_still_answered_after_many_others(clients: Clients, table_id: str) -> None:
    people = clients.people()
    view = await people[0].view(table_id)
    seat = turn_of(view)
    assert seat is not None
    request = await lowest_act(people[seat], table_id, seat)
    version = await people[seat].act(request)
    await play_until(people, table_id, lambda view: view.version > version + 40)
    assert await people[seat].act(request) == version


async def test_another_command_under_the_same_id_is_refused(clients: Clients, table_id: str) -> None:
    people = clients.people()
    view = await people[0].view(table_id)
    seat = turn_of(view)
    assert seat is not None
    request = await lowest_act(people[seat], table_id, seat)
    version = await people[seat].act(request)
    for engine in (0, 1):
        status, refusal = await clients.player(PEOPLE[seat], engine).refused(
            "Act", decline(table_id, seat, command_id=request.command_id)
        )
        assert (status, refusal.code) == (grpc.StatusCode.INVALID_ARGUMENT, "request/command_id_reused")
    assert (await people[0].view(table_id)).version == version


async def test_the_same_cards_in_another_order_are_the_same_command(clients: Clients, table_id: str) -> None:
    people = clients.people()
    view = await people[0].view(table_id)
    seat = turn_of(view)
    assert seat is not None
    legal = await people[seat].legal(table_id, seat, limit=2000)
    cards = next(list(option.cards) for option in legal.plays if len(set(option.cards)) > 1)
    request = play(table_id, seat, cards)
    version = await people[seat].act(request)
    again = play(table_id, seat, cards[::-1], command_id=request.command_id)
    assert await people[seat].act(again) == version


async def test_the_same_command_sent_to_both_engines_at_once_is_done_once(
    clients: Clients, table_id: str
) -> None:
    people = clients.people()
    for _ in range(10):
        view = await people[0].view(table_id)
        seat = turn_of(view)
        assert seat is not None
        request = await lowest_act(people[seat], table_id, seat)
        versions = await asyncio.gather(
            *(clients.player(PEOPLE[seat], engine).act(request) for engine in (0, 1, 0, 1))
        )
        assert set(versions) == {view.version + 1}


async def test_of_contending_acts_one_wins_each_version(clients: Clients, engines_bus: Bus) -> None:
    service = clients.service()
    table_id = await service.create(*["bot:plain"] * 4)
    callers = [clients.service(engine=number % 2) for number in range(50)]
    view = await play_until(dict.fromkeys(range(4), service), table_id, is_dealt)
    seat = turn_of(view)
    assert seat is not None
    cards = (await service.legal(table_id, seat, limit=1)).plays[0].cards
    answers = await asyncio.gather(
        *(caller.act(play(table_id, seat, cards)) for caller in callers), return_exceptions=True
    )
    won = [answer for answer in answers if isinstance(answer, int)]
    lost = [answer for answer in answers if isinstance(answer, grpc.aio.AioRpcError)]
    assert (won, len(lost)) == ([view.version + 1], 49)
    assert {error.code() for error in lost} == {grpc.StatusCode.FAILED_PRECONDITION}
    commits = await stored_commits(engines_bus, table_id)
    assert [commit.version for commit in commits] == list(range(1, view.version + 2))
