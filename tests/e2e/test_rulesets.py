"""Every ruleset that is shipped is played to its end by bots, through real processes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from kit.event_stream import check_one_deal, commits_of, is_finished, settlements_of
from kit.suite import LocalSuite, suite_up
from kit.suite_callers import channel_to, metadata
from kit.waiting import eventually
from shuangkou.rules.ruleset import available, load
from shuangkou.v1 import events_pb2, scoring_pb2, table_pb2
from shuangkou.v1.scoring_pb2_grpc import ScoringServiceStub
from shuangkou.v1.table_pb2_grpc import TableServiceStub

_SECONDS = 90.0


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    """Two engines and everything else."""
    with suite_up(tmp_path_factory.mktemp("suite"), "--engines", "2") as running:
        yield running


@pytest.mark.parametrize("ruleset_id", available())
async def test_bots_play_every_ruleset_to_its_settlement(suite: LocalSuite, ruleset_id: str) -> None:
    """A deal of bots, checked by the public events alone, ends in the ledger; a spectator saw no hand."""
    nats_url = suite.events_url
    caller = metadata(suite, "zoe")
    async with channel_to(*suite.record["engines"]) as channel:
        tables = TableServiceStub(channel)
        seats = [
            table_pb2.SeatAssignment(seat=seat, occupant=table_pb2.Occupant(persona="plain"))
            for seat in range(load(ruleset_id).options.players)
        ]
        request = table_pb2.CreateTableRequest(
            command_id=ruleset_id, ruleset_id=ruleset_id, seats=seats, deals=1
        )
        table_id = (await tables.CreateTable(request, timeout=30, metadata=caller)).table_id
        watch = table_pb2.WatchTableRequest(table_id=table_id, after_version=0)
        async with asyncio.timeout(_SECONDS):
            async for response in tables.WatchTable(watch, metadata=caller):
                assert not response.commit.own_hand
                assert not response.commit.partner_hand
                assert not response.commit.kitty
                if any(event.HasField("match_finished") for event in response.commit.commit.events):
                    break
    commits = await eventually(lambda: _finished(nats_url, table_id), within=_SECONDS)
    check_one_deal(load(ruleset_id), commits)
    played = [commit.actor for commit in commits if commit.command_id.startswith("bot:")]
    assert len(played) > len(commits) / 2
    assert not any(event.HasField("deadline_passed") for commit in commits for event in commit.events)
    starts = [commit for commit in commits if any(event.HasField("deal_started") for event in commit.events)]
    settlements = await eventually(lambda: _stored(nats_url, table_id, len(starts)), within=_SECONDS)
    async with channel_to(suite.record["scoring"]) as channel:
        question = scoring_pb2.ListSettlementsRequest(table_id=table_id)
        answer = await ScoringServiceStub(channel).ListSettlements(question, timeout=5, metadata=caller)
    assert list(answer.settlements) == settlements[::-1]
    assert settlements[-1].deal == commits[-1].events[-2].deal_settled


async def _stored(nats_url: str, table_id: str, deals: int) -> list[events_pb2.SettlementStored]:
    """The settlements of all deals, void ones included."""
    settlements = await settlements_of(nats_url, table_id)
    return settlements if len(settlements) == deals else []


async def _finished(nats_url: str, table_id: str) -> list[events_pb2.Commit]:
    commits = await commits_of(nats_url, table_id)
    return commits if is_finished(commits) else []
