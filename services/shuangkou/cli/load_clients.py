"""Clients of a suite under load: tables of four people who play by a script, and those who look on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar

import grpc
from google.protobuf.message import Message

from shuangkou.chassis.channels import attempts
from shuangkou.cli.clients import may_pass, new_id, refused
from shuangkou.cli.load_script import GAME, ScriptedAct, scripted_deal
from shuangkou.cli.load_tally import Tally
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import table_pb2, table_pb2_grpc
from shuangkou.wire.cards import cards_from_wire

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)
Metadata = Sequence[tuple[str, str]]

_PATIENCE_SECONDS: Final = 60.0
_STREAM_PAUSE_SECONDS: Final = 0.1
_ALREADY_SEEN: Final = "state/stale_version"


class GaveUp(Exception):
    """The suite refused what it must not refuse, or did not answer for a minute; it is counted as a fault."""


@dataclass(frozen=True, slots=True)
class Callers:
    """Metadata of the people on the four seats, and of a service that may seat them."""

    people: tuple[Metadata, ...]
    names: tuple[str, ...]
    service: Metadata


@dataclass(frozen=True, slots=True)
class Pace:
    """``think_seconds``: before each act. ``watchers``: streams per table, 0 to 4, each of another seat."""

    think_seconds: float
    watchers: int


class TableOfFour:
    """One table after another, played until the time is up."""

    def __init__(
        self, stub: table_pb2_grpc.TableServiceStub, callers: Callers, tally: Tally, pace: Pace
    ) -> None:
        self._stub = stub
        self._callers = callers
        self._tally = tally
        self._pace = pace

    async def play(self, is_over: Callable[[], bool]) -> None:
        """Play deals to their ends until ``is_over`` says so; a table that gives up is left."""
        while not is_over():
            with suppress(GaveUp):
                await self._play_one(is_over)

    async def _play_one(self, is_over: Callable[[], bool]) -> None:
        table_id = await self._open()
        self._tally.tables += 1
        acts = await self._script(table_id)
        watchers = [
            asyncio.create_task(self._watch(table_id, seat, acts[-1].version))
            for seat in range(self._pace.watchers)
        ]
        try:
            for act in acts:
                if self._pace.think_seconds:
                    await asyncio.sleep(self._pace.think_seconds)
                if is_over():
                    return
                await self._act(act)
            self._tally.deals += 1
            self._tally.deal_acts += len(acts)
            await self._check(table_id, acts[-1].version)
            if watchers:
                await asyncio.wait(watchers, timeout=_PATIENCE_SECONDS)
        finally:
            for watcher in watchers:
                if not watcher.done():
                    if not is_over():
                        self._tally.faults["a stream did not tell the end of its table"] += 1
                    watcher.cancel()
            await asyncio.gather(*watchers, return_exceptions=True)

    async def _open(self) -> str:
        seats = [
            table_pb2.SeatAssignment(seat=seat, occupant=table_pb2.Occupant(player_id=name))
            for seat, name in zip(SEATS, self._callers.names, strict=True)
        ]
        request = table_pb2.CreateTableRequest(
            command_id=f"load-{new_id()}", ruleset_id=GAME.id, seats=seats, deals=1
        )
        return (await self._ask(self._stub.CreateTable, request, self._callers.service)).table_id

    async def _script(self, table_id: str) -> list[ScriptedAct]:
        views = [await self._view(table_id, seat) for seat in SEATS]
        hands = [cards_from_wire(view.hand) for view in views]
        leader = SEATS[views[0].next.seats[0]]
        return await asyncio.to_thread(lambda: list(scripted_deal(table_id, views[0].version, leader, hands)))

    async def _view(self, table_id: str, seat: int) -> table_pb2.SeatView:
        request = table_pb2.GetTableRequest(table_id=table_id, seat=seat)
        while True:
            view = (await self._ask(self._stub.GetTable, request, self._callers.people[seat])).view
            if view.phase == table_pb2.TABLE_PHASE_DEAL:
                return view
            await asyncio.sleep(0.05)

    async def _act(self, act: ScriptedAct) -> None:
        began = time.monotonic()
        answer = await self._ask(self._stub.Act, act.request, self._callers.people[act.seat])
        self._tally.answered(time.monotonic() - began)
        if answer.version != act.version:
            self._tally.faults["an act made another version than the script's"] += 1
            raise GaveUp

    async def _check(self, table_id: str, version: int) -> None:
        """The log holds every act that was answered: its versions have no gap, and this is the last."""
        request = table_pb2.GetTableRequest(table_id=table_id, at_least_version=version)
        view = (await self._ask(self._stub.GetTable, request, self._callers.service)).view
        if view.version < version or view.phase != table_pb2.TABLE_PHASE_FINISHED:
            self._tally.faults["an act that was answered is not in the log"] += 1

    async def _ask(self, method: grpc.aio.UnaryUnaryMultiCallable[Q, A], request: Q, who: Metadata) -> A:
        give_up = time.monotonic() + _PATIENCE_SECONDS
        for attempt in attempts():
            try:
                return await method(request, timeout=attempt.seconds, metadata=who)
            except grpc.aio.AioRpcError as error:
                if not may_pass(error) or time.monotonic() > give_up:
                    self._tally.faults[f"{error.code().name} {refused(error).refusal.code}".strip()] += 1
                    raise GaveUp from None
                self._tally.repeated(error.code().name)
            await asyncio.sleep(attempt.pause)
        raise AssertionError("there is always another attempt")

    async def _watch(self, table_id: str, seat: int, last: int) -> None:
        """Follow the table to this version; every version must come once and in order."""
        seen: int | None = None
        while seen is None or seen < last:
            request = table_pb2.WatchTableRequest(table_id=table_id, seat=seat, after_version=seen)
            try:
                call = self._stub.WatchTable(request, metadata=self._callers.people[seat])
                async for news in call:
                    seen = self._noted(news, seen)
                    if seen is not None and seen >= last:
                        call.cancel()
                        return
                self._tally.streams["ended"] += 1
            except grpc.aio.AioRpcError as error:
                if not may_pass(error):
                    self._tally.faults[f"stream {error.code().name} {refused(error).refusal.code}"] += 1
                    return
                self._tally.streams[error.code().name] += 1
            await asyncio.sleep(_STREAM_PAUSE_SECONDS)

    def _noted(self, news: table_pb2.WatchTableResponse, seen: int | None) -> int | None:
        if news.HasField("snapshot"):
            # Of a stream that is opened again what lies between follows the snapshot.
            return news.snapshot.version if seen is None else seen
        if not news.HasField("commit"):
            return seen
        commit = news.commit.commit
        if seen is not None and commit.version > seen + 1:
            self._tally.faults["a stream left out a version"] += 1
        self._tally.lags.append(max(0.0, time.time() - commit.time_ms / 1000))
        return commit.version
