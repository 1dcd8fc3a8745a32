"""The loop that claims waiting tickets for tables. Any number of replicas may run it at once.

A group is claimed in one atomic batch, which fails when any of its tickets has changed: one replica wins, and
nobody sits at two tables.
"""

from __future__ import annotations

import asyncio
import time

from shuangkou.chassis.errors import Refused
from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import AppendTimeout, NatsFailure, WrongLastSequence
from shuangkou.matchmaking.desk import ClaimDesk
from shuangkou.matchmaking.matcher import Group
from shuangkou.matchmaking.metrics import MatchmakingMetrics
from shuangkou.matchmaking.mirror import Mirror
from shuangkou.matchmaking.opener import Opener
from shuangkou.matchmaking.queue import TicketQueue
from shuangkou.matchmaking.rulesets import KnownRulesets

_PAUSE_SECONDS = 0.5
_LONGEST_SLEEP_SECONDS = 1.0
"""Also how old the depth of the queues in the metrics may be."""


class Matchmaker:
    """Matches what the mirror shows and hands claims to the opener."""

    def __init__(self, desk: ClaimDesk, mirror: Mirror, opener: Opener, queue: TicketQueue) -> None:
        self._desk = desk
        self._mirror = mirror
        self._opener = opener
        self._queue = queue

    async def run(self, metrics: MatchmakingMetrics, rulesets: KnownRulesets) -> None:
        """Match until cancelled; outages of NATS are waited out."""
        pool = self._mirror.picture.pool
        shown_ms = 0
        while True:
            # A claim that cannot become a table would only bind its players.
            await self._opener.engine_in_reach()
            position = self._mirror.position
            now_ms = _now_ms()
            if now_ms - shown_ms >= _LONGEST_SLEEP_SECONDS * 1000:
                metrics.show_queue(rulesets.ids, pool)
                shown_ms = now_ms
            try:
                for queued in pool.lapsed(now_ms):
                    await self._lapse(queued.player_id, queued.ticket.ticket_id, now_ms)
                for group in pool.ripe(now_ms):
                    if not await self._claim(group):
                        metrics.conflicts.inc()
            except NatsFailure as failure:
                logger().warning("matching_interrupted", reason=str(failure))
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            await self._mirror.moved_beyond(position, _seconds_until(pool.next_due_ms()))

    async def _claim(self, group: Group) -> bool:
        try:
            taken = await self._desk.take(group, _now_ms())
        except (WrongLastSequence, AppendTimeout):
            self._mirror.picture.pool.look_again(group)
            await self._mirror.refresh(group.tickets)
            return False
        except NatsFailure:
            self._mirror.picture.pool.look_again(group)
            raise
        self._mirror.picture.forget(group.tickets)
        self._opener.own(taken)
        return True

    async def _lapse(self, player_id: str, ticket_id: str, now_ms: int) -> None:
        try:
            await self._queue.leave(player_id, ticket_id, now_ms, "match/lapsed")
        except Refused:
            # It has just been claimed or ended.
            return
        finally:
            self._mirror.picture.pool.drop(player_id)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _seconds_until(due_ms: int | None) -> float:
    if due_ms is None:
        return _LONGEST_SLEEP_SECONDS
    return min(max(0.0, (due_ms - _now_ms()) / 1000), _LONGEST_SLEEP_SECONDS)
