"""Clients of a suite under load: the people of a table, who play until the time is up, and their streams."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar

import grpc
from google.protobuf.message import Message

from shuangkou.chassis.channels import attempts
from shuangkou.cli.clients import may_pass, new_id, refused
from shuangkou.cli.legal import listed_requests
from shuangkou.cli.load_script import ScriptedAct, can_be_scripted, scripted_deal
from shuangkou.cli.load_tally import Tally
from shuangkou.cli.rulebook import Game
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.v1 import table_pb2, table_pb2_grpc
from shuangkou.wire.cards import cards_from_wire

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)
Metadata = Sequence[tuple[str, str]]

_PATIENCE_SECONDS: Final = 60.0
_STREAM_PAUSE_SECONDS: Final = 0.1
_LOOK_SECONDS: Final = 0.05
_OVERTAKEN: Final = "state/stale_version"


class Overtaken(Exception):
    """The table had moved on before the act came."""


class GaveUp(Exception):
    """The suite refused what it must not refuse, or did not answer for a minute; it is counted as a fault."""


@dataclass(frozen=True, slots=True)
class Callers:
    """Metadata of the people by name, in the order of their seats, and of a service that seats them."""

    people: Mapping[str, Metadata]
    service: Metadata

    def at(self, view: table_pb2.SeatView, seat: int) -> Metadata:
        """Of whom the seat belongs to: in some games people draw for their seats."""
        return self.people[view.seats[seat].occupant.player_id]


@dataclass(frozen=True, slots=True)
class Pace:
    """``think_seconds``: before each act. ``watchers``: streams per table, 0 to 4, each of another seat."""

    think_seconds: float
    watchers: int


class LoadedTable:
    """One table of a game after another, played until the time is up."""

    def __init__(  # what a table is played with; none of it belongs to another
        self, stub: table_pb2_grpc.TableServiceStub, callers: Callers, tally: Tally, pace: Pace, game: Game
    ) -> None:
        self._stub = stub
        self._callers = callers
        self._tally = tally
        self._pace = pace
        self._game = game
        self._seats = SEATS[: game.rules.options.players]

    async def play(self, is_over: Callable[[], bool]) -> None:
        """Play matches to their ends until ``is_over`` says so; a table that gives up is left."""
        while not is_over():
            with suppress(GaveUp):
                await self._play_one(is_over)

    async def _play_one(self, is_over: Callable[[], bool]) -> None:
        table_id = await self._open()
        self._tally.tables += 1
        views = await self._dealt(table_id)
        watched = self._seats[: self._pace.watchers]
        watchers = [
            asyncio.create_task(self._watch(table_id, seat, self._callers.at(views[0], seat)))
            for seat in watched
        ]
        try:
            play = self._by_script if can_be_scripted(views[0]) else self._by_views
            acts = await play(views, is_over)
            if acts is None:
                return
            self._tally.deals += 1
            self._tally.deal_acts += acts
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
            for seat, name in zip(self._seats, self._callers.people, strict=False)
        ]
        request = table_pb2.CreateTableRequest(
            command_id=f"load-{new_id()}",
            ruleset_id=self._game.rules.id,
            options=self._game.rules.chosen,
            seats=seats,
            deals=self._game.deals,
        )
        return (await self._ask(self._stub.CreateTable, request, self._callers.service)).table_id

    async def _dealt(self, table_id: str) -> list[table_pb2.SeatView]:
        """Every seat's view of the first deal."""
        request = table_pb2.GetTableRequest(table_id=table_id)
        view = table_pb2.SeatView()
        while view.phase != table_pb2.TABLE_PHASE_DEAL:
            if view.version:
                await asyncio.sleep(_LOOK_SECONDS)
            view = (await self._ask(self._stub.GetTable, request, self._callers.service)).view
        views = []
        for seat in self._seats:
            own = table_pb2.GetTableRequest(table_id=table_id, seat=seat)
            views.append((await self._ask(self._stub.GetTable, own, self._callers.at(view, seat))).view)
        return views

    async def _by_script(
        self, views: Sequence[table_pb2.SeatView], is_over: Callable[[], bool]
    ) -> int | None:
        """Send what was worked out beforehand; how many acts, None where the time was up before the end."""
        hands, leader = [cards_from_wire(view.hand) for view in views], SEATS[views[0].next.seats[0]]
        table_id, version, rules = views[0].table_id, views[0].version, self._game.rules
        acts = await asyncio.to_thread(lambda: list(scripted_deal(rules, table_id, version, leader, hands)))
        people = [self._callers.at(views[0], seat) for seat in self._seats]
        for act in acts:
            if self._pace.think_seconds:
                await asyncio.sleep(self._pace.think_seconds)
            if is_over():
                return None
            await self._send(act, people[act.seat])
        await self._check(table_id, acts[-1].version)
        return len(acts)

    async def _by_views(self, views: Sequence[table_pb2.SeatView], is_over: Callable[[], bool]) -> int | None:
        """Look whose turn it is and what is legal before each act; otherwise as by a script."""
        view, acts, stored = views[0], 0, 0
        look = table_pb2.GetTableRequest(table_id=view.table_id)
        while view.phase != table_pb2.TABLE_PHASE_FINISHED:
            if is_over():
                return None
            if view.next.seats:
                made = await self._improvise(view, SEATS[view.next.seats[0]])
                acts, stored = acts + bool(made), made or stored
                look.at_least_version = stored
            else:
                await asyncio.sleep(_LOOK_SECONDS)
            view = (await self._ask(self._stub.GetTable, look, self._callers.service)).view
        await self._check(view.table_id, stored)
        return acts

    async def _improvise(self, view: table_pb2.SeatView, seat: Seat) -> int:
        """The first act that is listed, or a pass; its version, 0 where the table had moved on."""
        person = self._callers.at(view, seat)
        if self._pace.think_seconds:
            await asyncio.sleep(self._pace.think_seconds)
        wanted = table_pb2.ListLegalActsRequest(table_id=view.table_id, seat=seat, limit=1)
        listed = await self._ask(self._stub.ListLegalActs, wanted, person)
        request = next(iter(listed_requests(listed)), table_pb2.ActRequest())
        if request.WhichOneof("command") is None:
            request.pass_turn.SetInParent()
        request.table_id, request.seat = view.table_id, seat
        request.command_id, request.expected_version = f"a{listed.version}", listed.version
        began = time.monotonic()
        try:
            answer = await self._ask(self._stub.Act, request, person, passing=_OVERTAKEN)
        except Overtaken:
            # A clock was faster, as it may be where all seats are asked at once.
            self._tally.overtaken += 1
            return 0
        self._tally.answered(time.monotonic() - began)
        return answer.version

    async def _send(self, act: ScriptedAct, person: Metadata) -> None:
        began = time.monotonic()
        answer = await self._ask(self._stub.Act, act.request, person)
        self._tally.answered(time.monotonic() - began)
        if answer.version != act.version:
            self._tally.faults["an act made another version than the script's"] += 1
            raise GaveUp

    async def _check(self, table_id: str, version: int) -> None:
        """The log holds every act that was answered: its versions have no gap, and this is no older."""
        request = table_pb2.GetTableRequest(table_id=table_id, at_least_version=version)
        view = (await self._ask(self._stub.GetTable, request, self._callers.service)).view
        if view.version < version or view.phase != table_pb2.TABLE_PHASE_FINISHED:
            self._tally.faults["an act that was answered is not in the log"] += 1

    async def _ask(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Q, A], request: Q, who: Metadata, passing: str = ""
    ) -> A:
        """The answer, repeated as clients do; Overtaken for the refusal ``passing``, GaveUp for another."""
        give_up = time.monotonic() + _PATIENCE_SECONDS
        for attempt in attempts():
            try:
                return await method(request, timeout=attempt.seconds, metadata=who)
            except grpc.aio.AioRpcError as error:
                if passing and refused(error).refusal.code == passing:
                    raise Overtaken from None
                if not may_pass(error) or time.monotonic() > give_up:
                    self._tally.faults[f"{error.code().name} {refused(error).refusal.code}".strip()] += 1
                    raise GaveUp from None
                self._tally.repeated(error.code().name)
            await asyncio.sleep(attempt.pause)
        raise AssertionError("there is always another attempt")

    async def _watch(self, table_id: str, seat: int, who: Metadata) -> None:
        """Follow the table to the end of its match; every version must come once and in order."""
        seen: int | None = None
        while True:
            request = table_pb2.WatchTableRequest(table_id=table_id, seat=seat, after_version=seen)
            try:
                call = self._stub.WatchTable(request, metadata=who)
                async for news in call:
                    seen = self._noted(news, seen)
                    if _ends(news):
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


def _ends(news: table_pb2.WatchTableResponse) -> bool:
    if news.HasField("snapshot"):
        return news.snapshot.phase == table_pb2.TABLE_PHASE_FINISHED
    return any(event.HasField("match_finished") for event in news.commit.commit.events)
