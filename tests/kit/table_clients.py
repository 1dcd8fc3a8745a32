"""Tables as clients use them: calls in one caller's name, refusals read, deals played by a script."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from grpc_status import rpc_status

from kit.keys import Keys
from kit.service_process import ServiceProcess
from shuangkou.v1.cards_pb2 import Card
from shuangkou.v1.errors_pb2 import Refusal
from shuangkou.v1.table_pb2 import (
    TABLE_PHASE_DEAL,
    TABLE_PHASE_FINISHED,
    ActRequest,
    CreateTableRequest,
    GetTableRequest,
    ListLegalActsRequest,
    ListLegalActsResponse,
    Occupant,
    Pass,
    PlayCards,
    SeatAssignment,
    SeatView,
    WatchTableRequest,
    WatchTableResponse,
)
from shuangkou.v1.table_pb2_grpc import TableServiceStub

CALL_SECONDS = 20.0
PEOPLE = ("alice", "bob", "carol", "dave")
_NUMBERS = count(1)

Until = Callable[[SeatView], bool]


def new_command_id() -> str:
    """An id that no other command of this test run has."""
    return f"c{next(_NUMBERS)}"


def seated(*names: str) -> list[SeatAssignment]:
    """These persons in turn order; `bot:plain` is a bot, and nobody is named for an open seat (``)."""
    return [SeatAssignment(seat=seat, occupant=_occupant(name)) for seat, name in enumerate(names) if name]


def _occupant(name: str) -> Occupant:
    if name.startswith("bot:"):
        return Occupant(persona=name.removeprefix("bot:"))
    return Occupant(player_id=name)


def refusal_of(error: grpc.aio.AioRpcError) -> Refusal:
    """The refusal in the details of a refused call."""
    status = rpc_status.from_call(error)
    assert status is not None, error
    refusal = Refusal()
    assert status.details[0].Unpack(refusal), status
    return refusal


@dataclass(frozen=True, slots=True)
class Caller:
    """One caller of one engine."""

    name: str
    stub: TableServiceStub
    metadata: tuple[tuple[str, str], ...]

    async def create(self, *names: str, **terms: Any) -> str:
        """Open a table with these holders and terms; its id."""
        terms.setdefault("command_id", new_command_id())
        terms.setdefault("ruleset_id", "qq")
        if "event" not in terms:
            terms.setdefault("deals", 1)
        request = CreateTableRequest(seats=seated(*names), **terms)
        answer = await self.stub.CreateTable(request, metadata=self.metadata, timeout=CALL_SECONDS)
        return answer.table_id

    async def act(self, request: ActRequest) -> int:
        """Perform a command; the version that it made."""
        answer = await self.stub.Act(request, metadata=self.metadata, timeout=CALL_SECONDS)
        return answer.version

    async def view(self, table_id: str, seat: int | None = None, at_least: int | None = None) -> SeatView:
        """The table as the log has it, or at least as new as this version."""
        request = GetTableRequest(table_id=table_id, seat=seat, at_least_version=at_least)
        answer = await self.stub.GetTable(request, metadata=self.metadata, timeout=CALL_SECONDS)
        return answer.view

    async def legal(self, table_id: str, seat: int, limit: int = 0) -> ListLegalActsResponse:
        """What the seat may do."""
        request = ListLegalActsRequest(table_id=table_id, seat=seat, limit=limit)
        return await self.stub.ListLegalActs(request, metadata=self.metadata, timeout=CALL_SECONDS)

    def watch(
        self, table_id: str, seat: int | None = None, after: int | None = None
    ) -> grpc.aio.UnaryStreamCall[WatchTableRequest, WatchTableResponse]:
        """The table's stream."""
        request = WatchTableRequest(table_id=table_id, seat=seat, after_version=after)
        return self.stub.WatchTable(request, metadata=self.metadata)

    async def refused(self, method: str, request: Message) -> tuple[grpc.StatusCode, Refusal]:
        """How a call is refused."""
        call = getattr(self.stub, method)(request, metadata=self.metadata, timeout=CALL_SECONDS)
        return await refused(call)


async def refused(call: Awaitable[object]) -> tuple[grpc.StatusCode, Refusal]:
    """How a call is refused; fails the test when it is not."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), refusal_of(caught.value)


def told(answer: tuple[grpc.StatusCode, Refusal]) -> tuple[grpc.StatusCode, str]:
    """Status and code of a refusal, which must explain itself to a person."""
    status, refusal = answer
    assert refusal.explanation
    return status, refusal.code


class Clients:
    """Callers of some engines."""

    def __init__(self, engines: Sequence[ServiceProcess], keys: Keys) -> None:
        self._keys = keys
        self.channels = [grpc.aio.insecure_channel(engine.target) for engine in engines]
        self._stubs = [TableServiceStub(channel) for channel in self.channels]

    def player(self, name: str, engine: int = 0) -> Caller:
        """A person."""
        return self._caller(name, self._keys.player(name), engine)

    def service(self, name: str = "ai_player", engine: int = 0) -> Caller:
        """One of our services."""
        return self._caller(name, self._keys.service(name), engine)

    def people(self, engine: int = 0) -> dict[int, Caller]:
        """The persons of `PEOPLE` by their seats."""
        return {seat: self.player(name, engine) for seat, name in enumerate(PEOPLE)}

    async def close(self) -> None:
        """Close all connections."""
        for channel in self.channels:
            await channel.close()

    def _caller(self, name: str, token: str, engine: int) -> Caller:
        return Caller(name, self._stubs[engine], (("authorization", f"Bearer {token}"),))


def turn_of(view: SeatView) -> int | None:
    """The seat to act; None between deals."""
    return view.next.seats[0] if view.phase == TABLE_PHASE_DEAL else None


def play(table_id: str, seat: int, cards: Iterable[Card.ValueType], **more: Any) -> ActRequest:
    """Playing these cards."""
    more.setdefault("command_id", new_command_id())
    return ActRequest(table_id=table_id, seat=seat, play_cards=PlayCards(cards=cards), **more)


def decline(table_id: str, seat: int, **more: Any) -> ActRequest:
    """Passing."""
    more.setdefault("command_id", new_command_id())
    return ActRequest(table_id=table_id, seat=seat, pass_turn=Pass(), **more)


async def lowest_act(caller: Caller, table_id: str, seat: int) -> ActRequest:
    """The lowest legal play of the seat, or a pass when it has none."""
    legal = await caller.legal(table_id, seat, limit=1)
    return play(table_id, seat, legal.plays[0].cards) if legal.plays else decline(table_id, seat)


async def play_one(callers: Mapping[int, Caller], table_id: str, view: SeatView) -> int:
    """One act of the seat to act, the lowest; the version that it made."""
    seat = turn_of(view)
    assert seat is not None, view
    return await callers[seat].act(await lowest_act(callers[seat], table_id, seat))


async def play_until(callers: Mapping[int, Caller], table_id: str, until: Until) -> SeatView:
    """Let everyone play the lowest that they can until the view is as asked for; pauses are waited out."""
    any_caller = next(iter(callers.values()))
    view = await any_caller.view(table_id)
    while not until(view):
        assert view.phase != TABLE_PHASE_FINISHED, view
        if turn_of(view) is not None:
            await play_one(callers, table_id, view)
        view = await any_caller.view(table_id)
    return view


def is_dealt(view: SeatView) -> bool:
    """A deal is being played."""
    return view.phase == TABLE_PHASE_DEAL
