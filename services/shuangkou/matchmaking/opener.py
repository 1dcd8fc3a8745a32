"""From a claim to an open table: people are asked, the engine opens it, MATCHES tells it, the tickets end.

Every step can be repeated by any replica. A claim that is ripe for longer than the patience was left behind,
and whoever sees it finishes it.
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
from shuangkou.matchmaking.claim import names_of, tickets_of
from shuangkou.matchmaking.desk import ClaimDesk, Verdict, verdict
from shuangkou.matchmaking.finishing import Finisher, Step
from shuangkou.matchmaking.metrics import MatchmakingMetrics
from shuangkou.matchmaking.mirror import Mirror
from shuangkou.matchmaking.tables import EngineOutOfReach, Tables
from shuangkou.matchmaking.wait_notes import WaitNotes
from shuangkou.v1.events_pb2 import TableMatched
from shuangkou.v1.matchmaking_pb2 import Claim
from shuangkou.wire.cloud_events import cloud_event

_SWEEP_SECONDS = 0.25
_AT_ONCE = 32
_PROBE_PAUSE_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Outside:
    """What the opener acts on."""

    bus: Bus
    desk: ClaimDesk
    tables: Tables
    metrics: MatchmakingMetrics
    waits: WaitNotes


class Opener:
    """Settles this replica's claims, and those that others left behind."""

    def __init__(self, outside: Outside, mirror: Mirror, patience_seconds: float) -> None:
        self._outside = outside
        self._mirror = mirror
        self._patience = patience_seconds
        self._finisher = Finisher(outside.desk, outside.tables, self._tell, _now_ms)
        self._own: set[str] = set()
        self._ripe_since: dict[str, float] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._is_away = False

    def own(self, claim: Claim) -> None:
        """This replica has made the claim, and settles it as soon as it is ripe."""
        self._own.add(claim.claim_id)
        if not claim.ready_by_ms:
            self._start(claim.claim_id)

    async def engine_in_reach(self) -> None:
        """Return once an engine answers, which is at once unless the last call found none."""
        while True:
            if not self._is_away or await self._is_engine_there():
                return
            await asyncio.sleep(_PROBE_PAUSE_SECONDS)

    async def run(self) -> None:
        """Settle claims until cancelled."""
        try:
            while True:
                position = self._mirror.position
                for claim_id in self._ripe():
                    self._start(claim_id)
                await self._mirror.moved_beyond(position, _SWEEP_SECONDS)
        finally:
            running = list(self._running.values())
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _ripe(self) -> Iterator[str]:
        now, picture = time.monotonic(), self._mirror.picture
        ripe = [
            claim_id
            for claim_id, taken in picture.claims.items()
            if verdict(taken.claim, picture.tickets_in(taken.claim), _now_ms()) is not Verdict.WAIT
        ]
        # Since when this replica knows it: the clocks of two machines need not agree.
        self._ripe_since = {claim_id: self._ripe_since.get(claim_id, now) for claim_id in ripe}
        self._own &= {*picture.claims, *self._running}
        for claim_id in ripe:
            if claim_id in self._own or now - self._ripe_since[claim_id] >= self._patience:
                yield claim_id

    def _start(self, claim_id: str) -> None:
        if claim_id not in self._running:
            task = asyncio.create_task(self._work_on(claim_id), name=claim_id)
            self._running[claim_id] = task
            task.add_done_callback(lambda _: self._running.pop(claim_id))

    async def _work_on(self, claim_id: str) -> None:
        enter_trace(None)
        async with self._slots:
            try:
                await self._finish(claim_id)
            except WrongLastSequence:
                # Another replica has moved it on; what it is now is looked at next.
                return
            except (EngineOutOfReach, NatsFailure) as reason:
                self._own.discard(claim_id)
                logger().warning("table_not_opened_yet", claim_id=claim_id, reason=str(reason))
            except Exception:  # noqa: BLE001  # one claim must not stop the others; the sweep tries it again
                self._own.discard(claim_id)
                logger().exception("claim_failed", claim_id=claim_id)

    async def _finish(self, claim_id: str) -> None:
        try:
            finished = await self._finisher.finish(claim_id)
        except EngineOutOfReach:
            self._is_away = True
            raise
        metrics, claim = self._outside.metrics, finished.claim
        match finished.step:
            case Step.GONE:
                self._mirror.picture.claims.pop(claim_id, None)
            case Step.GIVEN_BACK:
                metrics.given_back.inc()
                logger().info("claim_given_back", claim_id=claim_id)
            case Step.OUT_OF_REACH:
                self._is_away = True
                logger().warning("claim_given_back", claim_id=claim_id, reason="no engine in reach")
            case Step.REFUSED:
                metrics.refused.inc()
                logger().error("table_refused", claim_id=claim_id, reason=finished.detail)
            case Step.SEATED if claim is not None:
                metrics.table_opened(claim)
                self._outside.waits.note(claim, _now_ms())
                about = {"ruleset_id": claim.ruleset_id, "people": len(tickets_of(claim))}
                logger().info("table_matched", table_id=finished.detail, **about)

    async def _is_engine_there(self) -> bool:
        self._is_away = not await self._outside.tables.is_in_reach()
        return not self._is_away

    async def _tell(self, claim: Claim, table_id: str) -> None:
        """Analysts hear of tables made from tickets; who meets in a room is nobody's business."""
        if claim.room_code:
            return
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


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
