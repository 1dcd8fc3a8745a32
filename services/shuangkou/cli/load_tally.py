"""What clients saw of a suite under load: answers, waits, repeats, and anything that should not be."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Second:
    """One second of a run: acts answered, the time each took in seconds, calls that were sent again."""

    waits: list[float] = field(default_factory=list)
    repeats: int = 0

    @property
    def acts(self) -> int:
        """How many acts were answered in it."""
        return len(self.waits)


@dataclass(slots=True)
class Tally:
    """Filled while clients play. ``deal_acts``: acts of the ``deals`` that were played out. ``overtaken``:
    acts that came after the engine's own for the same seat.

    ``faults``: what no client should see, by what it was. ``repeats``: calls sent again, and ``streams``:
    streams opened again, both by the reason of the failure. ``lags``: of commits in streams, in seconds.
    """

    began: float = field(default_factory=time.monotonic)
    seconds: list[Second] = field(default_factory=list)
    deals: int = 0
    deal_acts: int = 0
    overtaken: int = 0
    tables: int = 0
    repeats: Counter[str] = field(default_factory=Counter)
    streams: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    lags: list[float] = field(default_factory=list)

    @property
    def acts(self) -> int:
        """Acts that were answered, each of which must be in the log."""
        return sum(second.acts for second in self.seconds)

    @property
    def waits(self) -> list[float]:
        """How long each act took, in seconds, its repeats included."""
        return [wait for second in self.seconds for wait in second.waits]

    @property
    def lasted(self) -> int:
        """Seconds in which something happened, at least one."""
        return max(1, len(self.seconds))

    def answered(self, wait: float) -> None:
        """An act was answered after so many seconds."""
        self._now().waits.append(wait)

    def repeated(self, reason: str) -> None:
        """A call failed in a way that lets it be sent again."""
        self._now().repeats += 1
        self.repeats[reason] += 1

    def _now(self) -> Second:
        place = int(time.monotonic() - self.began)
        while len(self.seconds) <= place:
            self.seconds.append(Second())
        return self.seconds[place]


def share(values: list[float], part: float) -> float:
    """The value below which this part of them lies; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0
