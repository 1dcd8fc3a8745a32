"""The public event stream as an analyst reads it, and the checks that an analyst can make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prometheus_client import CollectorRegistry

from shuangkou.chassis.nats import Server, StoredMessage, connect, read
from shuangkou.cli.verification import OF_THE_TABLE
from shuangkou.rules.by_seat import added
from shuangkou.rules.climbing.events import DealSettled, Result
from shuangkou.rules.climbing.options import Scoring
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.dealing import seed_hash
from shuangkou.rules.decider import decider_for
from shuangkou.rules.events import DealVoided, Trait
from shuangkou.rules.match import Match
from shuangkou.rules.ruleset import AnyRuleSet, RuleSet
from shuangkou.v1.events_pb2 import Commit, SettlementStored
from shuangkou.wire.families import codec_for


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


def check_one_deal(ruleset: AnyRuleSet, commits: Sequence[Commit]) -> None:
    """Versions without gap or repeat; one deal with a result, void ones before; each dealt from its seed."""
    assert [commit.version for commit in commits] == list(range(1, len(commits) + 1))
    decider = decider_for(ruleset)
    state: Match = decider.new_match(ruleset)
    events = _rules_events(ruleset, state, commits)
    starts = [place for place, event in enumerate(events) if Trait.STARTS_DEAL in decider.traits(event)]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
        state = _after_deal(ruleset, state, events[start:end])
    assert not isinstance(events[-1], DealVoided)
    assert state.standing.deals_played == 1
    if isinstance(events[-1], DealSettled):
        _check_zero_sum(ruleset, events[-1])


def _after_deal(ruleset: AnyRuleSet, state: Match, events: Sequence[Any]) -> Match:
    """The table after a deal of these public events."""
    started, ended = events[0], events[-1]
    decider = decider_for(ruleset)
    assert Trait.ENDS_DEAL in decider.traits(ended)
    assert seed_hash(ended.seed) == started.seed_hash
    before = state.standing.totals
    dealt = decider.decide(state, StartDeal(ended.seed))
    public = [event for event in dealt if not event.secret]
    assert public == list(events[: len(public)])
    for event in (*dealt, *events[len(public) :]):
        state = decider.evolve(state, event)
    assert state.deal is None
    assert state.standing.totals == added(before, ended.scores)
    return state


_ZERO_SUM = (Scoring.PLACES, Scoring.PIPS_LEFT, Scoring.CARDS_LEFT)


def _check_zero_sum(ruleset: RuleSet, settled: DealSettled) -> None:
    pays_nobody = settled.result is Result.DRAW and not ruleset.options.draw_zero_sum
    assert ruleset.options.scoring not in _ZERO_SUM or pays_nobody or sum(settled.scores) == 0


def _rules_events(ruleset: AnyRuleSet, match: Match, commits: Sequence[Commit]) -> list[Any]:
    codec = codec_for(ruleset)
    return [
        codec.event_from_wire(match, event)
        for commit in commits
        for event in commit.events
        if event.WhichOneof("event") not in OF_THE_TABLE
    ]


async def _payloads(nats_url: str, subject: str) -> list[bytes]:
    return [message.payload for message in await _messages(nats_url, subject)]


async def _messages(nats_url: str, subject: str) -> list[StoredMessage]:
    bus = await connect(Server(nats_url), "analyst", CollectorRegistry())
    try:
        return [message async for message in read(bus, "EVENTS", subject)]
    finally:
        await bus.close()
