"""What engines measure. Labels come from closed sets, never ids."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_APPEND_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_LATE_BUCKETS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class EngineMetrics:
    """All metrics of one engine."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.acts = Counter(
            "shuangkou_engine_acts_total",
            "Commands by ruleset and outcome: accepted, repeated or refused",
            ("ruleset", "outcome"),
            registry=registry,
        )
        self.append_seconds = Histogram(
            "shuangkou_engine_append_seconds",
            "From sending a commit to its acknowledgement by the broker",
            registry=registry,
            buckets=_APPEND_BUCKETS,
        )
        self.conflicts = Counter(
            "shuangkou_engine_append_conflicts_total",
            "Appends that another one forestalled, or that nobody answered",
            ("cause",),
            registry=registry,
        )
        self.load_seconds = Histogram(
            "shuangkou_engine_table_load_seconds",
            "Reading and folding a table that was not in memory",
            registry=registry,
            buckets=_APPEND_BUCKETS,
        )
        self.timer_lateness = Histogram(
            "shuangkou_engine_timer_lateness_seconds",
            "From a deadline to the engine's own act",
            registry=registry,
            buckets=_LATE_BUCKETS,
        )
        self.own_acts = Counter(
            "shuangkou_engine_own_acts_total",
            "Acts of the engine itself: deals started and deadlines passed",
            ("kind",),
            registry=registry,
        )
        self.tables_warm = Gauge(
            "shuangkou_engine_tables_warm", "Tables in this engine's memory", registry=registry
        )
        self.watch_streams = Gauge(
            "shuangkou_engine_watch_streams", "Open WatchTable streams", registry=registry
        )
        self.resyncs = Counter(
            "shuangkou_engine_watch_resyncs_total",
            "Streams that fell behind and were sent a new snapshot",
            registry=registry,
        )
