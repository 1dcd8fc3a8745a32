"""How long players waited lately, and so how long the next ones will."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from statistics import median
from types import MappingProxyType

from shuangkou.v1.matchmaking_pb2 import TicketMode

Queue = tuple[str, TicketMode.ValueType]
"""A ruleset and a mode."""

_REMEMBERED = 64
_FEWEST = 4
"""So many must have waited for longer than somebody before a word is said of how long that will go on."""


class Waits:
    """The last waits of each queue. Every replica sees all claims, so each knows the same."""

    def __init__(self) -> None:
        self._last: dict[Queue, deque[tuple[bool, int]]] = {}

    @property
    def queues(self) -> Mapping[Queue, deque[tuple[bool, int]]]:
        """The last waits by queue: whether with bots if need be, and milliseconds."""
        return MappingProxyType(self._last)

    def add(self, ruleset_id: str, mode: TicketMode.ValueType, takes_bots: bool, waited_ms: int) -> None:
        """Somebody was seated after waiting so long, with bots if need be or with people only."""
        last = self._last.setdefault((ruleset_id, mode), deque(maxlen=_REMEMBERED))
        last.append((takes_bots, max(0, waited_ms)))

    def usual_ms(self, ruleset_id: str, mode: TicketMode.ValueType) -> int | None:
        """How long half of them waited at most; None where nobody was seated."""
        last = self._last.get((ruleset_id, mode))
        return int(median(waited for _, waited in last)) if last else None

    def more_ms(self, queue: Queue, takes_bots: bool, waited_ms: int) -> int | None:
        """How much longer half of those waited at most who waited longer than this, in the same way.

        None where they are too few to tell anything.
        """
        longer = [
            waited for bots, waited in self._last.get(queue, ()) if bots == takes_bots and waited > waited_ms
        ]
        return int(median(longer)) - waited_ms if len(longer) >= _FEWEST else None
