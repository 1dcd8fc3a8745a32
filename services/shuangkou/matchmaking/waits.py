"""How long players waited lately, and so how long the next ones will."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from shuangkou.matchmaking.claim import tickets_of
from shuangkou.matchmaking.record import DAY_MS
from shuangkou.v1.matchmaking_pb2 import Claim, QueueWaits, SeatedWait, TicketMode

Queue = tuple[str, TicketMode.ValueType]
"""A ruleset and a mode."""

_REMEMBERED = 64
_FEWEST = 4
"""So many must have waited for longer than somebody before a word is said of how long that will go on."""


class Waits:
    """The last waits of each queue as stored, the same in every replica. What is a day old is nothing."""

    def __init__(self) -> None:
        self._last: dict[Queue, QueueWaits] = {}

    def take(self, waits: QueueWaits) -> None:
        """The last waits of a queue are these now."""
        self._last[waits.ruleset_id, waits.mode] = waits

    def queues(self, now_ms: int) -> list[Queue]:
        """Those from which somebody was seated within a day."""
        return [queue for queue in self._last if self._recent(queue, now_ms)]

    def usual_ms(self, queue: Queue, now_ms: int) -> int | None:
        """How long half of them waited at most; None where nobody was seated."""
        last = [wait.waited_ms for wait in self._recent(queue, now_ms)]
        return int(median(last)) if last else None

    def more_ms(self, queue: Queue, takes_bots: bool, waited_ms: int, now_ms: int) -> int | None:
        """How much longer half of those waited at most who waited longer than this, in the same way.

        None where they are too few to tell anything.
        """
        longer = [
            wait.waited_ms
            for wait in self._recent(queue, now_ms)
            if wait.takes_bots == takes_bots and wait.waited_ms > waited_ms
        ]
        return int(median(longer)) - waited_ms if len(longer) >= _FEWEST else None

    def _recent(self, queue: Queue, now_ms: int) -> list[SeatedWait]:
        waits = self._last.get(queue)
        return [wait for wait in waits.last if wait.seated_ms > now_ms - DAY_MS] if waits is not None else []


def waits_of(claim: Claim, now_ms: int) -> dict[Queue, list[SeatedWait]]:
    """How long the people of a claim waited for its table, which is open; nothing for a room."""
    waits: dict[Queue, list[SeatedWait]] = defaultdict(list)
    for _, ticket in tickets_of(claim) if not claim.room_code else ():
        # A rematch waits for those who sat there, not for whoever comes.
        if not ticket.rematch_of:
            waited_ms = max(0, claim.claimed_ms - ticket.created_ms)
            wait = SeatedWait(seated_ms=now_ms, waited_ms=waited_ms, takes_bots=ticket.bots_at_ms > 0)
            waits[claim.ruleset_id, ticket.mode].append(wait)
    return waits


def with_waits(before: QueueWaits, queue: Queue, new: Sequence[SeatedWait]) -> QueueWaits:
    """What is remembered of a queue when these were seated, too."""
    ruleset_id, mode = queue
    last = sorted((*before.last, *new), key=lambda wait: wait.seated_ms)[-_REMEMBERED:]
    return QueueWaits(ruleset_id=ruleset_id, mode=mode, last=last)
