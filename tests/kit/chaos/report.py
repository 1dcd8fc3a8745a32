"""What came of a run: a table for people, and the same for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kit.chaos.checker import Finding
from kit.chaos.history import History, Stored
from kit.chaos.laws_of_answers import late_repeats
from kit.chaos.waits import Waits

_LOST = ("acked is stored", "nobody sees what is not stored", "answers keep their order")
_DOUBLED = (
    "a command is done once",
    "a turn has one winner",
    "cards are played once",
    "versions are 1, 2, 3, …",
)
_SHOWN_FINDINGS = 50


@dataclass(frozen=True, slots=True)
class Spread:
    """Of some durations in milliseconds."""

    count: int
    p50: float
    p99: float
    worst: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Spread | None:
        """None of none."""
        if not seconds:
            return None
        ranked = sorted(seconds)
        p50, p99 = ranked[len(ranked) // 2], ranked[min(len(ranked) - 1, len(ranked) * 99 // 100)]
        return cls(len(ranked), p50 * 1000, p99 * 1000, ranked[-1] * 1000)


@dataclass(frozen=True, slots=True)
class Report:
    """``asked``: what the run was asked to do, in words. ``findings``: laws that did not hold."""

    asked: Mapping[str, object]
    history: History
    mishaps: Counter[str]
    findings: list[Finding]
    stored: Stored

    def as_json(self) -> dict[str, Any]:
        """For programs; durations in milliseconds."""
        history = self.history
        laws = Counter(finding.law for finding in self.findings)
        told = sum(len(part.updates) for parts in history.told.values() for part in parts)
        return {
            "asked": dict(self.asked),
            "tables": len(history.tables),
            "tables from tickets": len({ticket.table_id for ticket in history.tickets}),
            "commits": sum(len(commits) for commits in self.stored.commits.values()),
            "acts answered": len(history.acks),
            "acts refused": len(history.refused),
            "commits watched": told,
            "engines killed": len(history.deaths),
            "acts lost": sum(laws[law] for law in _LOST),
            "acts doubled": sum(laws[law] for law in _DOUBLED),
            "late successes of refused acts": len(late_repeats(history, self.stored)),
            "mishaps": dict(sorted(self.mishaps.items())),
            "troubles of clients": dict(sorted(history.troubles.items())),
            "milliseconds": {name: _spread(spread) for name, spread in self._durations().items()},
            "findings": dict(laws),
        }

    def lines(self) -> list[str]:
        """For a person."""
        told = self.as_json()
        spreads, findings = told.pop("milliseconds"), told.pop("findings")
        lines = [f"{name:>31}  {_words(value)}" for name, value in told.items()]
        head = "milliseconds"
        lines.append(f"{head:<70}{'n':>7}{'p50':>9}{'p99':>9}{'worst':>9}")
        lines += [
            f"{name:<70}{spread['n']:>7}{spread['p50']:>9.0f}{spread['p99']:>9.0f}{spread['worst']:>9.0f}"
            for name, spread in spreads.items()
            if spread
        ]
        shown = self.findings[:_SHOWN_FINDINGS]
        lines += [f"FOUND {each.law}: {each.what} (table {each.table_id})" for each in shown]
        return [*lines, f"{sum(findings.values())} findings"]

    def _durations(self) -> dict[str, Spread | None]:
        history = self.history
        waits = Waits(history, self.stored)
        kill, loss = "SIGKILL of an engine", "loss of the broker or its leader"
        return {
            "act to answer": Spread.of([ack.at - ack.sent_at for ack in history.acks]),
            f"{kill} to the act of a client on it, whose turn it is": Spread.of(
                waits.of_clients(is_on_it=True)
            ),
            f"{kill} to the act of any other client in turn": Spread.of(waits.of_clients(is_on_it=False)),
            f"{kill} to the act of a bot, whose turn it is": Spread.of(waits.of_bots()),
            f"{loss} to the next act anywhere": Spread.of(waits.stalls()),
            f"{loss} to the next act at each table": Spread.of(waits.stalls_by_table()),
        }


def _spread(spread: Spread | None) -> dict[str, float] | None:
    if spread is None:
        return None
    return {
        "n": spread.count,
        "p50": round(spread.p50, 1),
        "p99": round(spread.p99, 1),
        "worst": round(spread.worst, 1),
    }


def _words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {times}" for name, times in value.items())
    return str(value)
