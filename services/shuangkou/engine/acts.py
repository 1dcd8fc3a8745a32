"""Deciding a command and storing what it does: the one place where tables change."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from shuangkou.chassis.errors import InvalidArgument, Refused, Unavailable
from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats.errors import AppendTimeout, NatsFailure, WrongLastSequence
from shuangkou.engine.clock import Clock, now_ms
from shuangkou.engine.commands import Command, MoveOn, NextDeal, OpenTable, OwnCommand, TimeUp
from shuangkou.engine.decider import advance, decide, due_command
from shuangkou.engine.fold import BrokenLog, Entry, Origin, make_entry
from shuangkou.engine.journal import Journal
from shuangkou.engine.log import TableLog
from shuangkou.engine.metrics import EngineMetrics
from shuangkou.engine.refusals import refused_by_rules, stale_version
from shuangkou.engine.table import Table
from shuangkou.engine.tables import Tables
from shuangkou.engine.warm import CommandKey, WarmTable
from shuangkou.rules.commands import Whistle
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.ruleset import AnyRuleSet

ENGINE = "engine"
"""The actor of what the engine does by itself."""
_TRIES = 8
_TIMER_SLACK_MS = 300
"""The engine's own clock acts at the deadline; the schedule behind it is for when no clock runs."""

_OWN_ACTS = {NextDeal: "deal", TimeUp: "deadline", MoveOn: "move", Whistle: "whistle"}

Permission = Callable[[Table], bool]
"""Raises Refused unless the caller may act on this table; says whether a seat's own person acts."""


@dataclass(frozen=True, slots=True)
class Request:
    """One command as it arrived. `fingerprint`: tells a repeat from another command under the same id."""

    table_id: str
    key: CommandKey
    command: Command
    fingerprint: int
    permission: Permission
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
    """

    def __init__(
        self, tables: Tables, log: TableLog, clock: Clock, metrics: EngineMetrics, bot_ms: int
    ) -> None:
        """`bot_ms`: how long a bot may take before the engine acts for it."""
        self._tables = tables
        self._log = log
        self._clock = clock
        self._metrics = metrics
        self._bot_ms = bot_ms
        self._journal = Journal()

    async def open(self, request: Request, ruleset: AnyRuleSet) -> Done:
        """Open a table; the same request gets the same answer again."""
        warm = await self._tables.get_or_blank(request.table_id, ruleset)
        if not warm.table.version and await self._log.has_been_played(request.table_id):
            async with warm.lock:
                await self._tables.catch_up(warm)
            if not warm.table.version:
                # Over and purged: a second match under its id would be taken for the first.
                raise _reused(request)
        return await self._perform(warm, request)

    async def perform(self, request: Request) -> Done:
        """Perform a client's command. Raises Refused; a refused command has changed nothing."""
        return await self._perform(await self._tables.get(request.table_id), request)

    async def act_if_due(self, table_id: str) -> None:
        """Do what the table's passed deadline asks for, if the log says that it still does."""
        warm = await self._tables.get(table_id, is_asked_for=False)
        async with warm.lock:
            await self._tables.catch_up(warm)
            for _ in range(_TRIES):
                command = due_command(warm.table, now_ms(), secrets.token_bytes(32))
                if command is None or await self._act_alone(warm, command):
                    return
        raise _unsettled(warm)

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

    async def _perform(self, warm: WarmTable, request: Request) -> Done:
        ruleset = warm.table.ruleset.id
        async with warm.lock:
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
        if expected is not None and expected != warm.table.version:
            raise stale_version(expected, warm.table.version)
        if isinstance(request.command, OpenTable) and warm.table.version:
            raise _reused(request)
        origin = Origin(request.key, request.fingerprint, now_ms())
        events = decide(warm.table.at_time(origin.time_ms), request.command, by_person)
        after = advance(warm.table, events, origin.time_ms, self._bot_ms)
        stored = await self._store(warm, make_entry(warm, after, events, origin))
        return Done(after.version) if stored else None

    async def _act_alone(self, warm: WarmTable, command: OwnCommand) -> bool:
        origin = Origin((ENGINE, f"due:{warm.table.version}"), 0, now_ms())
        late_ms = origin.time_ms - warm.table.deadline_ms
        events = decide(warm.table.at_time(origin.time_ms), command)
        after = advance(warm.table, events, origin.time_ms, self._bot_ms)
        if not await self._store(warm, make_entry(warm, after, events, origin)):
            return False
        self._metrics.own_acts.labels(_OWN_ACTS[type(command)]).inc()
        self._metrics.timer_lateness.observe(late_ms / 1000)
        return True

    async def _store(self, warm: WarmTable, entry: Entry) -> bool:
        """Append the entry. False: it was forestalled or nobody can say, and the table is up to date now."""
        await self._arm(warm, entry)
        try:
            with self._metrics.append_seconds.time():
                sequence = await self._log.append(entry, warm.last_sequence)
        except WrongLastSequence:
            self._metrics.conflicts.labels("forestalled").inc()
        except AppendTimeout:
            self._metrics.conflicts.labels("unanswered").inc()
        else:
            self._tables.stored(warm, entry, sequence)
            self._journal.tell(entry.commit)
            return True
        armed = entry.commit.bookkeeping.timer_ms != warm.timer_ms
        await self._tables.catch_up(warm)
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


def _refused(error: IllegalCommand | Refused, version: int) -> Refused:
    return error if isinstance(error, Refused) else refused_by_rules(error, version)


def _reused(request: Request) -> InvalidArgument:
    explanation = f"command id {request.key[1]!r} was used for another command"
    return InvalidArgument("request/command_id_reused", explanation)


def _unsettled(warm: WarmTable) -> Unavailable:
    explanation = f"table {warm.table.id} is contended; send the same command again"
    return Unavailable("state/try_again", explanation)
