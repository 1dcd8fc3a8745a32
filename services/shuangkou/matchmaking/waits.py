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


class Waits:
    """The last waits of each queue. Every replica sees all claims, so each knows the same."""

    def __init__(self) -> None:
        self._last: dict[Queue, deque[int]] = {}

    @property
    def queues(self) -> Mapping[Queue, deque[int]]:
        """The last waits by queue, milliseconds."""
        return MappingProxyType(self._last)

    def add(self, ruleset_id: str, mode: TicketMode.ValueType, waited_ms: int) -> None:
        """Somebody was seated after waiting so long."""
        self._last.setdefault((ruleset_id, mode), deque(maxlen=_REMEMBERED)).append(max(0, waited_ms))

    def usual_ms(self, ruleset_id: str, mode: TicketMode.ValueType) -> int | None:
        """How long half of them waited at most; None where nobody was seated."""
        last = self._last.get((ruleset_id, mode))
        return int(median(last)) if last else None
