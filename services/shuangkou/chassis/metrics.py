"""Prometheus metrics: one registry per process, served over HTTP at /metrics."""

from __future__ import annotations

import asyncio
from threading import Thread
from typing import Self
from wsgiref.simple_server import WSGIServer

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    start_http_server,
)

LAG_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_LAG_PERIOD = 0.5


class MetricsServer:
    """The HTTP server of one registry, on its own thread: a busy event loop can still be scraped."""

    def __init__(self, registry: CollectorRegistry, address: str) -> None:
        """Raises OSError where the address is taken."""
        host, _, port = address.rpartition(":")
        server, thread = start_http_server(int(port), host, registry)
        self._server: WSGIServer = server
        self._thread: Thread = thread

    @property
    def port(self) -> int:
        """The port in use, also where 0 was asked for."""
        return self._server.server_port

    def close(self) -> None:
        """Stop answering scrapes."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def process_registry() -> CollectorRegistry:
    """A fresh registry with the standard process, platform and garbage collection metrics."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


async def watch_event_loop(registry: CollectorRegistry) -> None:
    """Measure, until cancelled, how late the event loop wakes a sleeping task."""
    lag = Histogram(
        "shuangkou_event_loop_lag_seconds",
        "How late the event loop wakes a task that slept",
        registry=registry,
        buckets=LAG_BUCKETS,
    )
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _LAG_PERIOD
        await asyncio.sleep(_LAG_PERIOD)
        lag.observe(max(0.0, loop.time() - due))
