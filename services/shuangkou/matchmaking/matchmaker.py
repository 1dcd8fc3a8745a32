"""The loop that claims waiting tickets for tables. Any number of replicas may run it at once.

A group is claimed in one atomic batch, which fails when any of its tickets has changed: one replica wins, and
nobody sits at two tables.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import AppendTimeout, NatsFailure, WrongLastSequence
from shuangkou.matchmaking.bucket import Bucket
from shuangkou.matchmaking.claim import OpenClaim, claim_of
from shuangkou.matchmaking.matcher import Group, matches, next_fill_ms
from shuangkou.matchmaking.metrics import MatchmakingMetrics
from shuangkou.matchmaking.mirror import Mirror
from shuangkou.matchmaking.opener import Opener
from shuangkou.matchmaking.rulesets import KnownRulesets

_PAUSE_SECONDS = 0.5
_LONGEST_SLEEP_SECONDS = 30.0


class Matchmaker:
    """Matches what the mirror shows and hands claims to the opener."""

    def __init__(self, bucket: Bucket, mirror: Mirror, opener: Opener, personas: Sequence[str]) -> None:
        self._bucket = bucket
        self._mirror = mirror
        self._opener = opener
        self._personas = personas

    async def run(self, metrics: MatchmakingMetrics, rulesets: KnownRulesets) -> None:
        """Match until cancelled; outages of NATS are waited out."""
        while True:
            position = self._mirror.position
            waiting = list(self._mirror.waiting.values())
            metrics.show_queue(rulesets.ids, waiting)
            now_ms = time.time_ns() // 1_000_000
            groups = matches(waiting, now_ms)
            try:
                for group in groups:
                    if not await self._claim(group, now_ms):
                        metrics.conflicts.inc()
            except NatsFailure as failure:
                logger().warning("matching_interrupted", reason=str(failure))
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            if not groups:
                await self._mirror.moved_beyond(position, _seconds_until(next_fill_ms(waiting), now_ms))

    async def _claim(self, group: Group, now_ms: int) -> bool:
        claim = claim_of(group, now_ms, self._personas)
        try:
            sequence = await self._bucket.claim(group, claim)
        except (WrongLastSequence, AppendTimeout):
            await self._mirror.refresh(group)
            return False
        self._opener.start(OpenClaim(sequence, claim))
        self._mirror.forget(group)
        return True


def _seconds_until(due_ms: int | None, now_ms: int) -> float:
    if due_ms is None:
        return _LONGEST_SLEEP_SECONDS
    return min(max(0.0, (due_ms - now_ms) / 1000), _LONGEST_SLEEP_SECONDS)
