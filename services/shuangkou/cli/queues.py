"""`shuangkou queues`: how many wait for what, and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from shuangkou.cli.clients import connect
from shuangkou.cli.columns import rows
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.modes import name_of
from shuangkou.cli.rulebook import known_ruleset
from shuangkou.cli.terminal import Terminal
from shuangkou.v1.matchmaking_pb2 import GetQueueStatsRequest, QueueStats

_HEAD: Final = ("game 规则", "mode", "waiting 排队", "longest 最久", "usual 通常")
_NUMERIC: Final = frozenset((2, 3, 4))


async def show_queues(folder: DataFolder, ruleset_id: str, terminal: Terminal) -> int:
    """Every queue, or those of one ruleset; Problem when there is no such ruleset."""
    if ruleset_id:
        known_ruleset(ruleset_id)
    async with connect(folder, "queues", lambda: None) as clients:
        request = GetQueueStatsRequest(ruleset_id=ruleset_id)
        answer = await clients.ask(clients.tickets.GetQueueStats, request)
    for line in queue_lines(answer.queues):
        terminal.say(line)
    return 0


def queue_lines(queues: Sequence[QueueStats]) -> list[Text]:
    """A line for each queue; seconds that nobody can tell are a dash."""
    if not queues:
        return [Text("Nobody waits, and nobody was seated lately 没有人在排队")]
    table: list[list[Text | str]] = [[Text(title, "dim") for title in _HEAD]]
    table += [
        [
            queue.ruleset_id,
            name_of(queue.mode),
            str(queue.waiting),
            f"{queue.longest_wait_ms / 1000:.0f} s" if queue.waiting else "-",
            f"{queue.usual_wait_ms / 1000:.1f} s" if queue.HasField("usual_wait_ms") else "-",
        ]
        for queue in queues
    ]
    return rows(table, _NUMERIC)
