"""The log of all tables in JetStream: the only authority. Everything else can be rebuilt from it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime

from nats.js.api import StorageType, StreamConfig

from shuangkou.chassis.nats.appending import append, append_batch, schedule
from shuangkou.chassis.nats.connection import Bus
from shuangkou.chassis.nats.errors import Unanswered
from shuangkou.chassis.nats.messages import Expectation, NewMessage, StoredMessage
from shuangkou.chassis.nats.reading import last_message, last_message_for_sure, read
from shuangkou.chassis.nats.streams import purge_subject
from shuangkou.engine.claims import claims_stream
from shuangkou.engine.fold import Entry
from shuangkou.engine.metrics import LogRequest
from shuangkou.engine.uptime import uptime_stream
from shuangkou.v1 import events_pb2
from shuangkou.wire.cloud_events import cloud_event
from shuangkou.wire.streams import EVENTS, SCORES, Shard, public_streams, shard_of, shards

TIMERS = "TIMERS"
_DAY_SECONDS = 86_400.0
APPEND_SECONDS = 3.0
"""How long an append may stay unanswered before it counts as ambiguous."""
_LAG_SECONDS = 3.0
_LOOK_AGAIN_SECONDS = 0.005


Heard = Callable[[LogRequest], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Record:
    """One commit as the log holds it. `sequence`: stream sequence of its public part, the last one."""

    commit: events_pb2.Commit
    secret: events_pb2.SecretCommit | None
    sequence: int


class TableLog:
    """Reads and appends; decides nothing. `shards`: streams that tables are spread over."""

    def __init__(
        self, bus: Bus, shards: int = 1, replicas: int = 1, heard: Heard = lambda _: nullcontext()
    ) -> None:
        """``replicas``: copies of the log. Of several, any answers a reader, and some lag behind.

        ``heard`` watches every request, which is made in its block.
        """
        self._bus = bus
        self._heard = heard
        self._shards = shards
        self.may_lag = replicas > 1

    async def append(self, entry: Entry, last_sequence: int) -> int:
        """Store the entry if the table's newest message has `last_sequence`; returns the new sequence.

        Raises WrongLastSequence when another engine was first, AppendTimeout when nobody can say, and
        other NatsFailure when nothing was stored.
        """
        table, commit = entry.after, entry.commit
        shard = self._shard(table.id)
        prefix = f"{shard.root}.{commit.ruleset_id}.{table.id}"
        expect = Expectation(last_sequence, _all_of(shard, table.id))
        headers = cloud_event(commit, "engine", f"{commit.table_id}.{commit.version}")
        public = NewMessage(f"{prefix}.public.{entry.route}", commit.SerializeToString(), headers)
        with self._heard(LogRequest.APPEND):
            if entry.secret is None:
                return await append(self._bus, public, expect, timeout=APPEND_SECONDS)
            secret = NewMessage(f"{prefix}.secret", entry.secret.SerializeToString())
            return await append_batch(self._bus, (secret, public), expect, timeout=APPEND_SECONDS)

    async def last(self, table_id: str) -> StoredMessage | None:
        """The newest message of the table, which is a public commit; None for an unknown table."""
        shard = self._shard(table_id)
        look = last_message_for_sure if self.may_lag else last_message
        with self._heard(LogRequest.READ):
            return await look(self._bus, shard.stream, _all_of(shard, table_id))

    async def last_played(self, ruleset_id: str) -> datetime | None:
        """When something was last stored for a table of this ruleset; None for never."""
        found = [
            await last_message(self._bus, shard.stream, f"{shard.root}.{ruleset_id}.>")
            for shard in shards(self._shards)
        ]
        return max((message.stored_at for message in found if message is not None), default=None)

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
        give_up, shard = time.monotonic() + _LAG_SECONDS, self._shard(table_id)
        while True:
            stored = read(self._bus, shard.stream, _all_of(shard, table_id), following)
            with self._heard(LogRequest.READ):
                async for message in stored:
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
        with self._heard(LogRequest.TIMER):
            await schedule(self._bus, message, f"due.{table_id}", time_ms / 1000)

    async def settled_before(self, moment: datetime) -> AsyncIterator[str]:
        """Ids of tables that ended a deal before this moment; in a shard, the oldest come first."""
        for shard in shards(self._shards):
            seen: set[str] = set()
            async for message in read(self._bus, shard.stream, f"{shard.root}.*.*.public.score"):
                if message.stored_at >= moment:
                    break
                table_id = message.subject.split(".")[-3]
                if table_id not in seen:
                    seen.add(table_id)
                    yield table_id

    async def has_settlement(self, table_id: str, deal: int) -> bool:
        """Whether the ledger holds this deal of the table."""
        return await last_message(self._bus, SCORES, f"score.*.{table_id}.{deal}") is not None

    async def has_been_played(self, table_id: str) -> bool:
        """Whether there ever was such a table, its messages purged or not; the newest may not count yet."""
        with self._heard(LogRequest.READ):
            return await last_message(self._bus, EVENTS, f"events.table.*.{table_id}") is not None

    async def purge(self, table_id: str, last_sequence: int) -> int:
        """Delete the table's messages up to this one; how many there were. What is public stays in EVENTS."""
        shard = self._shard(table_id)
        return await purge_subject(self._bus, shard.stream, _all_of(shard, table_id), last_sequence + 1)

    def _shard(self, table_id: str) -> Shard:
        return shard_of(table_id, self._shards)


def engine_streams(replicas: int, shard_count: int = 1) -> tuple[StreamConfig, ...]:
    """The streams of engines; first TABLES, whose maker fixes the number of shards for everybody."""
    own = (_timers(replicas), uptime_stream(replicas), claims_stream(replicas))
    return (*public_streams(replicas, shard_count), *own)


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


def _all_of(shard: Shard, table_id: str) -> str:
    return f"{shard.root}.*.{table_id}.>"
