"""RPC metrics under the names that public gRPC dashboards know."""

from __future__ import annotations

from dataclasses import dataclass

import grpc
from prometheus_client import CollectorRegistry, Counter, Histogram

_METHOD = ["grpc_type", "grpc_service", "grpc_method"]
_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
CODE_NAMES = {code: "".join(word.capitalize() for word in code.name.split("_")) for code in grpc.StatusCode}
# The two codes that dashboards spell otherwise.
CODE_NAMES[grpc.StatusCode.OK] = "OK"
CODE_NAMES[grpc.StatusCode.CANCELLED] = "Canceled"


@dataclass(frozen=True, slots=True)
class MethodMetrics:
    """The metrics of one method, looked up once; ``handled`` has a counter per status code."""

    started: Counter
    handled: dict[grpc.StatusCode, Counter]
    seconds: Histogram


class RpcMetrics:
    """The RPC metrics of one registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._started = Counter("grpc_server_started_total", "RPCs started", _METHOD, registry=registry)
        self._handled = Counter(
            "grpc_server_handled_total", "RPCs completed", [*_METHOD, "grpc_code"], registry=registry
        )
        self._seconds = Histogram(
            "grpc_server_handling_seconds", "Time per RPC", _METHOD, buckets=_BUCKETS, registry=registry
        )

        self.throttled = Counter(
            "shuangkou_rpc_throttled_total",
            "RPCs refused because their caller makes too many, by class",
            ["rpc_class"],
            registry=registry,
        )

    def of_method(self, kind: str, service: str, method: str) -> MethodMetrics:
        """The metrics of one method; ``kind`` is ``unary`` or ``server_stream``."""
        return MethodMetrics(
            self._started.labels(kind, service, method),
            {code: self._handled.labels(kind, service, method, name) for code, name in CODE_NAMES.items()},
            self._seconds.labels(kind, service, method),
        )
