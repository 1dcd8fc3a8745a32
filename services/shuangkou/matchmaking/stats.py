"""The queues as players and operators see them."""

from __future__ import annotations

from collections import defaultdict

from shuangkou.matchmaking.picture import Picture
from shuangkou.matchmaking.pool import Pool
from shuangkou.matchmaking.unit import Unit
from shuangkou.matchmaking.waits import Queue
from shuangkou.v1.matchmaking_pb2 import QueueStats


def queue_stats(picture: Picture, now_ms: int) -> list[QueueStats]:
    """One for each ruleset and mode in which somebody waits or was seated lately."""
    waiting = waiting_in(picture.pool)
    queues = sorted({*waiting, *picture.waits.queues(now_ms)})
    return [_stats(picture, queue, waiting.get(queue, []), now_ms) for queue in queues]


def waiting_in(pool: Pool) -> dict[Queue, list[Unit]]:
    """Who waits in each queue, once even with several wishes; a rematch waits for its own people alone."""
    waiting: dict[Queue, dict[Unit, None]] = defaultdict(dict)
    for line, units in pool.lines:
        if not line.rematch_of:
            waiting[line.game.ruleset_id, line.mode] |= dict.fromkeys(units)
    return {queue: list(units) for queue, units in waiting.items()}


def _stats(picture: Picture, queue: Queue, units: list[Unit], now_ms: int) -> QueueStats:
    ruleset_id, mode = queue
    return QueueStats(
        ruleset_id=ruleset_id,
        mode=mode,
        waiting=sum(unit.size for unit in units),
        longest_wait_ms=max((max(0, now_ms - unit.since_ms) for unit in units), default=0),
        usual_wait_ms=picture.waits.usual_ms(queue, now_ms),
    )
