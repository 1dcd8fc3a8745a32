"""How long clients and bots had to wait because something was killed. All in seconds."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from kit.chaos.history import Ack, History, Stored
from shuangkou.v1.events_pb2 import Commit

_BROKEN_WITHIN_SECONDS = 1.0
"""So soon does a client notice that the engine on which it was is dead."""


class Waits:
    """Read from the history and the log of one run."""

    def __init__(self, history: History, stored: Stored) -> None:
        self._history = history
        self._stored = stored
        self._acks: dict[str, list[Ack]] = defaultdict(list)
        for ack in sorted(history.acks, key=_answered_at):
            self._acks[ack.key[0]].append(ack)
        self._breaks = sorted((each.at, *each.watcher) for each in history.breaks)

    def of_clients(self, is_on_it: bool) -> list[float]:
        """From the death of an engine to the answered act of the client whose turn it was at that table.

        A client was on the engine when its stream broke as the engine died.
        """
        waits = []
        for death in self._history.deaths:
            people = self._on_engine_that_died(death)
            for table_id, acks in self._acks.items():
                place = bisect_right(acks, death, key=_answered_at)
                if place == len(acks) or not self._was_to_act(acks[place], death):
                    continue
                ack = acks[place]
                if ((ack.key[1], table_id) in people) == is_on_it:
                    waits.append(_wait(death, ack))
        return waits

    def of_bots(self) -> list[float]:
        """From the death of an engine to the commit of the bot whose turn it was at a table."""
        return [
            self._history.moment(after.time_ms) - death
            for commits in self._stored.commits.values()
            for before, after in pairwise(commits)
            if after.actor == "ai_player"
            for death in self._deaths_between(before, after)
        ]

    def stalls(self) -> list[float]:
        """From each loss of the broker's leader to the first answer to an act that was sent after it."""
        stalls = []
        for loss in self._history.leader_losses:
            later = [ack.at for ack in self._history.acks if ack.sent_at > loss]
            if later:
                stalls.append(min(later) - loss)
        return stalls

    def stalls_by_table(self) -> list[float]:
        """From each loss of the broker's leader to the next answered act at each table in play."""
        waits = []
        for acks in self._acks.values():
            for loss in self._history.leader_losses:
                place = bisect_right(acks, loss, key=_answered_at)
                if 0 < place < len(acks):
                    waits.append(_wait(loss, acks[place]))
        return waits

    def _on_engine_that_died(self, death: float) -> set[tuple[str, str]]:
        deaths = self._history.deaths
        following = deaths[deaths.index(death) + 1 :][:1]
        until = min(death + _BROKEN_WITHIN_SECONDS, *following, death + _BROKEN_WITHIN_SECONDS)
        first, end = bisect_left(self._breaks, (death,)), bisect_left(self._breaks, (until,))
        return {(name, table_id) for _, name, table_id in self._breaks[first:end]}

    def _was_to_act(self, ack: Ack, at: float) -> bool:
        """Whether nothing else happened at the table between that time and the act."""
        commits = self._stored.commits.get(ack.key[0], ())
        if not 2 <= ack.version <= len(commits):
            return False
        return self._history.moment(commits[ack.version - 2].time_ms) <= at

    def _deaths_between(self, before: Commit, after: Commit) -> Iterator[float]:
        deaths, moment = self._history.deaths, self._history.moment
        first = bisect_right(deaths, moment(before.time_ms))
        yield from deaths[first : bisect_left(deaths, moment(after.time_ms))]


def _answered_at(ack: Ack) -> float:
    return ack.at


def _wait(since: float, ack: Ack) -> float:
    """Without the time that the client took of its own will."""
    began, ended = ack.thought
    return ack.at - since - max(0.0, ended - max(began, since))
