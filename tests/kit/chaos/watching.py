"""One viewer of one table, who comes back wherever its stream ends and remembers all that it was told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import grpc

from kit.chaos.callers import Suite, may_pass, refusal_code
from kit.chaos.history import Break, Part
from shuangkou.chassis.channels import attempts
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import WatchTableRequest, WatchTableResponse

_SILENCE_SECONDS = 7.0
"""Engines send a heartbeat every two seconds."""


class Watch:
    """Follows a table for a person at a seat, or for a spectator without one."""

    def __init__(self, suite: Suite, name: str, table_id: str, seat: int | None) -> None:
        self._suite = suite
        self._name = name
        self._table_id = table_id
        self._seat = seat
        self._parts = suite.history.told[name, table_id]
        self._news = asyncio.Event()

    @property
    def version(self) -> int:
        """The last version told."""
        return self._parts[-1].version

    @property
    def latest(self) -> Commit:
        """The last commit told, an empty one before the first."""
        updates = self._parts[-1].updates
        return updates[-1].commit if updates else Commit()

    async def reached(self, version: int, within: float) -> bool:
        """Whether the version is told in so many seconds."""
        try:
            async with asyncio.timeout(within):
                while self.version < version:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return False
        return True

    async def run(self) -> None:
        """Until it is cancelled."""
        history, tries = self._suite.history, attempts()
        while True:
            request = WatchTableRequest(table_id=self._table_id, seat=self._seat, after_version=self.version)
            stream = self._suite.tables.WatchTable(request, metadata=self._suite.metadata(self._name))
            before = self.version
            try:
                await self._follow(_with_heartbeats(stream))
            except grpc.aio.AioRpcError as error:
                history.breaks.append(Break((self._name, self._table_id), time.monotonic()))
                history.troubles[f"watch {error.code().name}"] += 1
                if not may_pass(error):
                    history.absurd.append((self._table_id, f"{self._name} watches: {refusal_code(error)}"))
            except TimeoutError:
                history.troubles["watch fell silent"] += 1
            finally:
                stream.cancel()
            if self.version > before:
                tries = attempts()
            await asyncio.sleep(next(tries).pause)

    async def _follow(self, stream: AsyncIterator[WatchTableResponse]) -> None:
        is_first = True
        async for message in stream:
            match message.WhichOneof("update"):
                case "commit":
                    self._parts[-1].updates.append(message.commit)
                    self._news.set()
                case "snapshot":
                    self._suite.history.views.append(((self._name, self._table_id), message.snapshot))
                    if not is_first:
                        # It fell behind and starts over, which it was told.
                        self._parts.append(Part(message.snapshot.version))
                        self._suite.history.troubles["resync"] += 1
            is_first = False


async def _with_heartbeats(
    stream: grpc.aio.UnaryStreamCall[WatchTableRequest, WatchTableResponse],
) -> AsyncIterator[WatchTableResponse]:
    """What the stream brings; TimeoutError when the engine neither speaks nor closes."""
    while True:
        # Not `wait_for`: with Python 3.11 it forgets that it was cancelled when a message comes that moment.
        async with asyncio.timeout(_SILENCE_SECONDS):
            message = await stream.read()
        if not isinstance(message, WatchTableResponse):
            return
        yield message
