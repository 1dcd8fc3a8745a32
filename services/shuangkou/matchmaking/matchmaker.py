"""The loop that claims waiting tickets for tables, in every replica."""

from __future__ import annotations

import asyncio
import time

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import NatsFailure
from shuangkou.matchmaking.matching import Matching
from shuangkou.matchmaking.metrics import MatchmakingMetrics
from shuangkou.matchmaking.mirror import Mirror
from shuangkou.matchmaking.opener import Opener
from shuangkou.matchmaking.rulesets import KnownRulesets

_PAUSE_SECONDS = 0.5
_LONGEST_SLEEP_SECONDS = 1.0
"""Also how old the depth of the queues in the metrics may be."""


class Matchmaker:
    """Matches what the mirror shows and hands claims to the opener."""

    def __init__(self, matching: Matching, mirror: Mirror, opener: Opener) -> None:
        self._matching = matching
        self._mirror = mirror
        self._opener = opener

    async def run(self, metrics: MatchmakingMetrics, rulesets: KnownRulesets) -> None:
        """Match until cancelled; outages of NATS are waited out."""
        pool = self._mirror.picture.pool
        shown_ms = 0
        while True:
            # A claim that cannot become a table would only bind its players.
            await self._opener.engine_in_reach()
            position, now_ms = self._mirror.position, _now_ms()
            if now_ms - shown_ms >= _LONGEST_SLEEP_SECONDS * 1000:
                metrics.show_queue(rulesets.ids, pool)
                shown_ms = now_ms
            try:
                async for taken in self._matching.once(now_ms):
                    if taken is None:
                        metrics.conflicts.inc()
                    else:
                        self._opener.own(taken.claim)
            except NatsFailure as failure:
                logger().warning("matching_interrupted", reason=str(failure))
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            await self._mirror.moved_beyond(position, _seconds_until(pool.next_due_ms()))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _seconds_until(due_ms: int | None) -> float:
    if due_ms is None:
        return _LONGEST_SLEEP_SECONDS
    return min(max(0.0, (due_ms - _now_ms()) / 1000), _LONGEST_SLEEP_SECONDS)
