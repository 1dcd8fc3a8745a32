"""What came of a run: a table for people, and the same for programs."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kit.chaos.checker import Finding
from kit.chaos.history import Ack, History, Stored

_BROKEN_WITHIN_SECONDS = 1.0
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
            "mishaps": dict(sorted(self.mishaps.items())),
            "troubles of clients": dict(sorted(history.troubles.items())),
            "milliseconds": {name: _spread(spread) for name, spread in self._durations().items()},
            "findings": dict(laws),
        }

    def lines(self) -> list[str]:
        """For a person."""
        told = self.as_json()
        spreads, findings = told.pop("milliseconds"), told.pop("findings")
        lines = [f"{name:>22}  {_words(value)}" for name, value in told.items()]
        head = "milliseconds"
        lines.append(f"{head:<58}{'n':>7}{'p50':>9}{'p99':>9}{'worst':>9}")
        lines += [
            f"{name:<58}{spread['n']:>7}{spread['p50']:>9.0f}{spread['p99']:>9.0f}{spread['worst']:>9.0f}"
            for name, spread in spreads.items()
            if spread
        ]
        shown = self.findings[:_SHOWN_FINDINGS]
        lines += [f"FOUND {each.law}: {each.what} (table {each.table_id})" for each in shown]
        return [*lines, f"{sum(findings.values())} findings"]

    def _durations(self) -> dict[str, Spread | None]:
        history = self.history
        on_it, at_its_tables, elsewhere = _waits_after_deaths(history)
        return {
            "act to answer": Spread.of([ack.at - ack.sent_at for ack in history.acks]),
            "SIGKILL of an engine to the next act of a client on it": Spread.of(on_it),
            "  to the next act at a table with a client on it": Spread.of(at_its_tables),
            "  to the next act at any other table": Spread.of(elsewhere),
            "loss of the leader to the next act anywhere": Spread.of(_stalls(history)),
            "  to the next act at each table": Spread.of(_stalls_by_table(history)),
        }


def _waits_after_deaths(history: History) -> tuple[list[float], list[float], list[float]]:
    """A client was on an engine when its stream broke as the engine died.

    Its wait counts when the next act at its table was its own; otherwise it waits for others to play.
    """
    acks = _acks_by_table(history)
    on_it: list[float] = []
    at_its_tables: list[float] = []
    elsewhere: list[float] = []
    breaks = sorted((each.at, *each.watcher) for each in history.breaks)
    for number, death in enumerate(history.deaths):
        following = history.deaths[number + 1] if number + 1 < len(history.deaths) else float("inf")
        until = min(death + _BROKEN_WITHIN_SECONDS, following)
        affected = [each for each in breaks[bisect_right(breaks, (death,)) :] if each[0] < until]
        tables = {table_id for _, _, table_id in affected}
        people = {(name, table_id) for _, name, table_id in affected}
        for table_id, answered in acks.items():
            place = bisect_right(answered, death, key=_answered_at)
            if not 0 < place < len(answered):
                continue
            ack = answered[place]
            wait = _wait(death, ack)
            if (ack.key[1], table_id) in people:
                on_it.append(wait)
            (at_its_tables if table_id in tables else elsewhere).append(wait)
    return on_it, at_its_tables, elsewhere


def _acks_by_table(history: History) -> dict[str, list[Ack]]:
    acks: dict[str, list[Ack]] = defaultdict(list)
    for ack in history.acks:
        acks[ack.key[0]].append(ack)
    for answered in acks.values():
        answered.sort(key=_answered_at)
    return acks


def _answered_at(ack: Ack) -> float:
    return ack.at


def _wait(since: float, ack: Ack) -> float:
    """Without the time that the client took of its own will."""
    began, ended = ack.thought
    return ack.at - since - max(0.0, ended - max(began, since))


def _stalls(history: History) -> list[float]:
    """From each loss to the first answer to an act that was sent after it."""
    stalls = []
    for loss in history.leader_losses:
        later = [ack.at for ack in history.acks if ack.sent_at > loss]
        if later:
            stalls.append(min(later) - loss)
    return stalls


def _stalls_by_table(history: History) -> list[float]:
    waits = []
    for answered in _acks_by_table(history).values():
        for loss in history.leader_losses:
            place = bisect_right(answered, loss, key=_answered_at)
            if 0 < place < len(answered):
                waits.append(_wait(loss, answered[place]))
    return waits


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
