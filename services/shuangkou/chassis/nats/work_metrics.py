"""What the workers of a process are doing."""

from __future__ import annotations

from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

OUTCOMES = ("done", "failed", "given_up", "given_back")
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0)


@dataclass(frozen=True, slots=True)
class QueueMetrics:
    """The metrics of one queue."""

    running: Gauge
    pending: Gauge
    unacknowledged: Gauge
    lag: Histogram
    redelivered: Counter
    handled: dict[str, Counter]
    seconds: Histogram


class WorkMetrics:
    """The work metrics of one registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        label = ["queue", "stream"]
        self._running = Gauge("shuangkou_nats_work_running", "Jobs being handled", label, registry=registry)
        self._pending = Gauge(
            "shuangkou_nats_work_pending", "Jobs not yet delivered", label, registry=registry
        )
        self._unacknowledged = Gauge(
            "shuangkou_nats_work_unacknowledged",
            "Jobs delivered to some pod and not yet acknowledged",
            label,
            registry=registry,
        )
        self._lag = Histogram(
            "shuangkou_nats_work_lag_seconds",
            "From the storing of a job to its first delivery",
            label,
            buckets=_BUCKETS,
            registry=registry,
        )
        self._redelivered = Counter(
            "shuangkou_nats_work_redelivered_total", "Jobs delivered once more", label, registry=registry
        )
        self._handled = Counter(
            "shuangkou_nats_work_handled_total", "Jobs by outcome", [*label, "outcome"], registry=registry
        )
        self._seconds = Histogram(
            "shuangkou_nats_work_handling_seconds", "Time per job", label, buckets=_BUCKETS, registry=registry
        )

    def of_queue(self, queue: str, stream: str) -> QueueMetrics:
        """The metrics of one queue, ready to be set."""
        return QueueMetrics(
            self._running.labels(queue, stream),
            self._pending.labels(queue, stream),
            self._unacknowledged.labels(queue, stream),
            self._lag.labels(queue, stream),
            self._redelivered.labels(queue, stream),
            {outcome: self._handled.labels(queue, stream, outcome) for outcome in OUTCOMES},
            self._seconds.labels(queue, stream),
        )
