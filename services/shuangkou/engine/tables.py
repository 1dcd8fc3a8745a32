"""The tables that this engine has in memory: loaded from the log, kept up to date, dropped when idle."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from shuangkou.chassis.errors import NotFound
from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats.connection import Bus
from shuangkou.chassis.nats.errors import NatsFailure
from shuangkou.engine.fold import (
    BrokenLog,
    Entry,
    apply_entry,
    blank_table,
    entry_from_log,
    ruleset_of_first,
    warm_from_first,
)
from shuangkou.engine.log import Record, TableLog
from shuangkou.engine.metrics import EngineMetrics
from shuangkou.engine.table import Phase, Table
from shuangkou.engine.warm import WarmTable
from shuangkou.engine.watchers import Watcher
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.v1 import events_pb2

PULSE_SECONDS = 2.0

Changed = Callable[[WarmTable], None]
Forgotten = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Keeping:
    """How a cache of tables is kept: `changed` is called after every change of a table's state, `forgotten`
    with the id of a table that is dropped once nobody has asked for it for `idle_seconds`.
    """

    changed: Changed
    forgotten: Forgotten
    idle_seconds: float = 300.0


class Tables:
    """Every engine may hold any table; the log decides what is true.

    A table that someone watches follows the live feed. Any other is brought up to date when an append
    shows that another engine was first, or when a reader asks for a newer version.
    """

    def __init__(self, bus: Bus, log: TableLog, metrics: EngineMetrics, keeping: Keeping) -> None:
        self._bus = bus
        self._log = log
        self._metrics = metrics
        self._changed = keeping.changed
        self._keeping = keeping
        self._warm: dict[str, WarmTable] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._following: dict[str, Subscription] = {}

    async def get(self, table_id: str, is_asked_for: bool = True) -> WarmTable:
        """The table, loaded if need be. NotFound for an unknown one, NatsFailure when nobody can say.

        `is_asked_for`: a client wants it, so that it stays in memory.
        """
        warm = self._warm.get(table_id)
        if warm is None or not warm.table.version:
            warm = await self._load_once(table_id)
        if not warm.used_at or (is_asked_for and not _is_over(warm.table)):
            # What is over may be purged by another engine: however often it is asked for, it is read again.
            warm.used_at = time.monotonic()
        return warm

    async def get_or_blank(self, table_id: str, ruleset: AnyRuleSet) -> WarmTable:
        """The table, or a new one that has no commit yet."""
        try:
            return await self.get(table_id)
        except NotFound:
            return self._warm.setdefault(table_id, WarmTable(blank_table(table_id, ruleset)))

    @property
    def warm(self) -> tuple[WarmTable, ...]:
        """Those in memory now."""
        return tuple(self._warm.values())

    async def peek(self, table_id: str) -> Table:
        """The table as the log has it, which does not keep it in memory. NotFound for an unknown one."""
        return (await self._load(table_id)).table

    def forget(self, table_id: str) -> None:
        """Drop the table from memory, unless somebody is at it."""
        warm = self._warm.get(table_id)
        if warm is not None and not warm.lock.locked() and not warm.watchers:
            del self._warm[table_id]
            self._keeping.forgotten(table_id)

    async def catch_up(self, warm: WarmTable) -> None:
        """Read what the log has beyond the warm state. The caller holds the table's lock."""
        table = warm.table
        if not table.version:
            await self._fill_blank(warm)
            return
        known = 0
        if self._log.may_lag:
            last = await self._log.last(table.id)
            known = last.sequence if last is not None else 0
            if known <= warm.last_sequence:
                return
        async for record in self._log.records(table.id, warm.last_sequence + 1, known):
            self._take(warm, record)

    def stored(self, warm: WarmTable, entry: Entry, sequence: int) -> None:
        """Take over an entry that the log holds now. The caller holds the table's lock."""
        apply_entry(warm, entry, sequence)
        warm.watchers.tell(entry.commit, entry.after, entry.traits)
        self._changed(warm)

    async def watch(self, warm: WarmTable, watcher: Watcher) -> None:
        """Tell the watcher of every commit after the state that the caller sees when this returns.

        The caller holds the table's lock.
        """
        # Added first, so that the last other watcher's leaving does not end the feed meanwhile.
        warm.watchers.add(watcher)
        self._metrics.watch_streams.inc()
        if warm.table.id not in self._following:
            subject = f"live.*.{warm.table.id}.*"
            self._following[warm.table.id] = await self._bus.client.subscribe(
                subject, cb=self._follower(warm)
            )
            await self._bus.client.flush()
        await self.catch_up(warm)

    async def unwatch(self, warm: WarmTable, watcher: Watcher) -> None:
        """Stop telling the watcher, and stop following the table with the last one."""
        warm.watchers.remove(watcher)
        self._metrics.watch_streams.dec()
        if not warm.watchers:
            subscription = self._following.pop(warm.table.id, None)
            if subscription is not None and not self._bus.client.is_closed:
                await subscription.unsubscribe()

    async def keep(self) -> None:
        """Drop idle tables and look after followed ones, until cancelled.

        A plain subscription loses what is published while it reconnects; the pulse finds it in the log.
        """
        while True:
            await asyncio.sleep(PULSE_SECONDS)
            self._evict()
            for table_id in list(self._following):
                warm = self._warm.get(table_id)
                if warm is not None:
                    await self._pulse(warm)

    async def _pulse(self, warm: WarmTable) -> None:
        try:
            async with warm.lock:
                await self.catch_up(warm)
        except NatsFailure as failure:
            logger().info("pulse_missed", table_id=warm.table.id, reason=str(failure))
        except BrokenLog as reason:
            # One table's log must not end an engine that serves others; who asks for this one is told.
            logger().error("table_log_broken", table_id=warm.table.id, reason=str(reason))

    def _evict(self) -> None:
        """Drop what nobody has asked for lately. Schedules in the log wake an engine for it in time."""
        oldest = time.monotonic() - self._keeping.idle_seconds
        for table_id, warm in list(self._warm.items()):
            if warm.used_at < oldest:
                self.forget(table_id)
        self._metrics.tables_warm.set(len(self._warm))
        self._metrics.tables_active.set(
            sum(warm.table.match.deal is not None for warm in self._warm.values())
        )

    def _follower(self, warm: WarmTable) -> Callable[[Msg], "asyncio.Future[None]"]:
        async def follow(message: Msg) -> None:
            sequence = int((message.headers or {}).get("Nats-Sequence", "0"))
            if sequence > warm.last_sequence:
                async with warm.lock:
                    if sequence > warm.last_sequence:
                        await self._take_live(warm, message.data, sequence)

        return follow  # type: ignore[return-value]  # nats-py awaits what the callback returns

    async def _take_live(self, warm: WarmTable, payload: bytes, sequence: int) -> None:
        commit = events_pb2.Commit.FromString(payload)
        is_next = commit.version == warm.table.version + 1
        if is_next and not commit.bookkeeping.has_secret:
            self._take(warm, Record(commit, None, sequence))
            return
        try:
            await self.catch_up(warm)
        except NatsFailure as failure:
            logger().info("live_gap_left", table_id=warm.table.id, reason=str(failure))

    def _take(self, warm: WarmTable, record: Record) -> None:
        entry = entry_from_log(warm, record.commit, record.secret)
        self.stored(warm, entry, record.sequence)

    async def _load_once(self, table_id: str) -> WarmTable:
        lock = self._loading.setdefault(table_id, asyncio.Lock())
        try:
            async with lock:
                warm = self._warm.get(table_id)
                if warm is None:
                    return self._warm.setdefault(table_id, await self._load(table_id))
                return await self._opened_meanwhile(warm)
        finally:
            if not lock.locked():
                self._loading.pop(table_id, None)

    async def _opened_meanwhile(self, warm: WarmTable) -> WarmTable:
        """A table that was blank a moment ago; NotFound if it still is."""
        async with warm.lock:
            await self.catch_up(warm)
        if not warm.table.version:
            raise _unknown(warm.table.id)
        return warm

    async def _load(self, table_id: str) -> WarmTable:
        with self._metrics.load_seconds.time():
            last = await self._log.last(table_id)
            if last is None:
                raise _unknown(table_id)
            bookkeeping = events_pb2.Commit.FromString(last.payload).bookkeeping
            first = bookkeeping.deal_sequence
            if bookkeeping.HasField("summary"):
                # The newest commit starts a deal itself; its secret part lies just before it.
                first = last.sequence - 1
            return await self._fold(table_id, first or 1, last.sequence)

    async def _fold(self, table_id: str, first: int, last: int) -> WarmTable:
        warm: WarmTable | None = None
        async for record in self._log.records(table_id, first, last):
            if warm is None:
                await prepare(ruleset_of_first(record.commit))
                warm = warm_from_first(record.commit, record.secret)
            apply_entry(warm, entry_from_log(warm, record.commit, record.secret), record.sequence)
        if warm is None:
            raise _unknown(table_id)
        self._changed(warm)
        return warm

    async def _fill_blank(self, warm: WarmTable) -> None:
        """A blank table may exist by now: another engine, or an earlier try, opened it."""
        try:
            loaded = await self._load(warm.table.id)
        except NotFound:
            return
        warm.table, warm.answers = loaded.table, loaded.answers
        warm.last_sequence, warm.timer_ms = loaded.last_sequence, loaded.timer_ms
        warm.deal_sequence, warm.deal_version = loaded.deal_sequence, loaded.deal_version
        warm.current_since = loaded.current_since
        self._changed(warm)


async def prepare(ruleset: AnyRuleSet) -> None:
    """Make what the ruleset needs and takes far longer than an act, on a thread; once for each."""
    await asyncio.to_thread(decider_for(ruleset).prepare, ruleset)


def _is_over(table: Table) -> bool:
    return not table.deadline_ms and table.phase is Phase.FINISHED


def _unknown(table_id: str) -> NotFound:
    return NotFound("table/unknown", f"there is no table {table_id!r}")
