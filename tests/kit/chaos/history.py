"""What clients of a run sent and were told: the evidence that the log is checked against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shuangkou.v1.events_pb2 import Commit, SettlementStored
from shuangkou.v1.table_pb2 import ActRequest

CommandKey = tuple[str, str, str]
"""Table id, actor, command id."""


@dataclass(frozen=True, slots=True)
class Ack:
    """An answer that a command made this version, at a time of the client's monotonic clock."""

    key: CommandKey
    request: ActRequest
    version: int
    at: float


@dataclass(frozen=True, slots=True)
class Death:
    """An engine was killed at a time of the client's monotonic clock."""

    engine: int
    at: float


@dataclass(slots=True)
class History:
    """Filled while a run lasts.

    told: by watcher, the commits in the order in which they came, in a new list wherever the watcher was told
    to start over. absurd: table and words of an answer that no client should ever get.
    """

    acks: list[Ack] = field(default_factory=list)
    refused: dict[CommandKey, str] = field(default_factory=dict)
    told: dict[str, list[list[Commit]]] = field(default_factory=lambda: defaultdict(lambda: [[]]))
    tables: list[str] = field(default_factory=list)
    absurd: list[tuple[str, str]] = field(default_factory=list)
    deaths: list[Death] = field(default_factory=list)
    troubles: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def waits_after_deaths(self) -> list[float]:
        """Seconds from each death to the next answer of each table in play then, sorted."""
        by_table: dict[str, list[float]] = defaultdict(list)
        for ack in self.acks:
            by_table[ack.key[0]].append(ack.at)
        waits = []
        for death in self.deaths:
            for times in by_table.values():
                later = [at for at in times if at > death.at]
                if later and len(later) < len(times):
                    waits.append(min(later) - death.at)
        return sorted(waits)


@dataclass(frozen=True, slots=True)
class Stored:
    """What the broker holds at the end, by table."""

    commits: Mapping[str, Sequence[Commit]]
    settlements: Mapping[str, Sequence[SettlementStored]]
