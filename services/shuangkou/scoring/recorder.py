"""From a settling commit to the ledger and on to the SCORES stream, exactly once in effect.

A delivery is acknowledged only after both. Whatever breaks in between, the next delivery finds the deal in
the ledger, or its settlement in the stream, and does what is missing.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace

from google.protobuf.message import DecodeError

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import (
    Bus,
    Expectation,
    Job,
    NewMessage,
    TryLater,
    Undoable,
    WorkQueue,
    WrongLastSequence,
    append,
)
from shuangkou.scoring.acts import Acts, UnknownActs
from shuangkou.scoring.admissions import Admission, read_admission
from shuangkou.scoring.database import OUT_OF_REACH
from shuangkou.scoring.intake import MOST_AT_ONCE, Intake
from shuangkou.scoring.ledger import DealMissing
from shuangkou.scoring.metrics import ScoringMetrics
from shuangkou.scoring.openings import Openings, UnknownOpening
from shuangkou.scoring.settlement import MatchEnd, NotASettlement, Settlement, fact_of
from shuangkou.v1.events_pb2 import Commit
from shuangkou.wire.cloud_events import cloud_event
from shuangkou.wire.families import contradiction, needs_acts
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.streams import WHOLE, Shard

# The broker copies commits to where they are read from a moment after it stores them.
_ATTEMPTS_FOR_EVENTS = 4


def settling_commits(concurrency: int = MOST_AT_ONCE, shard: Shard = WHOLE) -> WorkQueue:
    """The commits of a shard that end a deal or a match, so many of them handled at once."""
    subjects = (f"{shard.root}.*.*.public.score",)
    return WorkQueue(stream=shard.stream, durable="scoring", subjects=subjects, concurrency=concurrency)


@dataclass(frozen=True, slots=True)
class Recorder:
    """Handles the deliveries of ``settling_commits``; sets ``entered`` when a deal is new."""

    bus: Bus
    intake: Intake
    openings: Openings
    acts: Acts
    metrics: ScoringMetrics
    entered: asyncio.Event = field(default_factory=asyncio.Event)

    async def record(self, job: Job) -> None:
        """Enter the deal and publish its settlement.

        Undoable where the commit settles none, or not as the rules say. TryLater while the ledger cannot be
        reached, or lacks what the commit builds on.
        """
        try:
            fact = fact_of(Commit.FromString(job.payload))
        except (DecodeError, NotASettlement) as reason:
            raise Undoable(f"message {job.sequence} on {job.subject}: {reason}") from reason
        try:
            if isinstance(fact, MatchEnd):
                await self._record_match(fact)
            else:
                await self._check(fact, job.attempt)
                await self._record_deal(replace(fact, admission=await self._admission(fact, job.attempt)))
        except OUT_OF_REACH as reason:
            raise TryLater(f"the ledger cannot be reached: {reason}") from None

    async def _record_match(self, end: MatchEnd) -> None:
        try:
            await self.intake.ledger.store_match(end)
        except DealMissing as reason:
            raise TryLater(str(reason)) from None

    async def _record_deal(self, settlement: Settlement) -> None:
        is_new = await self.intake.store(settlement)
        (self.metrics.stored if is_new else self.metrics.duplicates).inc()
        if is_new:
            self.entered.set()
        await self._publish(settlement)

    async def _check(self, settlement: Settlement, attempt: int) -> None:
        """Make the settlement anew by the rules that the table was opened with."""
        stored = settlement.stored
        try:
            ruleset = (await self.openings.opening(stored.ruleset_id, stored.table_id)).ruleset
            needs = ruleset is not None and needs_acts(ruleset, stored)
            acts = await self.acts.of(stored) if needs else []
        except (UnknownOpening, UnknownActs) as reason:
            if attempt < _ATTEMPTS_FOR_EVENTS:
                raise TryLater(str(reason)) from None
            ruleset = None
        if ruleset is None:
            self.metrics.unchecked.inc()
            return
        try:
            why = contradiction(ruleset, stored, acts)
        except MalformedMessage as error:
            why = str(error)
        if why:
            self.metrics.contested.inc()
            raise Undoable(f"deal {settlement.number} of table {stored.table_id}: {why}")

    async def _admission(self, settlement: Settlement, attempt: int) -> Admission | None:
        """Whom the table lets in; None where the stream does not tell, which hides it from strangers."""
        stored = settlement.stored
        try:
            return await read_admission(self.openings, stored.ruleset_id, stored.table_id, stored.version)
        except UnknownOpening as reason:
            if attempt < _ATTEMPTS_FOR_EVENTS:
                raise TryLater(str(reason)) from None
            return None

    async def _publish(self, settlement: Settlement) -> None:
        stored = settlement.stored
        headers = cloud_event(stored, "scoring", f"{stored.table_id}.{stored.version}")
        message = NewMessage(settlement.subject, stored.SerializeToString(deterministic=True), headers)
        try:
            await append(self.bus, message, Expectation(0))
        except WrongLastSequence:
            # An earlier delivery has published it.
            return
        self.metrics.published.inc()
        self.metrics.lag.observe(max(0.0, time.time() - settlement.settled_ms / 1000))
        logger().info(
            "settlement_stored",
            table_id=stored.table_id,
            ruleset_id=stored.ruleset_id,
            deal=settlement.number,
            scores=[seat.points for seat in settlement.seats],
        )
