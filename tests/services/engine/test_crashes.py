"""Killing an engine costs its clients a reconnect, and never an act that was answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from random import Random

import grpc
import pytest

from kit.engines import stored_commits
from kit.keys import Keys
from kit.service_process import Launcher, ServiceProcess
from kit.table_clients import PEOPLE, Caller, Clients, is_dealt, lowest_act, play_until, turn_of
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus
from shuangkou.v1.table_pb2 import TABLE_PHASE_FINISHED, ActRequest, SeatView

PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)


@pytest.fixture
async def pair(engine_launcher: Launcher) -> list[ServiceProcess]:
    """Two engines to kill."""
    return await engine_launcher.start_all("engine", 2)


@pytest.fixture
async def clients(pair: list[ServiceProcess], keys: Keys) -> AsyncIterator[Clients]:
    """Callers of the two engines."""
    made = Clients(pair, keys)
    yield made
    await made.close()


class Script:
    """Four persons that play a table to its end and ask the other engine when one does not answer."""

    def __init__(self, clients: Clients, table_id: str, engine: int) -> None:
        self.answered: dict[str, int] = {}
        self._clients = clients
        self._table_id = table_id
        self._engine = engine

    async def play(self) -> SeatView:
        """Play to the end of the match; the last view."""
        while True:
            view = await self._view()
            if view.phase == TABLE_PHASE_FINISHED:
                return view
            seat = turn_of(view)
            if seat is not None:
                request = await self._request(seat)
                self.answered[request.command_id] = await self._act(seat, request)

    def _caller(self, name: str) -> Caller:
        return self._clients.player(name, self._engine)

    async def _view(self) -> SeatView:
        async for _ in self._attempts():
            try:
                return await self._caller("zoe").view(self._table_id)
            except grpc.aio.AioRpcError as error:
                self._change_engine(error)
        raise AssertionError("unreachable")

    async def _request(self, seat: int) -> ActRequest:
        async for _ in self._attempts():
            try:
                return await lowest_act(self._caller(PEOPLE[seat]), self._table_id, seat)
            except grpc.aio.AioRpcError as error:
                self._change_engine(error)
        raise AssertionError("unreachable")

    async def _act(self, seat: int, request: ActRequest) -> int:
        async for _ in self._attempts():
            try:
                return await self._caller(PEOPLE[seat]).act(request)
            except grpc.aio.AioRpcError as error:
                self._change_engine(error)
        raise AssertionError("unreachable")

    async def _attempts(self) -> AsyncIterator[int]:
        async with asyncio.timeout(30):
            for attempt in count():
                yield attempt

    def _change_engine(self, error: grpc.aio.AioRpcError) -> None:
        if error.code() not in PASSING:
            raise error
        self._engine = 1 - self._engine


async def test_every_answered_act_is_in_the_log_once_when_an_engine_is_killed(
    clients: Clients, pair: list[ServiceProcess], bus: Bus
) -> None:
    tables = [await clients.service(engine=number % 2).create(*PEOPLE) for number in range(6)]
    scripts = [Script(clients, table_id, engine=number % 2) for number, table_id in enumerate(tables)]
    playing = [asyncio.create_task(script.play()) for script in scripts]
    await eventually(lambda: all(len(script.answered) > 15 for script in scripts))
    pair[0].kill()
    views = await asyncio.gather(*playing)
    for table_id, script, view in zip(tables, scripts, views, strict=True):
        commits = await stored_commits(bus, table_id)
        assert [commit.version for commit in commits] == list(range(1, view.version + 1))
        stored = {commit.command_id: commit.version for commit in commits if commit.actor != "engine"}
        assert len(stored) == sum(commit.actor != "engine" for commit in commits)
        assert script.answered.items() <= stored.items()
        assert stored.keys() - script.answered.keys() == {commits[0].command_id}


async def test_acts_of_clients_that_give_up_early_and_ask_again_are_done_once(
    clients: Clients, bus: Bus
) -> None:
    table_id = await clients.service().create(*PEOPLE)
    people, chance, answered = clients.people(), Random(7), {}
    view = await play_until(people, table_id, is_dealt)
    for _ in range(60):
        seat = turn_of(view)
        if seat is None:
            break
        request = await lowest_act(people[seat], table_id, seat)
        hasty = people[seat].stub.Act(request, metadata=people[seat].metadata, timeout=chance.random() / 300)
        await asyncio.gather(hasty, return_exceptions=True)
        engine = chance.randrange(2)
        answered[request.command_id] = await clients.player(PEOPLE[seat], engine).act(request)
        view = await people[0].view(table_id)
    commits = await stored_commits(bus, table_id)
    assert [commit.version for commit in commits] == list(range(1, view.version + 1))
    stored = {commit.command_id: commit.version for commit in commits[1:] if commit.actor != "engine"}
    assert stored == answered


async def test_an_engine_that_is_asked_to_stop_ends_its_streams_and_leaves(
    clients: Clients, pair: list[ServiceProcess]
) -> None:
    table_id = await clients.service().create(*PEOPLE)
    stream = aiter(clients.player("zoe").watch(table_id))
    await anext(stream)
    assert await pair[0].stop() == 0
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async for _ in stream:
            pass
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert (await clients.player("zoe", 1).view(table_id)).table_id == table_id
