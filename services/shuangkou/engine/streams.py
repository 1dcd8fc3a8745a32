"""WatchTable: a snapshot, then every commit once and in order, and a heartbeat."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from shuangkou.chassis.errors import Refused
from shuangkou.engine.claims import Claims
from shuangkou.engine.clock import now_ms
from shuangkou.engine.fold import apply_entry, entry_from_log, warm_from_first
from shuangkou.engine.log import TableLog
from shuangkou.engine.metrics import EngineMetrics
from shuangkou.engine.refusals import refused_as
from shuangkou.engine.tables import Tables
from shuangkou.engine.views import seat_view
from shuangkou.engine.warm import WarmTable
from shuangkou.engine.watchers import Viewer, Watcher, public_part, update_for
from shuangkou.v1 import table_pb2

HEARTBEAT_SECONDS = 2.0
_TURN_COMMITS = 8
"""Of a past so many are folded, a millisecond's work, before other calls have their turn."""


class Streams:
    """Follows tables for clients."""

    def __init__(self, tables: Tables, log: TableLog, claims: Claims, metrics: EngineMetrics) -> None:
        self._tables = tables
        self._claims = claims
        self._log = log
        self._metrics = metrics

    async def watch(
        self, warm: WarmTable, viewer: Viewer, after_version: int | None
    ) -> AsyncIterator[table_pb2.WatchTableResponse]:
        """The stream of one viewer. `after_version`: the last version that the client has seen."""
        async with self._watcher(warm, viewer) as watcher:
            view, sequence = seat_view(warm.table, viewer.seat_at(warm.table)), warm.last_sequence
            yield table_pb2.WatchTableResponse(snapshot=view)
            told = view.version
            if after_version is not None and after_version < told:
                async for update in self._history(warm, viewer, range(after_version + 1, told + 1), sequence):
                    yield table_pb2.WatchTableResponse(commit=update)
            while True:
                if watcher.fell_behind:
                    view = self._start_over(warm, watcher)
                    told = view.version
                    yield table_pb2.WatchTableResponse(snapshot=view)
                news = await _next(watcher)
                if watcher.is_superseded:
                    self._metrics.superseded.inc()
                    raise _superseded()
                if news is None:
                    yield _heartbeat(warm)
                elif news.commit.version > told:
                    told = news.commit.version
                    self._metrics.watch_lag.observe(max(0, now_ms() - news.commit.time_ms) / 1000)
                    yield table_pb2.WatchTableResponse(commit=news)

    @asynccontextmanager
    async def _watcher(self, warm: WarmTable, viewer: Viewer) -> AsyncIterator[Watcher]:
        watcher = Watcher(viewer)
        try:
            async with warm.lock:
                await self._tables.watch(warm, watcher)
            async with self._newest(warm, watcher):
                yield watcher
        finally:
            await self._tables.unwatch(warm, watcher)

    @asynccontextmanager
    async def _newest(self, warm: WarmTable, watcher: Watcher) -> AsyncIterator[None]:
        """A person has one stream of its seat; onlookers and services have as many as they like."""
        if not watcher.viewer.player_id:
            yield
            return
        async with self._claims.held(warm.table.id, watcher.viewer.player_id, watcher.supersede):
            yield

    def _start_over(self, warm: WarmTable, watcher: Watcher) -> table_pb2.SeatView:
        self._metrics.resyncs.inc()
        while not watcher.queue.empty():
            watcher.queue.get_nowait()
        watcher.fell_behind = False
        return seat_view(warm.table, watcher.viewer.seat_at(warm.table))

    async def _history(
        self, warm: WarmTable, viewer: Viewer, versions: range, sequence: int
    ) -> AsyncIterator[table_pb2.TableUpdate]:
        """Stored commits with these versions, read from the log; the last one lies at `sequence`.

        They are folded again, for who sat where, and so may see which hand, is part of the state.
        """
        first = warm.deal_sequence if 0 < warm.deal_version <= versions.start else 1
        past: WarmTable | None = None
        async for record in self._log.records(warm.table.id, first, sequence):
            commit = record.commit
            if not commit.version % _TURN_COMMITS:
                # Who asks for a long past waits its turn with everybody else.
                await asyncio.sleep(0)
            if commit.version >= versions.stop:
                return
            past = past or warm_from_first(commit)
            entry = entry_from_log(past, commit, record.secret)
            apply_entry(past, entry, record.sequence)
            if commit.version >= versions.start:
                yield update_for(viewer, public_part(commit), past.table, entry.traits)


async def _next(watcher: Watcher) -> table_pb2.TableUpdate | None:
    try:
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            return await watcher.queue.get()
    except TimeoutError:
        return None


def _superseded() -> Refused:
    explanation = "you have opened another stream of your seat; this one ends"
    return refused_as("stream/superseded", explanation)


def _heartbeat(warm: WarmTable) -> table_pb2.WatchTableResponse:
    heartbeat = table_pb2.Heartbeat(head_version=warm.table.version, server_time_ms=now_ms())
    return table_pb2.WatchTableResponse(heartbeat=heartbeat)
