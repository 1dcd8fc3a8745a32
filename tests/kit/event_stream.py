"""The public event stream as an analyst reads it, and the checks that an analyst can make."""

from __future__ import annotations

from collections.abc import Sequence

from prometheus_client import CollectorRegistry

from shuangkou.chassis.nats import Server, StoredMessage, connect, read
from shuangkou.rules.climbing.commands import StartDeal
from shuangkou.rules.climbing.events import (
    DealSettled,
    DealStarted,
    DealVoided,
    Event,
    Result,
)
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import Scoring
from shuangkou.rules.climbing.state import MatchState, added
from shuangkou.rules.dealing import seed_hash
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import RuleSet
from shuangkou.v1.events_pb2 import Commit, SettlementStored
from shuangkou.wire.climbing import event_from_wire

_TABLE_EVENTS = frozenset(
    (
        "table_created",
        "seat_taken",
        "seat_hosted",
        "seat_reclaimed",
        "deadline_passed",
        "match_finished",
    )
)


async def commits_of(nats_url: str, table_id: str) -> list[Commit]:
    """All commits of a table on the stream, in stream order."""
    return [Commit.FromString(payload) for payload in await _payloads(nats_url, f"events.table.*.{table_id}")]


async def settlements_of(nats_url: str, table_id: str) -> list[SettlementStored]:
    """All settlements of a table on the stream."""
    payloads = await _payloads(nats_url, f"events.score.*.{table_id}")
    return [SettlementStored.FromString(payload) for payload in payloads]


async def everything_about(nats_url: str, table_id: str) -> list[StoredMessage]:
    """All messages about a table on the stream, headers and all."""
    return await _messages(nats_url, f"events.*.*.{table_id}")


def is_finished(commits: Sequence[Commit]) -> bool:
    """The match of this table is over."""
    return any(event.HasField("match_finished") for commit in commits for event in commit.events)


def check_one_deal(ruleset: RuleSet, commits: Sequence[Commit]) -> None:
    """Versions without gap or repeat; one deal with a result, void ones before; each dealt from its seed."""
    assert [commit.version for commit in commits] == list(range(1, len(commits) + 1))
    events = _rules_events(ruleset, commits)
    starts = [place for place, event in enumerate(events) if isinstance(event, DealStarted)]
    decider = decider_for(ruleset)
    state = decider.new_match(ruleset)
    for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
        state = _after_deal(state, events[start:end])
    settled = events[-1]
    assert isinstance(settled, DealSettled)
    assert state.standing.deals_played == 1
    pays_nobody = settled.result is Result.DRAW and not ruleset.options.draw_zero_sum
    assert ruleset.options.scoring not in _ZERO_SUM or pays_nobody or sum(settled.scores) == 0


def _after_deal(state: MatchState, events: Sequence[Event]) -> MatchState:
    """The table after a deal of these public events."""
    started, ended = events[0], events[-1]
    assert isinstance(started, DealStarted)
    assert isinstance(ended, DealSettled | DealVoided)
    assert seed_hash(ended.seed) == started.seed_hash
    before, decider = state.standing.totals, decider_for(state.ruleset)
    dealt = decider.decide(state, StartDeal(ended.seed))
    public = [event for event in dealt if not event.secret]
    assert public == list(events[: len(public)])
    for event in (*dealt, *events[len(public) :]):
        state = decider.evolve(state, event)
    assert state.deal is None
    assert state.standing.totals == added(before, ended.scores)
    return state


_ZERO_SUM = (Scoring.PLACES, Scoring.PIPS_LEFT, Scoring.CARDS_LEFT)


def _rules_events(ruleset: RuleSet, commits: Sequence[Commit]) -> list[Event]:
    table = move_table(ruleset.options)
    return [
        event_from_wire(table, event)
        for commit in commits
        for event in commit.events
        if event.WhichOneof("event") not in _TABLE_EVENTS
    ]


async def _payloads(nats_url: str, subject: str) -> list[bytes]:
    return [message.payload for message in await _messages(nats_url, subject)]


async def _messages(nats_url: str, subject: str) -> list[StoredMessage]:
    bus = await connect(Server(nats_url), "analyst", CollectorRegistry())
    try:
        return [message async for message in read(bus, "EVENTS", subject)]
    finally:
        await bus.close()
