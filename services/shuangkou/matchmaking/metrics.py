"""What the matchmaking service measures."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from shuangkou.matchmaking.claim import tickets_of
from shuangkou.matchmaking.game import MOST_SEATS
from shuangkou.matchmaking.pool import Pool
from shuangkou.matchmaking.stats import waiting_in
from shuangkou.rules.ruleset import available
from shuangkou.v1.matchmaking_pb2 import Claim

_WAIT_BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 60.0, 300.0)
_QUALITY_BUCKETS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)


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
        self._wait = Histogram(
            "shuangkou_matchmaking_wait_seconds",
            "From ticket to claim",
            registry=registry,
            buckets=_WAIT_BUCKETS,
        )
        self._quality = Histogram(
            "shuangkou_matchmaking_quality_ratio",
            "Chance of a draw between the sides of tables without bots, by openskill",
            registry=registry,
            buckets=_QUALITY_BUCKETS,
        )
        self.conflicts = _counter(
            registry, "claim_conflicts", "Claims that came too late: another replica or the player was faster"
        )
        self.refused = _counter(registry, "tables_refused", "Tables that the engine refused to open")
        self.given_back = _counter(
            registry, "claims_given_back", "Claims that went back to the queue: somebody was not ready"
        )
        for bots in range(MOST_SEATS):
            self._tables.labels(str(bots))
        # Engines tell only when they are asked; a queue that nobody has entered is shown all the same.
        for ruleset_id in available():
            self._waiting.labels(ruleset_id)

    def show_queue(self, rulesets: Iterable[str], pool: Pool) -> None:
        """Set the depth of every ruleset's queue."""
        depths = Tally[str]()
        for (ruleset_id, _), units in waiting_in(pool).items():
            depths[ruleset_id] += sum(unit.size for unit in units)
        for ruleset_id in rulesets:
            self._waiting.labels(ruleset_id).set(depths[ruleset_id])

    def table_opened(self, claim: Claim) -> None:
        """Count a table that this replica has opened."""
        tickets = [ticket for _, ticket in tickets_of(claim)]
        self._tables.labels(str(len(claim.seats) - len(tickets))).inc()
        for ticket in tickets if not claim.room_code else ():
            self._wait.observe(max(0, claim.claimed_ms - ticket.created_ms) / 1000)
        if claim.quality:
            self._quality.observe(claim.quality)


def _counter(registry: CollectorRegistry, name: str, meaning: str) -> Counter:
    return Counter(f"shuangkou_matchmaking_{name}_total", meaning, registry=registry)
