"""What the matchmaking service measures."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from shuangkou.matchmaking.matcher import MOST_SEATS, Queued

_WAIT_BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 60.0, 300.0)


class MatchmakingMetrics:
    """Every replica shows the whole queue, but counts only the tables that it opened."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._waiting = Gauge(
            "shuangkou_matchmaking_waiting_tickets", "Tickets that wait", ["ruleset"], registry=registry
        )
        self._tables = Counter(
            "shuangkou_matchmaking_tables_total",
            "Tables opened, by seats filled with bots",
            ["bots"],
            registry=registry,
        )
        self.wait = Histogram(
            "shuangkou_matchmaking_wait_seconds",
            "From ticket to claim",
            registry=registry,
            buckets=_WAIT_BUCKETS,
        )
        self.conflicts = Counter(
            "shuangkou_matchmaking_claim_conflicts_total",
            "Claims that came too late: another replica or the player was faster",
            registry=registry,
        )
        self.refused = Counter(
            "shuangkou_matchmaking_tables_refused_total",
            "Tables that the engine refused to open",
            registry=registry,
        )
        for bots in range(MOST_SEATS):
            self._tables.labels(str(bots))

    def show_queue(self, rulesets: Iterable[str], waiting: Iterable[Queued]) -> None:
        """Set the depth of every ruleset's queue."""
        depths = Tally(queued.ticket.ruleset_id for queued in waiting)
        for ruleset_id in rulesets:
            self._waiting.labels(ruleset_id).set(depths[ruleset_id])

    def table_opened(self, bots: int) -> None:
        """Count a table with so many bots."""
        self._tables.labels(str(bots)).inc()
