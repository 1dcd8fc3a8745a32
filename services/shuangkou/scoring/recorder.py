"""From a settling commit to the ledger and on to the SCORES stream, exactly once in effect.

A delivery is acknowledged only after both. Whatever breaks in between, the next delivery finds the deal in
the ledger, or its settlement in the stream, and does what is missing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

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
from shuangkou.scoring.database import OUT_OF_REACH
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.metrics import ScoringMetrics
from shuangkou.scoring.settlement import NotASettlement, Settlement, settlement_of
from shuangkou.v1.events_pb2 import Commit
from shuangkou.wire.cloud_events import cloud_event
from shuangkou.wire.streams import WHOLE, Shard


def settling_commits(concurrency: int, shard: Shard = WHOLE) -> WorkQueue:
    """The commits of a shard that settle a deal, so many of them handled at once."""
    subjects = (f"{shard.root}.*.*.public.score",)
    return WorkQueue(stream=shard.stream, durable="scoring", subjects=subjects, concurrency=concurrency)


@dataclass(frozen=True, slots=True)
class Recorder:
    """Handles the deliveries of ``settling_commits``."""

    bus: Bus
    ledger: Ledger
    metrics: ScoringMetrics

    async def record(self, job: Job) -> None:
        """Enter the deal and publish its settlement; Undoable where the commit settles none.

        TryLater while the ledger cannot be reached.
        """
        try:
            settlement = settlement_of(Commit.FromString(job.payload))
        except (DecodeError, NotASettlement) as reason:
            raise Undoable(f"message {job.sequence} on {job.subject}: {reason}") from reason
        try:
            is_new = await self.ledger.store(settlement)
        except OUT_OF_REACH as reason:
            raise TryLater(f"the ledger cannot be reached: {reason}") from None
        (self.metrics.stored if is_new else self.metrics.duplicates).inc()
        await self._publish(settlement)

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
