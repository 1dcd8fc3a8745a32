"""When nobody can say whether a commit was stored, it is stored once and the client gets its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from kit.engines import stored_commits
from kit.keys import Keys
from kit.nats import NatsServer
from kit.nats_proxy import NatsProxy, proxied
from kit.service_process import Launcher
from kit.table_clients import (
    PEOPLE,
    Caller,
    Clients,
    is_dealt,
    lowest_act,
    new_command_id,
    play_until,
    turn_of,
)
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus
from shuangkou.engine.boundary import new_table_id
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import ActRequest

_HANGS_UP_AFTER_SECONDS = 1.0
"""Sooner than an engine gives up waiting for the answer to an append."""


@pytest.fixture
async def proxy(nats_server: NatsServer) -> AsyncIterator[NatsProxy]:
    """Between the engine of a test and the broker."""
    async with proxied(nats_server) as made:
        yield made


@pytest.fixture
async def clients(proxy: NatsProxy, engine_launcher: Launcher, keys: Keys) -> AsyncIterator[Clients]:
    """Callers of one engine, which reaches the broker through the proxy."""
    engine = await engine_launcher.start("engine", nats_url=proxy.url)
    made = Clients([engine], keys)
    yield made
    await made.close()


class Loss:
    """How messages get lost in one run of the test, and what must come of it."""

    def __init__(self, clients: Clients, proxy: NatsProxy, bus: Bus, is_publish: bool) -> None:
        self._clients = clients
        self._bus = bus
        self._lose = proxy.lose_publish if is_publish else proxy.lose_answer

    async def of_an_act(self) -> None:
        """The act is stored once and answered with its version."""
        actor, request, version = await self._an_act()
        assert await actor.act(request) == version
        assert await actor.act(request) == version
        self._check_log(await stored_commits(self._bus, request.table_id))

    async def of_an_act_whose_sender_hangs_up(self) -> None:
        """The act is stored once all the same."""
        actor, request, _ = await self._an_act()
        call = actor.stub.Act(request, metadata=actor.metadata, timeout=_HANGS_UP_AFTER_SECONDS)
        with pytest.raises(grpc.aio.AioRpcError, match="DEADLINE_EXCEEDED"):
            await call

        async def is_stored() -> bool:
            commits = await stored_commits(self._bus, request.table_id)
            return commits[-1].command_id == request.command_id

        await eventually(is_stored, within=20)
        self._check_log(await stored_commits(self._bus, request.table_id))

    async def of_an_opening(self) -> None:
        """One table is opened, and its deal starts."""
        service, command_id = self._clients.service(), new_command_id()
        table_id = new_table_id(service.name, command_id)
        self._lose(f"table.qq.{table_id}.public.none")
        assert await service.create(*PEOPLE, command_id=command_id) == table_id
        assert await service.create(*PEOPLE, command_id=command_id) == table_id
        await play_until(self._clients.people(), table_id, is_dealt)
        self._check_log(await stored_commits(self._bus, table_id))

    async def of_a_deal(self) -> None:
        """One deal is started."""
        await self._deal_without("public.human")

    async def of_the_secret_part_of_a_deal(self) -> None:
        """Both parts are stored together or none is."""
        await self._deal_without("secret")

    async def _deal_without(self, part: str) -> None:
        service, command_id = self._clients.service(), new_command_id()
        table_id = new_table_id(service.name, command_id)
        self._lose(f"table.qq.{table_id}.{part}")
        await service.create(*PEOPLE, command_id=command_id)

        async def is_started() -> bool:
            return is_dealt(await service.view(table_id))

        await eventually(is_started, within=20)
        self._check_log(await stored_commits(self._bus, table_id))

    async def _an_act(self) -> tuple[Caller, ActRequest, int]:
        """The first act of a deal, which will meet the loss: who sends it, and the version that it makes."""
        people = self._clients.people()
        table_id = await self._clients.service().create(*PEOPLE)
        view = await play_until(people, table_id, is_dealt)
        seat = turn_of(view)
        assert seat is not None
        request = await lowest_act(people[seat], table_id, seat)
        self._lose(f"table.qq.{table_id}.public")
        return people[seat], request, view.version + 1

    def _check_log(self, commits: list[Commit]) -> None:
        assert [commit.version for commit in commits] == list(range(1, len(commits) + 1))
        assert len({(commit.actor, commit.command_id) for commit in commits}) == len(commits)
        kinds = [event.WhichOneof("event") for commit in commits for event in commit.events]
        assert (kinds.count("table_created"), kinds.count("deal_started")) == (1, 1)


async def test_what_was_stored_but_not_acknowledged_is_not_stored_again(
    clients: Clients, proxy: NatsProxy, bus: Bus
) -> None:
    loss = Loss(clients, proxy, bus, is_publish=False)
    await asyncio.gather(loss.of_an_act(), loss.of_an_opening(), loss.of_a_deal())
    assert len(proxy.lost) == 3


async def test_what_never_reached_the_broker_is_sent_again(
    clients: Clients, proxy: NatsProxy, bus: Bus
) -> None:
    loss = Loss(clients, proxy, bus, is_publish=True)
    await asyncio.gather(
        loss.of_an_act(), loss.of_an_opening(), loss.of_a_deal(), loss.of_the_secret_part_of_a_deal()
    )
    assert len(proxy.lost) == 4


async def test_an_act_is_finished_though_its_sender_hangs_up(
    clients: Clients, proxy: NatsProxy, bus: Bus
) -> None:
    is_never_sent, is_never_answered = (Loss(clients, proxy, bus, is_publish) for is_publish in (True, False))
    await is_never_sent.of_an_act_whose_sender_hangs_up()
    await is_never_answered.of_an_act_whose_sender_hangs_up()
    assert len(proxy.lost) == 2


async def test_an_engine_begins_again_when_the_broker_leaves_its_start_unanswered(
    proxy: NatsProxy, engine_launcher: Launcher
) -> None:
    proxy.lose_answer("$JS.API.STREAM.CREATE")
    engine = await engine_launcher.start("engine", nats_url=proxy.url)
    assert engine.line("started_again")
    assert len(proxy.lost) == 1
