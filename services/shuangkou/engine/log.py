"""The log of all tables in JetStream: the only authority. Everything else can be rebuilt from it."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime

from nats.js.api import StorageType, StreamConfig

from shuangkou.chassis.nats.appending import append, append_batch, schedule
from shuangkou.chassis.nats.connection import Bus
from shuangkou.chassis.nats.errors import Unanswered
from shuangkou.chassis.nats.messages import Expectation, NewMessage, StoredMessage
from shuangkou.chassis.nats.reading import last_message, last_message_for_sure, read
from shuangkou.engine.fold import Entry
from shuangkou.v1 import events_pb2
from shuangkou.wire.cloud_events import cloud_event
from shuangkou.wire.streams import TABLES, public_streams

TIMERS = "TIMERS"
_DAY_SECONDS = 86_400.0
APPEND_SECONDS = 3.0
"""How long an append may stay unanswered before it counts as ambiguous."""
_LAG_SECONDS = 3.0
_LOOK_AGAIN_SECONDS = 0.005


@dataclass(frozen=True, slots=True)
class Record:
    """One commit as the log holds it. `sequence`: stream sequence of its public part, the last one."""

    commit: events_pb2.Commit
    secret: events_pb2.SecretCommit | None
    sequence: int


class TableLog:
    """Reads and appends; decides nothing."""

    def __init__(self, bus: Bus, replicas: int = 1) -> None:
        """``replicas``: copies of the log. Of several, any answers a reader, and some lag behind."""
        self._bus = bus
        self.may_lag = replicas > 1

    async def append(self, entry: Entry, last_sequence: int) -> int:
        """Store the entry if the table's newest message has `last_sequence`; returns the new sequence.

        Raises WrongLastSequence when another engine was first, AppendTimeout when nobody can say, and
        other NatsFailure when nothing was stored.
        """
        table, commit = entry.after, entry.commit
        prefix = f"table.{commit.ruleset_id}.{table.id}"
        expect = Expectation(last_sequence, _all_of(table.id))
        headers = cloud_event(commit, "engine", f"{commit.table_id}.{commit.version}")
        public = NewMessage(f"{prefix}.public.{entry.route}", commit.SerializeToString(), headers)
        if entry.secret is None:
            return await append(self._bus, public, expect, timeout=APPEND_SECONDS)
        secret = NewMessage(f"{prefix}.secret", entry.secret.SerializeToString())
        return await append_batch(self._bus, (secret, public), expect, timeout=APPEND_SECONDS)

    async def last(self, table_id: str) -> StoredMessage | None:
        """The newest message of the table, which is a public commit; None for an unknown table."""
        look = last_message_for_sure if self.may_lag else last_message
        return await look(self._bus, TABLES, _all_of(table_id))

    async def last_played(self, ruleset_id: str) -> datetime | None:
        """When something was last stored for a table of this ruleset; None for never."""
        last = await last_message(self._bus, TABLES, f"table.{ruleset_id}.>")
        return None if last is None else last.stored_at

    async def records(
        self, table_id: str, first_sequence: int, known_sequence: int = 0
    ) -> AsyncIterator[Record]:
        """The table's commits from a stream sequence on, in order.

        `known_sequence`: a message of the table that is known to be stored; those up to it come for sure.
        Raises Unanswered when they do not come in time.
        """
        secret: events_pb2.SecretCommit | None = None
        async for message in self._messages(table_id, first_sequence, known_sequence):
            if message.subject.endswith(".secret"):
                secret = events_pb2.SecretCommit.FromString(message.payload)
                continue
            yield Record(events_pb2.Commit.FromString(message.payload), secret, message.sequence)
            secret = None

    async def _messages(self, table_id: str, following: int, known: int) -> AsyncIterator[StoredMessage]:
        give_up = time.monotonic() + _LAG_SECONDS
        while True:
            async for message in read(self._bus, TABLES, _all_of(table_id), following):
                following = message.sequence + 1
                yield message
            if following > known:
                return
            if time.monotonic() > give_up:
                raise Unanswered(f"no copy of the log of table {table_id} has message {known}")
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)

    async def wake_at(self, table_id: str, time_ms: int) -> None:
        """Have some engine woken for this table at a time, in place of an earlier wake-up."""
        message = NewMessage(f"timer.{table_id}")
        await schedule(self._bus, message, f"due.{table_id}", time_ms / 1000)


def engine_streams(replicas: int) -> tuple[StreamConfig, ...]:
    """The streams that engines work with."""
    return (*public_streams(replicas), _timers(replicas))


def _timers(replicas: int) -> StreamConfig:
    return StreamConfig(
        name=TIMERS,
        description="Wake-ups of tables",
        subjects=["timer.*", "due.*"],
        storage=StorageType.FILE,
        num_replicas=replicas,
        max_age=_DAY_SECONDS,
        allow_msg_schedules=True,
    )


def _all_of(table_id: str) -> str:
    return f"table.*.{table_id}.>"
