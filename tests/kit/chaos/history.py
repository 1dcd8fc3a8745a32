"""What clients of a run sent and were told: the evidence that the log is checked against."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shuangkou.v1.events_pb2 import Commit, SecretCommit, SettlementStored, TableMatched
from shuangkou.v1.table_pb2 import ActRequest, SeatView, TableUpdate

CommandKey = tuple[str, str, str]
"""Table id, actor, command id."""

Watcher = tuple[str, str]
"""Name, table id."""


@dataclass(frozen=True, slots=True)
class Ack:
    """An answer that a command made this version; times of the client's monotonic clock.

    ``thought``: from when until when the client took its time before it sent the command.
    """

    key: CommandKey
    request: ActRequest
    version: int
    sent_at: float
    at: float
    thought: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class No:
    """A refusal. ``known``: the table's version that the client had been told of when it asked.

    ``answered_ms``: when the answer came, milliseconds since 1970 UTC.
    """

    key: CommandKey
    request: ActRequest
    code: str
    known: int
    answered_ms: float


@dataclass(slots=True)
class Part:
    """What a watcher was told one after the other, beginning after a version."""

    after: int
    updates: list[TableUpdate] = field(default_factory=list)

    @property
    def version(self) -> int:
        """The last version told."""
        return self.updates[-1].commit.version if self.updates else self.after


@dataclass(frozen=True, slots=True)
class Seated:
    """A ticket became a seat, as its player was told."""

    player: str
    ticket_id: str
    table_id: str
    seat: int


@dataclass(frozen=True, slots=True)
class Break:
    """A watcher's stream broke at a time of the client's monotonic clock."""

    watcher: Watcher
    at: float


@dataclass(slots=True)
class History:
    """Filled while a run lasts.

    told: by watcher, in a new part wherever the watcher was told to start over. views: what streams began
    with. absurd: table and words of an answer that no client should ever get. deaths, leader_losses: when
    engines and leaders of the broker were killed.
    """

    acks: list[Ack] = field(default_factory=list)
    refused: list[No] = field(default_factory=list)
    told: dict[Watcher, list[Part]] = field(default_factory=lambda: defaultdict(lambda: [Part(0)]))
    views: list[tuple[Watcher, SeatView]] = field(default_factory=list)
    heard: list[tuple[str, bytes]] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    tickets: list[Seated] = field(default_factory=list)
    absurd: list[tuple[str, str]] = field(default_factory=list)
    deaths: list[float] = field(default_factory=list)
    leader_losses: list[float] = field(default_factory=list)
    breaks: list[Break] = field(default_factory=list)
    troubles: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    clock_began: float = field(default_factory=lambda: time.time() - time.monotonic())

    def moment(self, time_ms: float) -> float:
        """The time of the clients' monotonic clock that was so many milliseconds since 1970 UTC."""
        return time_ms / 1000 - self.clock_began


@dataclass(frozen=True, slots=True)
class Stored:
    """What the suite holds at the end, by table.

    events: the same commits as analysts get them. ledger: what the scoring service tells. public: subject and
    bytes of everything that others than engines may read.
    """

    commits: Mapping[str, Sequence[Commit]]
    secrets: Mapping[str, Sequence[SecretCommit]]
    events: Mapping[str, Sequence[Commit]]
    settlements: Mapping[str, Sequence[SettlementStored]]
    ledger: Mapping[str, Sequence[SettlementStored]]
    matches: Mapping[str, Sequence[TableMatched]]
    public: Sequence[tuple[str, bytes]]
