"""Every rpc of every service by its rate, its errors and its duration."""

from __future__ import annotations

from typing import Final

from monitoring.panels import Dashboard, Line, Panel, quantiles, rate

_UNARY: Final = '{grpc_type="unary"}'
_REFUSED: Final = '{grpc_code!~"OK|Canceled"}'

RPCS: Final = Dashboard(
    "rpcs",
    "RPCs",
    "Rate, errors and duration of each rpc, under the names that public gRPC dashboards know.",
    (
        (
            "Rate and errors",
            (
                Panel(
                    "Calls that began",
                    "By method; streams count once, when they are opened.",
                    (rate("grpc_server_started_total", "grpc_method"),),
                    "ops",
                    12,
                ),
                Panel(
                    "Answers but OK",
                    "By code. FailedPrecondition: against the rules. Aborted: somebody was faster.",
                    (rate("grpc_server_handled_total", "grpc_code", _REFUSED),),
                    "ops",
                    12,
                ),
                Panel(
                    "Refused or failed, by method",
                    "All codes but OK and Canceled.",
                    (rate("grpc_server_handled_total", "grpc_method", _REFUSED),),
                    "ops",
                    12,
                ),
                Panel(
                    "Too many calls",
                    "Refused with RESOURCE_EXHAUSTED, by class of call.",
                    (rate("shuangkou_rpc_throttled_total", "rpc_class"),),
                    "ops",
                    12,
                ),
            ),
        ),
        (
            "Duration",
            (
                Panel(
                    "Time to answer, by service",
                    "Unary calls.",
                    quantiles("grpc_server_handling_seconds", _UNARY, by="grpc_service"),
                    "s",
                    12,
                    0.25,
                ),
                Panel(
                    "95 % of calls answered within",
                    "Unary calls by method.",
                    (
                        Line(
                            "histogram_quantile(0.95, sum by (le, grpc_method)"
                            f" (rate(grpc_server_handling_seconds_bucket{_UNARY}[$__rate_interval])))",
                            "{{grpc_method}}",
                        ),
                    ),
                    "s",
                    12,
                    0.25,
                ),
            ),
        ),
        (
            "Keys",
            (
                Panel(
                    "Keys that tokens may be signed with",
                    "By pod; during a rotation one more.",
                    (Line("shuangkou_auth_keys", "{{instance}}"),),
                    width=12,
                ),
                Panel(
                    "Key sets that cannot be read",
                    "1: the last good one is used.",
                    (Line("shuangkou_auth_key_set_stale", "{{instance}}"),),
                    width=12,
                    warn_above=0.5,
                ),
            ),
        ),
    ),
)
