"""A table without a broker: real decisions and commits, kept as the bytes that the log would hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random

from kit.climbing_table import lively_policy, lowest_policy
from kit.tricks_table import next_command, random_policy
from shuangkou.engine.commands import Command, OpenTable
from shuangkou.engine.deadlines import Moment
from shuangkou.engine.decider import advance, due_command, happens
from shuangkou.engine.events import Event
from shuangkou.engine.fold import (
    Entry,
    Origin,
    apply_entry,
    blank_table,
    entry_from_log,
    make_entry,
    warm_from_first,
)
from shuangkou.engine.table import OPEN_SEAT, Holder, Phase, Table, Terms
from shuangkou.engine.warm import CommandKey, WarmTable
from shuangkou.rules.climbing.commands import Command as RulesCommand
from shuangkou.rules.climbing.state import MatchState
from shuangkou.rules.commands import StartDeal, Whistle
from shuangkou.rules.decider import decider_for
from shuangkou.rules.match_events import MatchEvent
from shuangkou.rules.ruleset import AnyRuleSet, load
from shuangkou.rules.tricks.commands import Command as TricksCommand
from shuangkou.rules.tricks.commands import DrawOn
from shuangkou.rules.tricks.state import MatchState as TricksState
from shuangkou.v1.events_pb2 import Commit, SecretCommit
from shuangkou.wire.commands import SeatAct

PEOPLE = ("alice", "bob", "carol", "dave")
START_MS = 1_700_000_000_000
BOT_MS = 4_000
_PAUSE_MS = 3_000


def people(*names: str) -> tuple[Holder, ...]:
    """Seats of these persons; `bot:plain` is a bot and `` an open seat."""
    return tuple(_holder(name) for name in names)


def _holder(name: str) -> Holder:
    if not name:
        return OPEN_SEAT
    is_bot = name.startswith("bot:")
    return Holder(persona=name.removeprefix("bot:")) if is_bot else Holder(player_id=name)


def _seat_act(command: RulesCommand | TricksCommand) -> SeatAct:
    assert not isinstance(command, StartDeal | DrawOn | Whistle)
    return command


def climbing_match(table: Table) -> MatchState:
    """The state of a table's climbing match."""
    assert isinstance(table.match, MatchState)
    return table.match


@dataclass(frozen=True, slots=True)
class Stored:
    """One commit in the log: its secret part if any, its public part, its route and its sequence."""

    secret: bytes | None
    public: bytes
    route: str
    sequence: int

    def with_public(self, commit: Commit) -> Stored:
        """The same with another public part."""
        return replace(self, public=commit.SerializeToString())

    @property
    def commit(self) -> Commit:
        """The public part."""
        return Commit.FromString(self.public)

    @property
    def secret_commit(self) -> SecretCommit | None:
        """The secret part."""
        return None if self.secret is None else SecretCommit.FromString(self.secret)


@dataclass(slots=True)
class PureTable:
    """A table on which time passes only when the test says so."""

    warm: WarmTable
    now_ms: int = START_MS
    log: list[Stored] = field(default_factory=list)
    ids: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def table(self) -> Table:
        """The state now."""
        return self.warm.table

    @property
    def match(self) -> MatchState:
        """The state of its climbing match."""
        return climbing_match(self.table)

    def perform(
        self,
        command: Command | None,
        key: CommandKey | None = None,
        by_person: bool = False,
        arrived_ms: int = 0,
        lost_ms: int = 0,
    ) -> tuple[Event, ...]:
        """Decide, commit, apply; IllegalCommand when the table refuses.

        arrived_ms: when the request came, if not just now. lost_ms: what an outage took since the last one.
        """
        moment = Moment(self.now_ms, arrived_ms or self.now_ms, lost_ms)
        events = happens(self.table, command, moment, by_person)
        after = advance(self.table, events, self.now_ms, BOT_MS)
        origin = Origin(key or ("someone", f"c{next(self.ids)}"), next(self.ids), self.now_ms)
        self._append(make_entry(self.warm, after, events, origin))
        return events

    def let_time_pass(self, seed: bytes = bytes(32)) -> tuple[Event, ...]:
        """Wait for the deadline and do what is due then."""
        assert self.table.deadline_ms, "nothing is ever due"
        self.now_ms = max(self.now_ms, self.table.deadline_ms)
        command = due_command(self.table, self.now_ms, seed)
        assert command is not None
        return self.perform(command)

    def act_default(self, arrived_ms: int = 0, lost_ms: int = 0) -> tuple[Event, ...]:
        """The person on the seat to act does now what its default is."""
        seat = self.table.actors[0]
        command = decider_for(self.table.ruleset).fallback(self.table.match, seat)
        return self.perform(command, by_person=True, arrived_ms=arrived_ms, lost_ms=lost_ms)

    def credit(self, lost_ms: int) -> tuple[Event, ...]:
        """An outage is over, and nobody has acted yet."""
        return self.perform(None, lost_ms=lost_ms)

    def play_lowest(self) -> tuple[Event, ...]:
        """The seat to act does its lowest play or its mildest act before play, or passes; a second later."""
        self.now_ms += 1000
        return self.perform(_seat_act(lowest_policy(self.match, self.table.actors[0])), by_person=True)

    def play_lively(self, rng: Random) -> tuple[Event, ...]:
        """A random legal act of the seat to act, now and then one out of turn of any seat; a second later."""
        self.now_ms += 1000
        command = lively_policy(rng)(self.match, self.table.actors[0])
        return self.perform(_seat_act(command), by_person=True)

    def go_on(self, rng: Random) -> tuple[Event, ...]:
        """Whatever comes next in a game of any family, of random legal acts, shows while drawing included."""
        if self.table.phase is not Phase.DEAL:
            return self.let_time_pass(rng.randbytes(32))
        if isinstance(self.table.match, MatchState):
            return self.play_lively(rng)
        assert isinstance(self.table.match, TricksState)
        command = next_command(self.table.match, random_policy(rng), rng)
        if isinstance(command, DrawOn):
            return self.let_time_pass()
        self.now_ms += 1000 if self.table.actors else 1
        return self.perform(_seat_act(command), by_person=True)

    def play_out(self, seeds: Iterator[bytes]) -> None:
        """Play to the end of the match."""
        while self.table.phase is not Phase.FINISHED:
            if self.table.phase is Phase.DEAL:
                self.play_lowest()
            else:
                self.let_time_pass(next(seeds))

    def _append(self, entry: Entry) -> None:
        secret = entry.secret.SerializeToString() if entry.secret else None
        entry.commit.bookkeeping.timer_ms = entry.after.deadline_ms
        sequence = self.warm.last_sequence + (2 if secret else 1)
        self.log.append(Stored(secret, entry.commit.SerializeToString(), entry.route, sequence))
        apply_entry(self.warm, entry, sequence)


def opened(
    *names: str,
    deals: int = 1,
    ruleset: AnyRuleSet | None = None,
    table_id: str = "t" * 20,
    event: MatchEvent | None = None,
) -> PureTable:
    """A table just opened by `creator` with these holders."""
    pure = PureTable(WarmTable(blank_table(table_id, ruleset or load("qq"))))
    terms = Terms("creator", 0 if event else deals, _PAUSE_MS, event)
    pure.perform(OpenTable(terms, people(*(names or PEOPLE))), key=("creator", "open"))
    return pure


def dealt(
    *names: str, deals: int = 1, seed: bytes = bytes(32), ruleset: AnyRuleSet | None = None
) -> PureTable:
    """A table whose first deal has just started."""
    pure = opened(*names, deals=deals, ruleset=ruleset)
    pure.let_time_pass(seed)
    return pure


def folded(log: list[Stored]) -> WarmTable:
    """The table as another engine finds it in these commits, which start with a deal or the opening."""
    warm = warm_from_first(log[0].commit, log[0].secret_commit)
    for stored in log:
        apply_entry(warm, entry_from_log(warm, stored.commit, stored.secret_commit), stored.sequence)
    return warm


def deal_starts(log: list[Stored]) -> list[int]:
    """The places of the commits that start deals."""
    return [index for index, stored in enumerate(log) if stored.commit.bookkeeping.HasField("summary")]
