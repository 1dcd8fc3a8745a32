"""From a claim to an open table: the engine opens it, MATCHES tells it, the tickets end.

Every step can be repeated by any replica. A claim that stays open for longer than the patience was left
behind, and whoever sees it finishes it: the claim's id makes the engine answer with the very same table.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import (
    Bus,
    Expectation,
    NatsFailure,
    NewMessage,
    WrongLastSequence,
    append,
)
from shuangkou.chassis.trace import enter_trace
from shuangkou.matchmaking.bucket import Bucket
from shuangkou.matchmaking.claim import OpenClaim, names_of, tickets_of
from shuangkou.matchmaking.metrics import MatchmakingMetrics
from shuangkou.matchmaking.mirror import Mirror
from shuangkou.matchmaking.tables import EngineOutOfReach, TableRefused, Tables
from shuangkou.v1.events_pb2 import TableMatched
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_CANCELLED, TICKET_STATE_MATCHED, Claim, Ticket
from shuangkou.wire.cloud_events import cloud_event

_SWEEP_SECONDS = 0.5
_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class Outside:
    """What the opener acts on."""

    bus: Bus
    bucket: Bucket
    tables: Tables
    metrics: MatchmakingMetrics


class Opener:
    """Opens the tables of this replica's claims, and of those that others left behind."""

    def __init__(self, outside: Outside, mirror: Mirror, patience_seconds: float) -> None:
        self._outside = outside
        self._mirror = mirror
        self._patience = patience_seconds
        self._first_seen: dict[str, float] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(_AT_ONCE)

    def start(self, taken: OpenClaim) -> None:
        """Open the claim's table in the background unless that is under way."""
        claim_id = taken.claim.claim_id
        if claim_id not in self._running:
            task = asyncio.create_task(self._work_on(taken), name=claim_id)
            self._running[claim_id] = task
            task.add_done_callback(lambda _: self._running.pop(claim_id))

    async def run(self) -> None:
        """Sweep up claims that were left behind, until cancelled."""
        try:
            while True:
                for taken in self._left_behind():
                    self.start(taken)
                await asyncio.sleep(_SWEEP_SECONDS)
        finally:
            running = list(self._running.values())
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _left_behind(self) -> Iterator[OpenClaim]:
        now = time.monotonic()
        claims = self._mirror.claims
        # Since when this replica knows it: the clocks of two machines need not agree.
        self._first_seen = {claim_id: self._first_seen.get(claim_id, now) for claim_id in claims}
        for claim_id, taken in claims.items():
            if now - self._first_seen[claim_id] >= self._patience:
                yield taken

    async def _work_on(self, taken: OpenClaim) -> None:
        enter_trace(None)
        async with self._slots:
            try:
                await self._finish(taken)
            except (EngineOutOfReach, NatsFailure) as reason:
                logger().warning("table_not_opened_yet", claim_id=taken.claim.claim_id, reason=str(reason))
            except Exception:  # noqa: BLE001  # one claim must not stop the others; the sweep tries it again
                logger().exception("claim_failed", claim_id=taken.claim.claim_id)

    async def _finish(self, taken: OpenClaim) -> None:
        claim = taken.claim
        try:
            table_id = await self._outside.tables.open(claim)
        except TableRefused as refusal:
            self._outside.metrics.refused.inc()
            logger().error("table_refused", claim_id=claim.claim_id, reason=str(refusal))
            await self._settle(taken, [_refused(ticket, refusal.code) for _, ticket in tickets_of(claim)])
            return
        await self._tell(claim, table_id)
        ended = [_matched(ticket, table_id, seat) for seat, ticket in tickets_of(claim)]
        if await self._settle(taken, ended):
            self._outside.metrics.table_opened(len(claim.seats) - len(ended))
            for ticket in ended:
                self._outside.metrics.wait.observe((claim.claimed_ms - ticket.created_ms) / 1000)
            logger().info("table_matched", table_id=table_id, ruleset_id=claim.ruleset_id, people=len(ended))

    async def _tell(self, claim: Claim, table_id: str) -> None:
        tickets = [ticket for _, ticket in tickets_of(claim)]
        matched = TableMatched(
            table_id=table_id,
            ruleset_id=claim.ruleset_id,
            ticket_ids=[ticket.ticket_id for ticket in tickets],
            players=names_of(claim),
            waited_ms=[max(0, claim.claimed_ms - ticket.created_ms) for ticket in tickets],
            event=claim.event if claim.HasField("event") else None,
        )
        message = NewMessage(
            f"match.{claim.ruleset_id}.{table_id}",
            matched.SerializeToString(deterministic=True),
            cloud_event(matched, "matchmaking", table_id),
        )
        try:
            await append(self._outside.bus, message, Expectation(0))
        except WrongLastSequence:
            # Told before by whoever left the claim behind.
            return

    async def _settle(self, taken: OpenClaim, ended: list[Ticket]) -> bool:
        """End the tickets; False where another replica has done so."""
        try:
            await self._outside.bucket.settle(taken.claim, taken.sequence, ended)
        except WrongLastSequence:
            self._mirror.forget_claim(taken.claim.claim_id)
            return False
        return True


def _matched(claimed: Ticket, table_id: str, seat: int) -> Ticket:
    matched = Ticket()
    matched.CopyFrom(claimed)
    matched.state = TICKET_STATE_MATCHED
    matched.table_id = table_id
    matched.seat = seat
    return matched


def _refused(claimed: Ticket, code: str) -> Ticket:
    refused = Ticket()
    refused.CopyFrom(claimed)
    refused.state = TICKET_STATE_CANCELLED
    refused.refusal = code
    return refused
