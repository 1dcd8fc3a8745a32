"""What AI players measure."""

from enum import StrEnum

from prometheus_client import CollectorRegistry, Counter, Histogram

from shuangkou.ai_player.personas import PERSONAS

_DECISION_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 1.0)
_LAG_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Outcome(StrEnum):
    """What became of a seat that a bot was to play."""

    PLAYED = "played"
    DROPPED_STALE = "dropped_stale"
    REFUSED = "refused"
    FAILED = "failed"


class GivenUp(StrEnum):
    """Why a search was given up, so that the rule policy acted."""

    BUSY = "busy"
    """No process was free in time."""
    NO_TIME = "no_time"
    """Who asked had to be answered before a search could end."""
    LATE = "late"
    """Its process did not end it in time, and is killed if it never does."""
    BROKEN = "broken"
    """Its process died."""
    FAILED = "failed"
    """It raised an error."""


class AiPlayerMetrics:
    """All metrics of one AI player."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._decisions = Counter(
            "shuangkou_ai_player_decisions_total",
            "Seats to play by persona and outcome: played, dropped_stale, refused or failed",
            ("persona", "outcome"),
            registry=registry,
        )
        self.decision_seconds = Histogram(
            "shuangkou_ai_player_decision_seconds",
            "Time to choose an act, by persona and tier",
            ("persona", "tier"),
            registry=registry,
            buckets=_DECISION_BUCKETS,
        )
        self.answer_lag = Histogram(
            "shuangkou_ai_player_answer_lag_seconds",
            "From the commit that calls for a bot to the bot's stored act",
            registry=registry,
            buckets=_LAG_BUCKETS,
        )
        self._given_up = Counter(
            "shuangkou_ai_player_searches_given_up_total",
            "Searches in place of which the rule policy acted, by reason",
            ("reason",),
            registry=registry,
        )
        for reason in GivenUp:
            self._given_up.labels(reason)
        for persona in PERSONAS:
            self.decision_seconds.labels(persona.id, persona.tier.value)
            for outcome in Outcome:
                self._decisions.labels(persona.id, outcome)

    def count(self, persona_id: str, outcome: Outcome) -> None:
        """Count one seat that a bot was to play."""
        self._decisions.labels(persona_id, outcome).inc()

    def give_up(self, reason: GivenUp) -> None:
        """Count one search that the rule policy acted in place of."""
        self._given_up.labels(reason).inc()
