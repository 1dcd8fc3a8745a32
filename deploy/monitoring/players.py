"""What players feel: how fast the suite answers, what fails, how long they wait."""

from __future__ import annotations

from typing import Final

from monitoring.panels import Dashboard, Line, Panel, quantiles, rate

_PLAYER_CALLS: Final = '{grpc_service="shuangkou.v1.TableService", grpc_type="unary"}'
_FAILED: Final = '{grpc_code=~"Internal|Unknown|Unavailable|DeadlineExceeded|DataLoss"}'


PLAYERS: Final = Dashboard(
    "players",
    "Players",
    "What players feel: how fast the suite answers, what fails, how long they wait, how late clocks are.",
    (
        (
            "Answers",
            (
                Panel(
                    "Time to answer at tables",
                    "From a call's arrival to its answer, stored acts included.",
                    quantiles("grpc_server_handling_seconds", _PLAYER_CALLS),
                    "s",
                    warn_above=0.25,
                ),
                Panel(
                    "Calls that failed",
                    "Share of calls that ended in a fault of ours. Refusals of the rules are no faults.",
                    (
                        Line(
                            f"sum(rate(grpc_server_handled_total{_FAILED}[$__rate_interval]))"
                            " / sum(rate(grpc_server_handled_total[$__rate_interval]))",
                            "failed",
                        ),
                    ),
                    "percentunit",
                    warn_above=0.01,
                ),
                Panel(
                    "Players held back",
                    "Calls refused because their caller makes too many.",
                    (rate("shuangkou_rpc_throttled_total", "rpc_class"),),
                    "ops",
                ),
            ),
        ),
        (
            "Play",
            (
                Panel("Acts", "By outcome.", (rate("shuangkou_engine_acts_total", "outcome"),), "ops", 12),
                Panel(
                    "Acts of the engine itself",
                    "deadline: somebody ran out of time 超时, or a bot stayed silent.",
                    (rate("shuangkou_engine_own_acts_total", "kind"),),
                    "ops",
                    12,
                ),
                Panel(
                    "Acts for somebody else",
                    "hosted 托管, forfeited 逃跑: by a bot. late_person, silent_bot: the rules' fallback.",
                    (rate("shuangkou_engine_stand_in_acts_total", "kind"),),
                    "ops",
                    12,
                ),
                Panel(
                    "Lateness of clocks",
                    "From a deadline until the engine's own act was stored.",
                    quantiles("shuangkou_engine_timer_lateness_seconds"),
                    "s",
                    12,
                    1.0,
                ),
                Panel(
                    "Wait for a table",
                    "From ticket to claim.",
                    quantiles("shuangkou_matchmaking_wait_seconds"),
                    "s",
                    12,
                ),
            ),
        ),
    ),
)
