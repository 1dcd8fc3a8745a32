"""What the scoring service counts."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram

_LAG_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0, 600.0)


class ScoringMetrics:
    """Counters of the ledger's intake."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.stored = Counter(
            "shuangkou_scoring_settlements_stored_total", "Deals entered in the ledger", registry=registry
        )
        self.duplicates = Counter(
            "shuangkou_scoring_settlements_duplicate_total",
            "Deliveries of a deal that the ledger held already",
            registry=registry,
        )
        self.contested = Counter(
            "shuangkou_scoring_settlements_contested_total",
            "Settlements that were not entered: the rules make another of the same facts",
            registry=registry,
        )
        self.unchecked = Counter(
            "shuangkou_scoring_settlements_unchecked_total",
            "Deliveries that the rules could not be asked about: of another revision, or not told in EVENTS",
            registry=registry,
        )
        self.rated = Counter(
            "shuangkou_scoring_deals_rated_total", "Deals that ratings were made of", registry=registry
        )
        self.published = Counter(
            "shuangkou_scoring_settlements_published_total",
            "Settlements appended to SCORES",
            registry=registry,
        )
        self.lag = Histogram(
            "shuangkou_scoring_settlement_lag_seconds",
            "From the engine's decision to the published settlement",
            registry=registry,
            buckets=_LAG_BUCKETS,
        )
