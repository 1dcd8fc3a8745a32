"""Tickets, and what becomes of them."""

from __future__ import annotations

from typing import Final

from monitoring.panels import Dashboard, Line, Panel, quantiles, rate


def _each(metric: str, name: str) -> Line:
    return Line(f"sum(rate({metric}[$__rate_interval]))", name)


QUEUES: Final = Dashboard(
    "queues",
    "Queues",
    "Tickets, how well they are matched, and how many seats bots fill.",
    (
        (
            "Tickets",
            (
                Panel(
                    "Waiting tickets",
                    "By ruleset; every replica sees the same bucket.",
                    (Line("max by (ruleset) (shuangkou_matchmaking_waiting_tickets)", "{{ruleset}}"),),
                ),
                Panel("Wait", "From ticket to claim.", quantiles("shuangkou_matchmaking_wait_seconds"), "s"),
                Panel(
                    "Tables opened",
                    "By seats filled with bots.",
                    (rate("shuangkou_matchmaking_tables_total", "bots"),),
                    "ops",
                ),
                Panel(
                    "Quality of matches",
                    "Chance of a draw between the sides, by openskill; higher is closer.",
                    quantiles("shuangkou_matchmaking_quality_ratio"),
                    "percentunit",
                ),
                Panel(
                    "Claims that came to nothing",
                    "given back: somebody was not ready. too late: a replica or the player was faster.",
                    (
                        _each("shuangkou_matchmaking_claims_given_back_total", "given back"),
                        _each("shuangkou_matchmaking_claim_conflicts_total", "too late"),
                    ),
                    "ops",
                ),
                Panel(
                    "Tables that engines refused",
                    "Rulesets of another revision, for one.",
                    (_each("shuangkou_matchmaking_tables_refused_total", "refused"),),
                    "ops",
                    warn_above=0.001,
                ),
            ),
        ),
    ),
)
