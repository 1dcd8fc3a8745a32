"""A person at a table whose engines die: asks again, asks twice, and asks too early."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from random import Random

import grpc

from kit.chaos.callers import Suite, refusal_code
from kit.chaos.history import Ack, CommandKey, No
from kit.chaos.watching import Watch
from kit.table_clients import decline, play
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import ActRequest, ListLegalActsRequest

_LOOK_AGAIN_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Habits:
    """Of a person: how long it waits for anything, and how long it thinks before an act, on average."""

    patience_seconds: float = 90.0
    think_seconds: float = 0.0


class Person:
    """Plays one seat to the end, led by what its stream tells.

    TimeoutError where something takes longer than its patience.
    """

    def __init__(self, suite: Suite, name: str, chance: Random, habits: Habits) -> None:
        self.name = name
        self._suite = suite
        self._chance = chance
        self._habits = habits
        self._patience_seconds = habits.patience_seconds
        self._thought = (0.0, 0.0)
        self._commands = count(1)

    async def play(self, table_id: str, seat: int) -> None:
        """Until the match is over and this person has been told so."""
        watch = Watch(self._suite, self.name, table_id, seat)
        watching = asyncio.create_task(watch.run())
        try:
            async with asyncio.timeout(None) as patience:
                loop = asyncio.get_running_loop()
                while not is_over(watch.latest):
                    patience.reschedule(loop.time() + self._patience_seconds)
                    before = watch.version
                    made = await self._turn(watch, table_id, seat)
                    if made and not await watch.reached(made, self._patience_seconds):
                        raise TimeoutError
                    while not await watch.reached(before + 1, _LOOK_AGAIN_SECONDS):
                        if seat in watch.latest.next.seats:
                            break
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def _turn(self, watch: Watch, table_id: str, seat: int) -> int:
        """Act if it is this seat's turn; the version that was made, 0 for none."""
        if seat not in watch.latest.next.seats:
            return 0
        await self._think()
        request = await self._request(table_id, seat, watch.version)
        if self._chance.random() < 0.7:
            request.expected_version = watch.version
        return await self._act(request, watch)

    async def _think(self) -> None:
        began = time.monotonic()
        await asyncio.sleep(self._chance.uniform(0, 2) * self._habits.think_seconds)
        self._thought = began, time.monotonic()

    async def _request(self, table_id: str, seat: int, known: int) -> ActRequest:
        """One of the lowest plays or a pass, perhaps not legal any more when it arrives."""
        asked = ListLegalActsRequest(table_id=table_id, seat=seat, limit=4)
        metadata = self._suite.metadata(self.name)
        legal = await self._suite.answer(
            lambda seconds: self._suite.tables.ListLegalActs(asked, metadata=metadata, timeout=seconds),
            self._patience_seconds,
        )
        if legal.version < known:
            self._suite.history.absurd.append((table_id, f"shown {legal.version} after {known} was told"))
        if not legal.plays:
            return decline(table_id, seat, command_id=self._command_id())
        chosen = self._chance.choice(legal.plays)
        return play(table_id, seat, chosen.cards, command_id=self._command_id())

    def _command_id(self) -> str:
        return f"c{next(self._commands)}"

    async def _act(self, request: ActRequest, watch: Watch) -> int:
        """The version made, by this command or by the rival that it was sent with."""
        sends: list[Awaitable[int]] = [self._send(request, watch)]
        match self._chance.choices(("once", "twice", "again", "hasty", "rivals"), (60, 10, 10, 10, 10))[0]:
            case "twice":
                sends.append(self._send(request, watch))
            case "again":
                made = await sends.pop()
                return max(made, await self._send(request, watch))
            case "hasty":
                with suppress(grpc.aio.AioRpcError, TimeoutError):
                    async with asyncio.timeout(0.002):
                        await self._call(request, 1.0)
            case "rivals":
                rival = decline(request.table_id, request.seat, command_id=self._command_id())
                sends.append(self._send(rival, watch))
        return max(await asyncio.gather(*sends))

    async def _send(self, request: ActRequest, watch: Watch) -> int:
        """Send until it is answered, and note the answer; the version made, 0 when refused."""
        history, known = self._suite.history, watch.version
        key: CommandKey = (request.table_id, self.name, request.command_id)
        sent_at = time.monotonic()
        try:
            version = await self._suite.answer(
                lambda seconds: self._call(request, seconds), self._patience_seconds
            )
        except grpc.aio.AioRpcError as error:
            history.refused.append(No(key, request, refusal_code(error), known, time.time() * 1000))
            return 0
        history.acks.append(Ack(key, request, version, sent_at, time.monotonic(), self._thought))
        return version

    async def _call(self, request: ActRequest, seconds: float) -> int:
        metadata = self._suite.metadata(self.name)
        answer = await self._suite.tables.Act(request, metadata=metadata, timeout=seconds)
        return answer.version


def is_over(commit: Commit) -> bool:
    """Whether the match ended with it."""
    return any(event.HasField("match_finished") for event in commit.events)
