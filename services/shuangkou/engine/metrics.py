"""What engines measure. Labels come from closed sets, never ids."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from shuangkou.chassis.nats.errors import NoResponse, NotNow, Unanswered

_APPEND_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_LATE_BUCKETS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_LEFT_UNANSWERED = (Unanswered, NoResponse, NotNow)
"""So a stream without a leader looks, by what is asked of it and of which copy."""
_LAG_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Found(StrEnum):
    """What the log says about an append that nobody answered."""

    STORED = "stored"
    ABSENT = "absent"
    FORESTALLED = "forestalled"


class LogRequest(StrEnum):
    """What an engine asks of the log. UPTIME: when engines were there, asked before some acts."""

    APPEND = "append"
    TIMER = "timer"
    READ = "read"
    UPTIME = "uptime"


class StandIn(StrEnum):
    """Who acts for a seat in place of its holder, and why."""

    HOSTED = "hosted"
    FORFEITED = "forfeited"
    LATE_PERSON = "late_person"
    SILENT_BOT = "silent_bot"


class EngineMetrics:
    """All metrics of one engine."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._of_acts(registry)
        self._of_the_log(registry)
        self._of_tables(registry)
        self._of_streams(registry)

    @contextmanager
    def heard(self, request: LogRequest) -> Iterator[None]:
        """Count a request inside the block that the broker leaves unanswered."""
        try:
            yield
        except _LEFT_UNANSWERED:
            self.log_unanswered.labels(request).inc()
            raise

    def _of_acts(self, registry: CollectorRegistry) -> None:
        counter = partial(Counter, registry=registry)
        histogram = partial(Histogram, registry=registry)
        self.acts = counter(
            "shuangkou_engine_acts_total",
            "Commands by ruleset and outcome: accepted, repeated or refused",
            ("ruleset", "outcome"),
        )
        self.own_acts = counter(
            "shuangkou_engine_own_acts_total",
            "Acts of the engine itself: a deal started, a deadline passed, a deal moved on, or time called",
            ("kind",),
        )
        self.stand_in_acts = counter(
            "shuangkou_engine_stand_in_acts_total",
            "Acts for a seat that its own holder did not make, by kind: of a bot for a hosted or a forfeited"
            " seat, of the rules' fallback for a late person or a silent bot",
            ("kind",),
        )
        self.timer_lateness = histogram(
            "shuangkou_engine_timer_lateness_seconds",
            "From a deadline until the engine's own act was stored",
            buckets=_LATE_BUCKETS,
        )
        for kind in StandIn:
            self.stand_in_acts.labels(kind)

    def _of_the_log(self, registry: CollectorRegistry) -> None:
        counter = partial(Counter, registry=registry)
        histogram = partial(Histogram, registry=registry)
        self.append_seconds = histogram(
            "shuangkou_engine_append_seconds",
            "From sending a commit to its acknowledgement by the broker",
            buckets=_APPEND_BUCKETS,
        )
        self.conflicts = counter(
            "shuangkou_engine_append_conflicts_total",
            "Appends that another one forestalled, or that nobody answered",
            ("cause",),
        )
        self.resolved = counter(
            "shuangkou_engine_ambiguous_appends_total",
            "Appends that nobody answered, by what the log said: stored, absent or forestalled",
            ("found",),
        )
        self.log_unanswered = counter(
            "shuangkou_engine_log_unanswered_total",
            "Requests of engines to the log that the broker left unanswered: appends, wake-ups to be stored,"
            " reads, as those before a table is opened, and asking when engines were there",
            ("request",),
        )
        self.outages = counter(
            "shuangkou_engine_outages_total",
            "Stretches of time in which no engine could serve tables, counted by the engine that found them",
        )
        self.credits = counter(
            "shuangkou_engine_time_credits_total", "Commits that gave a table back what an outage took"
        )
        for found in Found:
            self.resolved.labels(found)
        for request in LogRequest:
            self.log_unanswered.labels(request)

    def _of_tables(self, registry: CollectorRegistry) -> None:
        counter = partial(Counter, registry=registry)
        gauge = partial(Gauge, registry=registry)
        histogram = partial(Histogram, registry=registry)
        self.load_seconds = histogram(
            "shuangkou_engine_table_load_seconds",
            "Reading and folding a table that was not in memory",
            buckets=_APPEND_BUCKETS,
        )
        self.purged = counter(
            "shuangkou_engine_tables_purged_total",
            "Tables that were over and whose log this engine has purged",
        )
        self.tables_warm = gauge("shuangkou_engine_tables_warm", "Tables in this engine's memory")
        self.tables_active = gauge(
            "shuangkou_engine_tables_active", "Tables in this engine's memory with a deal in play"
        )

    def _of_streams(self, registry: CollectorRegistry) -> None:
        counter = partial(Counter, registry=registry)
        gauge = partial(Gauge, registry=registry)
        histogram = partial(Histogram, registry=registry)
        self.watch_streams = gauge("shuangkou_engine_watch_streams", "Open WatchTable streams")
        self.superseded = counter(
            "shuangkou_engine_watch_superseded_total", "Streams that a newer one of their person ended"
        )
        self.resyncs = counter(
            "shuangkou_engine_watch_resyncs_total", "Streams that fell behind and were sent a new snapshot"
        )
        self.watch_lag = histogram(
            "shuangkou_engine_watch_lag_seconds",
            "From a commit until it is handed to a stream",
            buckets=_LAG_BUCKETS,
        )
