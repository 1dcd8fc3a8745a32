"""Stretches of time in which no engine could serve any table, and what they cost a table. Pure.

All times are milliseconds since 1970 UTC.
"""

from collections.abc import Iterable
from dataclasses import dataclass

BEAT_MS = 500
"""An engine says so often that it reaches the broker, unless another one has just done so."""

NEW_GAP_MS = 2 * BEAT_MS
"""For an engine that has just started or been connected again, a longer silence was an outage."""

GAP_MS = 3_000
"""For an engine that was there all the time; shorter ones are a busy moment of a machine."""

RETURN_MS = 3_000
"""Given beside what an outage took: a client looks for an engine only now and then."""

_KEPT_MS = 24 * 3_600_000
_MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class Outage:
    """Tables were last served at `from_ms` and served again at `until_ms`."""

    from_ms: int
    until_ms: int


@dataclass(frozen=True, slots=True)
class Uptime:
    """What engines tell each other. seen_ms: when one of them last reached the broker, 0 for never."""

    seen_ms: int = 0
    outages: tuple[Outage, ...] = ()


def seen(before: Uptime, now_ms: int, gap_ms: int) -> Uptime:
    """An engine reaches the broker now; a silence of more than `gap_ms` before it was an outage."""
    outages = before.outages
    if before.seen_ms and now_ms - before.seen_ms > gap_ms:
        outages = (*outages, Outage(before.seen_ms, now_ms))
    kept = tuple(outage for outage in outages if now_ms - outage.until_ms < _KEPT_MS)
    return Uptime(max(before.seen_ms, now_ms), kept[-_MOST_KEPT:])


def lost_ms(outages: Iterable[Outage], since_ms: int, now_ms: int) -> int:
    """What a table is owed for the outages between its newest commit and now; 0 if there were none."""
    spans = sorted((max(outage.from_ms, since_ms), min(outage.until_ms, now_ms)) for outage in outages)
    total, counted_ms = 0, since_ms
    for start_ms, end_ms in spans:
        total += max(0, end_ms - max(start_ms, counted_ms))
        counted_ms = max(counted_ms, end_ms)
    return total + RETURN_MS if total else 0
