"""Four persons at a table whose engines die: they ask others, ask twice, and ask too early."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import count
from random import Random
from typing import TypeVar

import grpc

from kit.chaos.history import Ack, History
from kit.keys import Keys
from kit.table_clients import PEOPLE, decline, play, refusal_of, seated, turn_of
from kit.waiting import eventually
from shuangkou.v1.errors_pb2 import Refusal
from shuangkou.v1.table_pb2 import (
    TABLE_PHASE_FINISHED,
    ActRequest,
    CreateTableRequest,
    GetTableRequest,
    ListLegalActsRequest,
    SeatView,
    WatchTableRequest,
    WatchTableResponse,
)
from shuangkou.v1.table_pb2_grpc import TableServiceStub

_CALL_SECONDS = 5.0
_PAUSE_SECONDS = 0.05
_PASSING = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.UNKNOWN,
)
_AGAIN = ("state/try_again",)
_TOKEN_SECONDS = 86_400.0
Metadata = tuple[tuple[str, str], ...]
A = TypeVar("A")


class Suite:
    """Engines to call, by their stubs, and tokens that outlast a run."""

    def __init__(self, stubs: Sequence[TableServiceStub], keys: Keys) -> None:
        self.stubs = stubs
        self._tokens = {name: keys.player(name, _TOKEN_SECONDS) for name in (*PEOPLE, "zoe")}
        self._service_token = keys.service("matchmaking", _TOKEN_SECONDS)

    def metadata(self, name: str) -> Metadata:
        """The token of a person."""
        return (("authorization", f"Bearer {self._tokens[name]}"),)

    def service_metadata(self) -> Metadata:
        """The token of matchmaking, which may seat anybody."""
        return (("authorization", f"Bearer {self._service_token}"),)


class TableUnderFire:
    """One table from its opening to its end, with no, one or two bots by its ``number``.

    TimeoutError or AssertionError where something takes longer than ``patience_seconds``."""

    def __init__(
        self, suite: Suite, history: History, number: int, chance: Random, patience_seconds: float
    ) -> None:
        bots = number % 3
        self._patience_seconds = patience_seconds
        self._suite = suite
        self._history = history
        self._number = number
        self._chance = chance
        self._names = [*PEOPLE[: 4 - bots], *["bot:plain"] * bots]
        self._commands = count(1)
        self.table_id = ""

    async def run(self) -> None:
        """Open it, play it, watch it."""
        self.table_id = await self._open()
        self._history.tables.append(self.table_id)
        watchers = [asyncio.create_task(self._watch(name)) for name in (PEOPLE[0], "zoe")]
        try:
            version = await self._play()
            for name in (PEOPLE[0], "zoe"):
                await self._has_been_told(name, version)
        finally:
            for watcher in watchers:
                watcher.cancel()
            await asyncio.gather(*watchers, return_exceptions=True)

    async def _open(self) -> str:
        request = CreateTableRequest(
            command_id=f"open-{self._number}",
            ruleset_id="qq",
            seats=seated(*self._names),
            deals=1,
            deal_pause_ms=0,
        )
        metadata = self._suite.service_metadata()
        answer = await self._asked(
            lambda stub: stub.CreateTable(request, metadata=metadata, timeout=_CALL_SECONDS)
        )
        return answer.table_id

    async def _play(self) -> int:
        """Act until the match is over; its last version."""
        while True:
            view = await self._view()
            if view.phase == TABLE_PHASE_FINISHED:
                return view.version
            seat = turn_of(view)
            if seat is None or self._names[seat].startswith("bot:"):
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            await self._act(await self._request(seat))

    async def _view(self) -> SeatView:
        request = GetTableRequest(table_id=self.table_id)
        metadata = self._suite.metadata("zoe")
        answer = await self._asked(
            lambda stub: stub.GetTable(request, metadata=metadata, timeout=_CALL_SECONDS)
        )
        return answer.view

    async def _request(self, seat: int) -> ActRequest:
        """One of the lowest plays or a pass, perhaps not legal any more when it arrives."""
        request = ListLegalActsRequest(table_id=self.table_id, seat=seat, limit=4)
        metadata = self._suite.metadata(PEOPLE[seat])
        try:
            legal = await self._asked(
                lambda stub: stub.ListLegalActs(request, metadata=metadata, timeout=_CALL_SECONDS)
            )
        except grpc.aio.AioRpcError:
            # Not its turn any more.
            return decline(self.table_id, seat, command_id=self._command_id())
        if not legal.plays:
            return decline(self.table_id, seat, command_id=self._command_id())
        chosen = self._chance.choice(legal.plays)
        return play(self.table_id, seat, chosen.cards, command_id=self._command_id())

    def _command_id(self) -> str:
        return f"c{self._number}-{next(self._commands)}"

    async def _act(self, request: ActRequest) -> None:
        match self._chance.choices(("once", "twice", "again", "hasty", "rivals"), (60, 10, 10, 10, 10))[0]:
            case "twice":
                await asyncio.gather(self._send(request), self._send(request))
            case "again":
                await self._send(request)
                await self._send(request)
            case "hasty":
                with suppress(grpc.aio.AioRpcError, TimeoutError):
                    await asyncio.wait_for(self._call(request, self._engine()), 0.002)
                await self._send(request)
            case "rivals":
                rival = decline(self.table_id, request.seat, command_id=self._command_id())
                await asyncio.gather(self._send(request), self._send(rival))
            case _:
                await self._send(request)

    async def _send(self, request: ActRequest) -> None:
        """Send until it is answered, and note the answer."""
        key = (self.table_id, PEOPLE[request.seat], request.command_id)
        try:
            version = await self._asked(lambda stub: self._call(request, stub))
        except grpc.aio.AioRpcError as error:
            self._history.refused[key] = refusal_of(error).code
            return
        self._history.acks.append(Ack(key, request, version, time.monotonic()))

    async def _call(self, request: ActRequest, stub: TableServiceStub) -> int:
        metadata = self._suite.metadata(PEOPLE[request.seat])
        answer = await stub.Act(request, metadata=metadata, timeout=_CALL_SECONDS)
        return answer.version

    def _engine(self) -> TableServiceStub:
        return self._chance.choice(self._suite.stubs)

    async def _asked(self, call: Callable[[TableServiceStub], Awaitable[A]]) -> A:
        """The answer of some engine; AioRpcError when one refuses."""
        async with asyncio.timeout(self._patience_seconds):
            while True:
                try:
                    return await call(self._engine())
                except grpc.aio.AioRpcError as error:
                    if not _may_pass(error):
                        raise
                    self._history.troubles[error.code().name] += 1
                await asyncio.sleep(_PAUSE_SECONDS)

    async def _watch(self, name: str) -> None:
        """Follow the table from its first version, coming back wherever a stream ended."""
        seat = 0 if name == PEOPLE[0] else None
        metadata = self._suite.metadata(name)
        while True:
            told = self._history.told[f"{name} at {self.table_id}"][-1]
            after = told[-1].version if told else 0
            request = WatchTableRequest(table_id=self.table_id, seat=seat, after_version=after)
            try:
                await self._follow(name, self._engine().WatchTable(request, metadata=metadata))
            except grpc.aio.AioRpcError as error:
                if not _may_pass(error):
                    self._history.absurd.append((self.table_id, error.details() or error.code().name))
                self._history.troubles[f"watch {error.code().name}"] += 1
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _follow(self, name: str, stream: AsyncIterable[WatchTableResponse]) -> None:
        parts = self._history.told[f"{name} at {self.table_id}"]
        is_first = True
        async for update in stream:
            match update.WhichOneof("update"):
                case "commit":
                    parts[-1].append(update.commit.commit)
                case "snapshot" if not is_first:
                    # It fell behind and starts over, which it was told; what follows is a part of its own.
                    parts.append([])
                    self._history.troubles["resync"] += 1
            is_first = False

    async def _has_been_told(self, name: str, version: int) -> None:
        parts = self._history.told[f"{name} at {self.table_id}"]
        await eventually(
            lambda: parts[-1] and parts[-1][-1].version >= version, within=self._patience_seconds
        )


def _may_pass(error: grpc.aio.AioRpcError) -> bool:
    if error.code() in _PASSING:
        return True
    refusal: Refusal = refusal_of(error)
    return refusal.code in _AGAIN
