"""Deciding a command and storing what it does: the one place where tables change."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from shuangkou.chassis.errors import InvalidArgument, Refused, Unavailable
from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats.errors import AppendTimeout, NatsFailure, WrongLastSequence
from shuangkou.engine.clock import Clock, now_ms
from shuangkou.engine.commands import Command, MoveOn, NextDeal, OpenTable, OwnCommand, TimeUp
from shuangkou.engine.deadlines import GRACE_MS, Moment, due_ms, is_timed
from shuangkou.engine.decider import advance, due_command, happens, overdue
from shuangkou.engine.events import TimeCredited
from shuangkou.engine.fold import BrokenLog, Entry, Origin, make_entry
from shuangkou.engine.journal import Journal
from shuangkou.engine.log import TableLog
from shuangkou.engine.metrics import EngineMetrics, Found
from shuangkou.engine.outages import Outage, lost_ms
from shuangkou.engine.refusals import refused_by_rules, stale_version
from shuangkou.engine.stand_ins import stand_ins
from shuangkou.engine.table import Table
from shuangkou.engine.tables import Tables
from shuangkou.engine.uptime import UptimeWatch
from shuangkou.engine.warm import CommandKey, WarmTable
from shuangkou.rules.commands import Whistle
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.ruleset import AnyRuleSet

ENGINE = "engine"
"""The actor of what the engine does by itself."""
_TRIES = 8
_TIMER_SLACK_MS = GRACE_MS + 100
"""An engine's own clock acts before that; the schedule behind it is for when no clock runs."""

_OWN_ACTS = {NextDeal: "deal", TimeUp: "deadline", MoveOn: "move", Whistle: "whistle"}

Permission = Callable[[Table], bool]
"""Raises Refused unless the caller may act on this table; says whether a seat's own person acts."""


@dataclass(frozen=True, slots=True)
class Request:
    """One command as it arrived, at `arrived_ms` milliseconds since 1970 UTC: that is when it is judged.

    `fingerprint`: tells a repeat from another command under the same id.
    """

    table_id: str
    key: CommandKey
    command: Command
    fingerprint: int
    permission: Permission
    arrived_ms: int
    expected_version: int | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """The version that a command made. `already_done`: an earlier call made it."""

    version: int
    already_done: bool = False


class Acts:
    """Performs commands, each stored before it is answered.

    An append that another engine forestalled, or that nobody answered, ends the same way: read on in
    the log, and find there either the command's own commit or a newer state to decide on.

    A command that has arrived is performed though its caller hangs up: left half done, it could leave a
    table behind whose timer was set for a state that never came.
    """

    def __init__(
        self,
        tables: Tables,
        log: TableLog,
        clock: Clock,
        uptime: UptimeWatch,
        metrics: EngineMetrics,
        bot_ms: int,
    ) -> None:
        """`bot_ms`: how long a bot may take before the engine acts for it."""
        self._tables = tables
        self._log = log
        self._clock = clock
        self._uptime = uptime
        self._metrics = metrics
        self._bot_ms = bot_ms
        self._journal = Journal()
        self._performing: set[asyncio.Task[Done]] = set()

    async def open(self, request: Request, ruleset: AnyRuleSet) -> Done:
        """Open a table; the same request gets the same answer again."""
        warm = await self._tables.get_or_blank(request.table_id, ruleset)
        if not warm.table.version and await self._log.has_been_played(request.table_id):
            async with warm.lock:
                await self._tables.catch_up(warm)
            if not warm.table.version:
                # Over and purged: a second match under its id would be taken for the first.
                raise _reused(request)
        return await self._to_its_end(self._perform(warm, request))

    async def perform(self, request: Request) -> Done:
        """Perform a client's command. Raises Refused; a refused command has changed nothing."""
        warm = await self._tables.get(request.table_id)
        return await self._to_its_end(self._perform(warm, request))

    async def act_if_due(self, table_id: str) -> None:
        """Do what the table's passed deadline asks for, if the log says that it still does.

        What an outage took is given back first; nobody is late for a time that nobody could act in.
        """
        warm = await self._tables.get(table_id, is_asked_for=False)
        async with warm.lock:
            with _cut_off_if_it_fails(warm):
                await self._tables.catch_up(warm)
                await self._uptime.fresh()
                for _ in range(_TRIES):
                    if await self._act_when_due(warm):
                        return
        raise _unsettled(warm)

    async def credit(self, warm: WarmTable) -> None:
        """Give back what an outage took from an up-to-date table. The caller holds the table's lock.

        Does nothing while nobody can say which outages there were: half a credit would count as all of it.
        """
        try:
            await self._uptime.fresh()
        except NatsFailure as failure:
            logger().info("credit_put_off", table_id=warm.table.id, reason=str(failure))
            return
        for _ in range(_TRIES):
            moment = self._moment(warm, now_ms())
            if not is_timed(warm.table) or not moment.lost_ms or await self._act_alone(warm, None, moment):
                return

    async def credit_all(self) -> None:
        """After an outage: have all who look at a table in this engine's memory see how its clocks stand."""
        for warm in self._tables.warm:
            try:
                async with warm.lock:
                    if is_timed(warm.table):
                        await self._tables.catch_up(warm)
                        await self.credit(warm)
            except BrokenLog as reason:
                logger().error("table_log_broken", table_id=warm.table.id, reason=str(reason))

    async def ring(self, table_id: str) -> None:
        """The clock's callback: act if due, and leave an outage to the schedule in the log."""
        try:
            await self.act_if_due(table_id)
        except (NatsFailure, Unavailable) as failure:
            logger().warning("due_act_delayed", table_id=table_id, reason=str(failure))
            await asyncio.sleep(1)
            self._clock.set(await self._tables.get(table_id, is_asked_for=False))
        except BrokenLog as reason:
            logger().error("table_log_broken", table_id=table_id, reason=str(reason))

    async def wake(self, table_id: str) -> None:
        """A schedule fired: act if due, and have the next one set."""
        await self.act_if_due(table_id)
        warm = await self._tables.get(table_id, is_asked_for=False)
        async with warm.lock:
            await self._arm_anew(warm)

    async def _to_its_end(self, performance: Coroutine[Any, Any, Done]) -> Done:
        task = asyncio.create_task(performance)
        self._performing.add(task)
        task.add_done_callback(self._performing.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            # The caller is gone, and nobody else would hear of it.
            task.add_done_callback(_tell_failure)
            raise

    async def _perform(self, warm: WarmTable, request: Request) -> Done:
        ruleset = warm.table.ruleset.id
        async with warm.lock:
            with _cut_off_if_it_fails(warm):
                for _ in range(_TRIES):
                    known = warm.table.version
                    try:
                        done = await self._try(warm, request)
                    except (IllegalCommand, Refused) as error:
                        await self._tables.catch_up(warm)
                        if warm.table.version == known:
                            self._metrics.acts.labels(ruleset, "refused").inc()
                            raise _refused(error, known) from None
                        # Another engine was ahead; only what the log says may refuse a command.
                        continue
                    if done is not None:
                        outcome = "repeated" if done.already_done else "accepted"
                        self._metrics.acts.labels(ruleset, outcome).inc()
                        return done
        raise _unsettled(warm)

    async def _try(self, warm: WarmTable, request: Request) -> Done | None:
        """None: the state had moved on and is up to date now; try again. A refusal may be out of date."""
        answer = warm.answers.get(request.key)
        if answer is not None:
            if answer.fingerprint != request.fingerprint:
                raise _reused(request)
            return Done(answer.version, already_done=True)
        by_person = request.permission(warm.table)
        expected = request.expected_version
        if expected is not None and not warm.is_current(expected):
            raise stale_version(expected, warm.table.version)
        if isinstance(request.command, OpenTable) and warm.table.version:
            raise _reused(request)
        if self._uptime.was_away or _may_cost_time(warm.table, request.arrived_ms):
            # Every commit accounts for all outages before it.
            await self._uptime.fresh()
        moment = self._moment(warm, request.arrived_ms)
        due = overdue(warm.table, request.command, moment, secrets.token_bytes(32))
        if due is not None:
            await self._act_alone(warm, due, moment)
            return None
        origin = Origin(request.key, request.fingerprint, moment.now_ms)
        stored = await self._commit(warm, request.command, moment, origin, by_person)
        return Done(warm.table.version) if stored else None

    async def _act_when_due(self, warm: WarmTable) -> bool:
        """False: the table has moved on, look again."""
        moment = self._moment(warm, now_ms())
        if moment.lost_ms and is_timed(warm.table):
            await self._act_alone(warm, None, moment)
            return False
        if moment.now_ms < due_ms(warm.table):
            return True
        command = due_command(warm.table, moment.now_ms, secrets.token_bytes(32))
        return command is None or await self._act_alone(warm, command, moment)

    def _moment(self, warm: WarmTable, arrived_ms: int) -> Moment:
        # The clocks of two engines need not agree; those of a table never go back.
        since_ms = warm.table.clocks.time_ms
        at_ms = max(now_ms(), since_ms)
        outages = self._uptime.outages
        if warm.cut_off_ms:
            outages = (*outages, Outage(warm.cut_off_ms, at_ms))
        if not outages or outages[-1].until_ms <= since_ms:
            return Moment(at_ms, arrived_ms)
        return Moment(at_ms, arrived_ms, lost_ms(outages, since_ms, at_ms))

    async def _act_alone(self, warm: WarmTable, command: OwnCommand | None, moment: Moment) -> bool:
        """An act of the engine, or without a command a credit. False: it was forestalled."""
        table = warm.table
        why = "due" if command else "credit"
        origin = Origin((ENGINE, f"{why}:{table.version}"), 0, moment.now_ms)
        if not await self._commit(warm, command, moment, origin):
            return False
        if command is not None:
            self._metrics.own_acts.labels(_OWN_ACTS[type(command)]).inc()
            self._metrics.timer_lateness.observe(max(0, now_ms() - table.deadline_ms - moment.lost_ms) / 1000)
        return True

    async def _commit(
        self,
        warm: WarmTable,
        command: Command | None,
        moment: Moment,
        origin: Origin,
        by_person: bool = False,
    ) -> bool:
        """Decide, and store what it does. False: as `_store`."""
        before = warm.table
        events = happens(before, command, moment, by_person)
        after = advance(before, events, moment.now_ms, self._bot_ms)
        if not await self._store(warm, make_entry(warm, after, events, origin)):
            return False
        if isinstance(events[0], TimeCredited):
            self._metrics.credits.inc()
        for kind in stand_ins(before, events):
            self._metrics.stand_in_acts.labels(kind).inc()
        return True

    async def _store(self, warm: WarmTable, entry: Entry) -> bool:
        """Append the entry. False: it was forestalled or nobody can say, and the table is up to date now."""
        await self._arm(warm, entry)
        began_ms, is_ambiguous = now_ms(), False
        try:
            with self._metrics.append_seconds.time():
                sequence = await self._log.append(entry, warm.last_sequence)
        except WrongLastSequence:
            self._metrics.conflicts.labels("forestalled").inc()
        except AppendTimeout:
            # If it is not in the log, the table's stream was out of reach while this waited.
            warm.cut_off_ms = warm.cut_off_ms or began_ms
            self._metrics.conflicts.labels("unanswered").inc()
            is_ambiguous = True
        else:
            self._tables.stored(warm, entry, sequence)
            self._journal.tell(entry.commit)
            return True
        armed = entry.commit.bookkeeping.timer_ms != warm.timer_ms
        await self._tables.catch_up(warm)
        if is_ambiguous:
            self._metrics.resolved.labels(_found(warm, entry)).inc()
        if armed:
            # That schedule replaced the one of whoever was first.
            await self._arm_anew(warm)
        return False

    async def _arm(self, warm: WarmTable, entry: Entry) -> None:
        """Make sure, before the commit is stored, that a schedule fires no later than it must."""
        bookkeeping, deadline_ms = entry.commit.bookkeeping, entry.after.deadline_ms
        bookkeeping.timer_ms = warm.timer_ms
        needed_ms = deadline_ms + _TIMER_SLACK_MS
        if deadline_ms and not now_ms() < warm.timer_ms <= needed_ms:
            await self._log.wake_at(entry.after.id, needed_ms)
            bookkeeping.timer_ms = needed_ms

    async def _arm_anew(self, warm: WarmTable) -> None:
        """Have the table woken when its state needs it, whatever was scheduled before."""
        if warm.table.deadline_ms:
            warm.timer_ms = warm.table.deadline_ms + _TIMER_SLACK_MS
            await self._log.wake_at(warm.table.id, warm.timer_ms)


def _tell_failure(task: asyncio.Task[Done]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, Refused | NatsFailure):
        logger().error("act_failed", exc_info=error)


@contextmanager
def _cut_off_if_it_fails(warm: WarmTable) -> Iterator[None]:
    """Remember since when the table's log has been out of reach."""
    began_ms = now_ms()
    try:
        yield
    except NatsFailure:
        warm.cut_off_ms = warm.cut_off_ms or began_ms
        raise


def _found(warm: WarmTable, entry: Entry) -> Found:
    """What an up-to-date table shows of an entry that may have been stored.

    The very same act, by whatever engine, counts as stored.
    """
    commit = entry.commit
    if warm.table.version < commit.version:
        return Found.ABSENT
    answer = warm.answers.get((commit.actor, commit.command_id))
    is_own = answer is not None and answer.version == commit.version
    return Found.STORED if is_own else Found.FORESTALLED


def _may_cost_time(table: Table, arrived_ms: int) -> bool:
    """Whether what arrived then may be late, or cost its seat of the time bank."""
    clocks = table.clocks
    return clocks.deadline_ms > 0 and min(clocks.turn_ms, clocks.deadline_ms) <= arrived_ms


def _refused(error: IllegalCommand | Refused, version: int) -> Refused:
    return error if isinstance(error, Refused) else refused_by_rules(error, version)


def _reused(request: Request) -> InvalidArgument:
    explanation = f"command id {request.key[1]!r} was used for another command"
    return InvalidArgument("request/command_id_reused", explanation)


def _unsettled(warm: WarmTable) -> Unavailable:
    explanation = f"table {warm.table.id} is contended; send the same command again"
    return Unavailable("state/try_again", explanation)
