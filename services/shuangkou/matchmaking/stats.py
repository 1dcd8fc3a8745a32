"""The queues as players and operators see them."""

from __future__ import annotations

from collections import defaultdict

from shuangkou.matchmaking.picture import Picture
from shuangkou.matchmaking.unit import Unit
from shuangkou.matchmaking.waits import Queue
from shuangkou.v1.matchmaking_pb2 import QueueStats


def queue_stats(picture: Picture, now_ms: int) -> list[QueueStats]:
    """One for each ruleset and mode in which somebody waits or was seated lately."""
    waiting: dict[Queue, dict[Unit, None]] = defaultdict(dict)
    for line, units in picture.pool.lines:
        waiting[line.game.ruleset_id, line.mode] |= dict.fromkeys(units)
    queues = sorted({*waiting, *picture.waits.queues})
    return [_stats(picture, queue, list(waiting.get(queue, ())), now_ms) for queue in queues]


def _stats(picture: Picture, queue: Queue, units: list[Unit], now_ms: int) -> QueueStats:
    ruleset_id, mode = queue
    return QueueStats(
        ruleset_id=ruleset_id,
        mode=mode,
        waiting=sum(unit.size for unit in units),
        longest_wait_ms=max((max(0, now_ms - unit.since_ms) for unit in units), default=0),
        usual_wait_ms=picture.waits.usual_ms(ruleset_id, mode),
    )
