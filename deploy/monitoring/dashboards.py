"""Our dashboards: what players feel first, then each part of the suite."""

from __future__ import annotations

from typing import Final

from monitoring.panels import Dashboard, Line, Panel, quantiles, rate
from monitoring.players import PLAYERS
from monitoring.queues import QUEUES
from monitoring.rpcs import RPCS

ENGINES: Final = Dashboard(
    "engines",
    "Engines",
    "The pods that serve tables, and what the log costs them.",
    (
        (
            "Load",
            (
                Panel(
                    "Acts per pod",
                    "Accepted, repeated and refused.",
                    (rate("shuangkou_engine_acts_total", "instance"),),
                    "ops",
                ),
                Panel(
                    "Tables in memory",
                    "Each engine may hold any table.",
                    (Line("shuangkou_engine_tables_warm", "{{instance}}"),),
                ),
                Panel(
                    "Tables in play",
                    "With a deal in play. A table in the memory of several engines counts for each.",
                    (Line("shuangkou_engine_tables_active", "{{instance}}"),),
                ),
                Panel(
                    "Open streams", "WatchTable.", (Line("shuangkou_engine_watch_streams", "{{instance}}"),)
                ),
                Panel(
                    "Lag of streams",
                    "From a commit until it is handed to a stream.",
                    quantiles("shuangkou_engine_watch_lag_seconds"),
                    "s",
                    warn_above=0.25,
                ),
                Panel(
                    "Event loop",
                    "How late a task that slept is woken: above 0.1 s a pod has too much to do.",
                    quantiles("shuangkou_event_loop_lag_seconds", by="instance"),
                    "s",
                    12,
                    0.1,
                ),
                Panel(
                    "Memory",
                    "Resident.",
                    (Line("process_resident_memory_bytes", "{{instance}}"),),
                    "bytes",
                    12,
                ),
                Panel(
                    "Processor",
                    "Of one core; a pod cannot use more than one.",
                    (Line("rate(process_cpu_seconds_total[$__rate_interval])", "{{instance}}"),),
                    "percentunit",
                    12,
                    0.9,
                ),
                Panel(
                    "Acts by ruleset",
                    "Accepted ones.",
                    (rate("shuangkou_engine_acts_total", "ruleset", '{outcome="accepted"}'),),
                    "ops",
                    12,
                ),
            ),
        ),
        (
            "Log",
            (
                Panel(
                    "Append",
                    "Until the broker has stored a commit.",
                    quantiles("shuangkou_engine_append_seconds"),
                    "s",
                    warn_above=0.1,
                ),
                Panel(
                    "Appends that met another",
                    "Another engine was first, or nobody answered and the log was asked.",
                    (rate("shuangkou_engine_append_conflicts_total", "cause"),),
                    "ops",
                ),
                Panel(
                    "Appends that nobody answered",
                    "What the log said of them. absent: sent again. forestalled: another engine was first.",
                    (rate("shuangkou_engine_ambiguous_appends_total", "found"),),
                    "ops",
                ),
                Panel(
                    "Requests that the broker left unanswered",
                    "Appends, wake-ups, reads as before a table is opened, and when engines were there.",
                    (rate("shuangkou_engine_log_unanswered_total", "request"),),
                    "ops",
                ),
                Panel(
                    "Loading a cold table",
                    "Reading and folding its last deal.",
                    quantiles("shuangkou_engine_table_load_seconds"),
                    "s",
                    warn_above=0.05,
                ),
                Panel(
                    "Streams started over",
                    "Readers that fell behind; streams that a newer one ended.",
                    (
                        Line("sum(rate(shuangkou_engine_watch_resyncs_total[$__rate_interval]))", "resynced"),
                        Line(
                            "sum(rate(shuangkou_engine_watch_superseded_total[$__rate_interval]))",
                            "superseded",
                        ),
                    ),
                    "ops",
                ),
                Panel(
                    "Outages and credits",
                    "Stretches without any engine, and clocks that were given that time back.",
                    (
                        Line("sum(increase(shuangkou_engine_outages_total[$__rate_interval]))", "outages"),
                        Line(
                            "sum(increase(shuangkou_engine_time_credits_total[$__rate_interval]))", "credits"
                        ),
                    ),
                ),
                Panel(
                    "Tables purged",
                    "Over for long enough, and in the ledger.",
                    (
                        Line(
                            "sum(increase(shuangkou_engine_tables_purged_total[$__rate_interval]))", "purged"
                        ),
                    ),
                ),
            ),
        ),
    ),
)

BOTS: Final = Dashboard(
    "bots",
    "Bots",
    "AI players: how fast they decide, what waits for them, what they could not play.",
    (
        (
            "Decisions",
            (
                Panel(
                    "Decisions",
                    "By outcome.",
                    (rate("shuangkou_ai_player_decisions_total", "outcome"),),
                    "ops",
                ),
                Panel(
                    "By persona",
                    "All outcomes.",
                    (rate("shuangkou_ai_player_decisions_total", "persona"),),
                    "ops",
                ),
                Panel(
                    "Time to choose",
                    "The choice alone.",
                    quantiles("shuangkou_ai_player_decision_seconds", by="persona"),
                    "s",
                ),
                Panel(
                    "Time to choose, by tier",
                    "instant: the rule policy. strong: search within its budget of time.",
                    quantiles("shuangkou_ai_player_decision_seconds", by="tier"),
                    "s",
                ),
                Panel(
                    "Searches given up",
                    "By reason; the rule policy acted in their place.",
                    (rate("shuangkou_ai_player_searches_given_up_total", "reason"),),
                    "ops",
                ),
                Panel(
                    "From call to act",
                    "From the commit that calls for a bot to its stored act.",
                    quantiles("shuangkou_ai_player_answer_lag_seconds"),
                    "s",
                    12,
                    4.0,
                ),
                Panel(
                    "Work that waits",
                    "Commits not yet delivered to an AI player.",
                    (Line('max by (stream) (shuangkou_nats_work_pending{queue="ai-player"})', "{{stream}}"),),
                    width=12,
                ),
            ),
        ),
    ),
)

STREAM: Final = Dashboard(
    "events",
    "Event stream",
    "From settled deals to the ledger and to analysts.",
    (
        (
            "Settlements",
            (
                Panel(
                    "Deals",
                    "Entered, delivered again, published, rated.",
                    tuple(
                        Line(f"sum(rate({metric}[$__rate_interval]))", name)
                        for metric, name in (
                            ("shuangkou_scoring_settlements_stored_total", "entered"),
                            ("shuangkou_scoring_settlements_duplicate_total", "delivered again"),
                            ("shuangkou_scoring_settlements_published_total", "published"),
                            ("shuangkou_scoring_deals_rated_total", "rated"),
                        )
                    ),
                    "ops",
                ),
                Panel(
                    "Lag",
                    "From the engine's decision to the published settlement.",
                    quantiles("shuangkou_scoring_settlement_lag_seconds"),
                    "s",
                    warn_above=30,
                ),
                Panel(
                    "Not entered",
                    "contested: the rules settle it otherwise. unchecked: other revision, or told no more.",
                    (
                        Line(
                            "sum(increase(shuangkou_scoring_settlements_contested_total[$__rate_interval]))",
                            "contested",
                        ),
                        Line(
                            "sum(increase(shuangkou_scoring_settlements_unchecked_total[$__rate_interval]))",
                            "unchecked",
                        ),
                    ),
                    warn_above=0.5,
                ),
                Panel(
                    "Deals that wait",
                    "Commits not yet delivered to scoring.",
                    (Line('max by (stream) (shuangkou_nats_work_pending{queue="scoring"})', "{{stream}}"),),
                    width=24,
                ),
            ),
        ),
    ),
)

BROKER: Final = Dashboard(
    "nats",
    "NATS",
    "The broker as its clients see it.",
    (
        (
            "Connections",
            (
                Panel(
                    "Pods connected", "1 each.", (Line("sum by (job) (shuangkou_nats_connected)", "{{job}}"),)
                ),
                Panel(
                    "Connections lost and renewed",
                    "All pods.",
                    (
                        Line("sum(increase(shuangkou_nats_disconnects_total[$__rate_interval]))", "lost"),
                        Line("sum(increase(shuangkou_nats_reconnects_total[$__rate_interval]))", "renewed"),
                    ),
                ),
                Panel(
                    "Append", "Until a commit is stored.", quantiles("shuangkou_engine_append_seconds"), "s"
                ),
            ),
        ),
        (
            "Work",
            (
                Panel("Jobs", "By outcome.", (rate("shuangkou_nats_work_handled_total", "outcome"),), "ops"),
                Panel(
                    "Time per job",
                    "By queue.",
                    quantiles("shuangkou_nats_work_handling_seconds", by="queue"),
                    "s",
                ),
                Panel(
                    "Waiting",
                    "By queue and stream; of tables that are spread over shards, one that lags stands out.",
                    (Line("max by (queue, stream) (shuangkou_nats_work_pending)", "{{queue}} {{stream}}"),),
                ),
                Panel(
                    "Lag",
                    "From the storing of a job to its first delivery.",
                    quantiles("shuangkou_nats_work_lag_seconds", by="queue"),
                    "s",
                ),
                Panel(
                    "Not acknowledged",
                    "Delivered to some pod: in hand, put off, or lost with a pod until ack_wait is over.",
                    (Line("max by (queue) (shuangkou_nats_work_unacknowledged)", "{{queue}}"),),
                ),
                Panel(
                    "Being handled",
                    "By queue.",
                    (Line("sum by (queue) (shuangkou_nats_work_running)", "{{queue}}"),),
                    width=12,
                ),
                Panel(
                    "Delivered again",
                    "By queue.",
                    (rate("shuangkou_nats_work_redelivered_total", "queue"),),
                    "ops",
                    12,
                ),
            ),
        ),
    ),
)

DASHBOARDS: Final = (PLAYERS, RPCS, ENGINES, BOTS, QUEUES, STREAM, BROKER)
