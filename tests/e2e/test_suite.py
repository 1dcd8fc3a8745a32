"""The whole suite as processes: from ticket to settlement, through the death of an engine, by the README."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest

from kit.event_stream import check_one_deal, commits_of, everything_about, is_finished, settlements_of
from kit.suite import LocalSuite, suite_up
from kit.suite_callers import Metadata, channel_to, metadata, token
from kit.waiting import eventually
from shuangkou.chassis.nats import StoredMessage
from shuangkou.chassis.trace import parse_traceparent
from shuangkou.rules.ruleset import load
from shuangkou.v1 import matchmaking_pb2, scoring_pb2, table_pb2
from shuangkou.v1.matchmaking_pb2_grpc import MatchmakingServiceStub
from shuangkou.v1.scoring_pb2_grpc import ScoringServiceStub
from shuangkou.v1.table_pb2_grpc import TableServiceStub

_README = Path(__file__).parents[2] / "README.md"
_SECONDS = 90.0
_PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    """Two engines and everything else."""
    with suite_up(tmp_path_factory.mktemp("suite"), "--engines", "2") as running:
        yield running


async def test_ten_tables_from_ticket_to_settlement(suite: LocalSuite) -> None:
    """Ten people queue, let bots play for them, and find their points on the leaderboard."""
    players = [f"guest{number}" for number in range(10)]
    # One after the other: people who wait at the same time would share a table.
    tables = [await _queue_and_host(suite, player) for player in players]
    assert len(set(tables)) == 10
    for table_id in tables:
        await eventually(lambda: _is_over(suite, table_id), within=_SECONDS)  # noqa: B023  # awaited at once
        check_one_deal(load("qq"), await commits_of(suite.events_url, table_id))
        settlements = await eventually(lambda: settlements_of(suite.events_url, table_id))  # noqa: B023
        assert [settlement.deal.number for settlement in settlements] == [1]
    async with channel_to(suite.record["scoring"]) as channel:
        request = scoring_pb2.GetLeaderboardRequest(ruleset_id="qq", page_size=500)
        guest = metadata(suite, "guest0")
        board = await ScoringServiceStub(channel).GetLeaderboard(request, timeout=5, metadata=guest)
    ranked = {row.player_id: row.deals for row in board.rows}
    assert {player: ranked.get(player) for player in players} == dict.fromkeys(players, 1)


async def test_everything_that_analysts_read_is_a_cloud_event(suite: LocalSuite) -> None:
    """All four kinds of messages; source and id name each once."""
    nats_url = suite.events_url
    table_id = await _queue_and_host(suite, "analysed")
    await eventually(lambda: settlements_of(nats_url, table_id), within=_SECONDS)

    async def with_ratings() -> list[StoredMessage]:
        found = await everything_about(nats_url, table_id)
        return found if any(message.subject.startswith("events.rating.") for message in found) else []

    messages = await eventually(with_ratings, within=_SECONDS)
    headers = [message.headers for message in messages]
    kinds = {
        (message.subject.split(".")[1], message.headers.get("ce-type"), message.headers.get("ce-source"))
        for message in messages
    }
    assert kinds == {
        ("table", "shuangkou.v1.Commit", "shuangkou/engine"),
        ("score", "shuangkou.v1.SettlementStored", "shuangkou/scoring"),
        ("rating", "shuangkou.v1.RatingsChanged", "shuangkou/scoring"),
        ("match", "shuangkou.v1.TableMatched", "shuangkou/matchmaking"),
    }
    assert {each["ce-specversion"] for each in headers} == {"1.0"}
    assert len({(each["ce-source"], each["ce-id"]) for each in headers}) == len(messages)
    assert all(parse_traceparent(each["traceparent"]) for each in headers)


async def test_a_table_outlives_its_engine(suite: LocalSuite) -> None:
    """One engine dies in the middle of a deal; no acknowledged act is lost or doubled."""
    survivor = metadata(suite, "survivor")
    async with channel_to(*suite.record["engines"]) as channel:
        tables = TableServiceStub(channel)
        table_id = await _open_table(tables, "survivor", survivor)

        def kill_one() -> None:
            (process,) = suite.processes("shuangkou.engine", "engine-1")
            os.kill(process, signal.SIGKILL)

        acknowledged = await _play_lowest(tables, table_id, survivor, after_ten=kill_one)
    commits = await commits_of(suite.events_url, table_id)
    check_one_deal(load("qq"), commits)
    stored = {commit.command_id: commit.version for commit in commits if commit.actor == "survivor"}
    assert acknowledged.items() <= stored.items()
    assert len(acknowledged) > 10


async def test_the_client_of_the_readme_plays_a_deal(suite: LocalSuite, tmp_path: Path) -> None:
    """Printed code is run as it is printed."""
    (code,) = re.findall(r"```python\n(.*?)```", _README.read_text(), re.DOTALL)
    program = tmp_path / "client.py"
    program.write_text(code)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        program,
        env={**os.environ, "TOKEN": token(suite, "alice"), "ENGINE": suite.record["engines"][1]},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(_SECONDS):
        printed, _ = await process.communicate()
    assert process.returncode == 0, printed.decode()
    assert "match_finished" in printed.decode()
    assert len(code.strip().splitlines()) <= 35


async def _queue_and_host(suite: LocalSuite, player: str) -> str:
    """Queue with bots at once, hand the seat to a bot, and name the table."""
    caller = metadata(suite, player)
    async with channel_to(suite.record["matchmaking"]) as channel:
        tickets = MatchmakingServiceStub(channel)
        ticket_id = f"ticket-{player}"
        request = matchmaking_pb2.CreateTicketRequest(ticket_id=ticket_id, ruleset_id="qq", bots_after_ms=0)
        await tickets.CreateTicket(request, timeout=5, metadata=caller)
        watch = matchmaking_pb2.WatchTicketRequest(ticket_id=ticket_id)
        async for response in tickets.WatchTicket(watch, metadata=caller):
            ticket = response.ticket
            if ticket.state == matchmaking_pb2.TICKET_STATE_MATCHED:
                break
    async with channel_to(*suite.record["engines"]) as channel:
        host = table_pb2.ActRequest(table_id=ticket.table_id, seat=ticket.seat, command_id="host")
        host.host_seat.SetInParent()
        await TableServiceStub(channel).Act(host, timeout=5, metadata=caller)
    return ticket.table_id


async def _is_over(suite: LocalSuite, table_id: str) -> bool:
    return is_finished(await commits_of(suite.events_url, table_id))


async def _open_table(tables: TableServiceStub, player: str, caller: Metadata) -> str:
    seats = [table_pb2.SeatAssignment(seat=0, occupant=table_pb2.Occupant(player_id=player))]
    seats += [
        table_pb2.SeatAssignment(seat=seat, occupant=table_pb2.Occupant(persona="plain"))
        for seat in (1, 2, 3)
    ]
    request = table_pb2.CreateTableRequest(command_id="open", ruleset_id="qq", seats=seats)
    return (await tables.CreateTable(request, timeout=5, metadata=caller)).table_id


async def _play_lowest(
    tables: TableServiceStub, table_id: str, caller: Metadata, after_ten: Callable[[], None]
) -> dict[str, int]:
    """Play the lowest legal cards until the match is over; command ids with their acknowledged versions."""
    acknowledged: dict[str, int] = {}
    while True:
        try:
            view = table_pb2.GetTableRequest(table_id=table_id, seat=0)
            seen = (await tables.GetTable(view, timeout=5, metadata=caller)).view
            if seen.phase == table_pb2.TABLE_PHASE_FINISHED:
                return acknowledged
            legal_acts = table_pb2.ListLegalActsRequest(table_id=table_id, seat=0, limit=1)
            legal = await tables.ListLegalActs(legal_acts, timeout=5, metadata=caller)
            if legal.total_count or legal.may_pass:
                act = _lowest(table_id, legal)
                acknowledged[act.command_id] = (await tables.Act(act, timeout=5, metadata=caller)).version
                if len(acknowledged) == 10:
                    after_ten()
        except grpc.aio.AioRpcError as error:
            # The next round sends the same command under the same id, which follows from the version.
            if error.code() not in _PASSING:
                raise


def _lowest(table_id: str, legal: table_pb2.ListLegalActsResponse) -> table_pb2.ActRequest:
    act = table_pb2.ActRequest(
        table_id=table_id, seat=0, command_id=f"act-{legal.version}", expected_version=legal.version
    )
    if legal.plays:
        act.play_cards.cards.extend(legal.plays[0].cards)
    else:
        act.pass_turn.SetInParent()
    return act
