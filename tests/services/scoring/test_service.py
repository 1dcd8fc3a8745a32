"""The process `python -m shuangkou.scoring`, spoken to as clients do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import grpc
import pytest

from kit.keys import Keys
from kit.service_process import Launcher, ServiceProcess, refusal_in
from kit.settling import finishing, opening_commit, settling_commit
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, NewMessage, append, ensure_streams, read
from shuangkou.v1.scoring_pb2 import GetLeaderboardRequest, GetPlayerRequest, ListSettlementsRequest
from shuangkou.v1.scoring_pb2_grpc import ScoringServiceStub
from shuangkou.wire.streams import public_streams

INVALID = grpc.StatusCode.INVALID_ARGUMENT


async def settle(bus: Bus, table_id: str, number: int, time_ms: int) -> None:
    """What an engine does when a deal ends; alice and carol win two points, and an event with the third."""
    if number == 1:
        opening = opening_commit(table_id)
        await append(bus, NewMessage(f"table.qq.{table_id}.public.none", opening.SerializeToString()))
    commit = settling_commit(table_id, number, time_ms=time_ms)
    commit = finishing(commit, winner=0) if number == 3 else commit
    await append(bus, NewMessage(f"table.qq.{table_id}.public.score", commit.SerializeToString()))


class Client:
    """Asks a scoring process as a player."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self.stub = ScoringServiceStub(channel)
        self.metadata = (("authorization", f"Bearer {token}"),)

    async def player(self, player_id: str) -> list[tuple[str, int, int, int, int]]:
        """A player's results."""
        answer = await self.stub.GetPlayer(
            GetPlayerRequest(player_id=player_id), metadata=self.metadata, timeout=10
        )
        return [(row.ruleset_id, row.points, row.deals, row.deals_won, row.firsts) for row in answer.results]

    async def refused(self, call: str, request: object) -> tuple[grpc.StatusCode, str]:
        """How a call is refused."""
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await getattr(self.stub, call)(request, metadata=self.metadata, timeout=10)
        return refusal_in(caught.value)


@pytest.fixture
async def scoring(launcher: Launcher, bus: Bus) -> ServiceProcess:
    """A scoring process that has entered three deals."""
    await ensure_streams(bus, public_streams(1))
    for number in range(1, 4):
        await settle(bus, "t1", number, time_ms=number)
    return await launcher.start("scoring")


@pytest.fixture
async def client(scoring: ServiceProcess, keys: Keys) -> AsyncIterator[Client]:
    """A player's client, once the deals are in the ledger."""
    async with grpc.aio.insecure_channel(scoring.target) as channel:
        client = Client(channel, keys.player("zoe"))

        async def entered() -> bool:
            request = ListSettlementsRequest()
            answer = await client.stub.ListSettlements(request, metadata=client.metadata, timeout=10)
            return len(answer.settlements) == 3

        await eventually(entered)
        yield client


async def test_questions_are_answered_page_by_page(client: Client) -> None:
    assert await client.player("alice") == [("qq", 6, 3, 3, 3)]
    numbers: list[int] = []
    request = ListSettlementsRequest(player_id="bob", page_size=2)
    while not numbers or request.page_token:
        answer = await client.stub.ListSettlements(request, metadata=client.metadata, timeout=10)
        numbers += [settlement.deal.number for settlement in answer.settlements]
        request.page_token = answer.next_page_token
    assert numbers == [3, 2, 1]
    rows: list[tuple[int, str, int, int, int]] = []
    ranking = GetLeaderboardRequest(ruleset_id="qq", page_size=3)
    while not rows or ranking.page_token:
        page = await client.stub.GetLeaderboard(ranking, metadata=client.metadata, timeout=10)
        rows += [(row.rank, row.player_id, row.points, row.deals, row.deals_won) for row in page.rows]
        ranking.page_token = page.next_page_token
    assert rows == [(1, "alice", 6, 3, 3), (1, "carol", 6, 3, 3), (3, "bob", -6, 3, 0), (3, "dave", -6, 3, 0)]


async def test_what_makes_no_sense_is_refused(client: Client) -> None:
    first = await client.stub.ListSettlements(
        ListSettlementsRequest(page_size=1), metadata=client.metadata, timeout=10
    )
    token = first.next_page_token
    for call, request, code in (
        ("ListSettlements", ListSettlementsRequest(page_token="garbage"), "scoring/bad_page_token"),
        (
            "ListSettlements",
            ListSettlementsRequest(page_token=token, table_id="t1"),
            "scoring/bad_page_token",
        ),
        ("GetLeaderboard", GetLeaderboardRequest(page_token=token), "scoring/bad_page_token"),
        ("ListSettlements", ListSettlementsRequest(page_size=-1), "scoring/bad_page_size"),
        ("GetLeaderboard", GetLeaderboardRequest(page_size=501), "scoring/bad_page_size"),
    ):
        assert await client.refused(call, request) == (INVALID, code)
    for stranger in ("nobody", "", "nul\0", "x" * 10_000):
        status, code = await client.refused("GetPlayer", GetPlayerRequest(player_id=stranger))
        assert (status, code) == (grpc.StatusCode.NOT_FOUND, "scoring/unknown_player")
    for ruleset_id in ("nope", "", "nul\0", "x" * 10_000):
        refusal = await client.refused("GetLeaderboard", GetLeaderboardRequest(ruleset_id=ruleset_id))
        assert refusal == (grpc.StatusCode.NOT_FOUND, "ruleset/unknown")
    found = await client.stub.ListSettlements(
        ListSettlementsRequest(player_id="nul\0"), metadata=client.metadata, timeout=10
    )
    assert not found.settlements


async def test_nobody_reads_without_a_token(client: Client) -> None:
    client.metadata = (("authorization", "Bearer nonsense"),)
    status, _ = await client.refused("GetPlayer", GetPlayerRequest(player_id="alice"))
    assert status is grpc.StatusCode.UNAUTHENTICATED


async def test_its_metrics_say_what_it_did(scoring: ServiceProcess, client: Client) -> None:
    def scraped() -> bool:
        with urlopen(f"http://127.0.0.1:{scoring.metrics_port}/metrics") as page:
            text = page.read().decode()
        return (
            "shuangkou_scoring_settlements_stored_total 3.0" in text
            and "shuangkou_scoring_settlements_published_total 3.0" in text
            and "shuangkou_scoring_settlement_lag_seconds_count 3.0" in text
        )

    await eventually(scraped)


async def test_killed_replicas_lose_nothing_and_repeat_nothing(
    launcher: Launcher, bus: Bus, keys: Keys, tmp_path: Path
) -> None:
    """Processes die hard in the middle of 150 deals; the last one finishes what they began."""
    deals = 150
    ledger = {"database_url": f"sqlite:///{tmp_path}/shared.db"}
    await ensure_streams(bus, public_streams(1))
    await asyncio.gather(
        *(settle(bus, f"t{number % 10}", number // 10 + 1, number) for number in range(deals))
    )

    async def scores() -> int:
        return len([message async for message in read(bus, "SCORES", "score.>")])

    async def more_than(least: int) -> bool:
        return await scores() > least

    for victim in await launcher.start_all("scoring", 2, **ledger):
        done = await scores()
        await eventually(partial(more_than, min(done + 10, deals - 1)), within=30)
        victim.kill()
    survivor = await launcher.start("scoring", **ledger)
    await eventually(partial(more_than, deals - 1), within=60)
    assert await scores() == deals
    async with grpc.aio.insecure_channel(survivor.target) as channel:
        client = Client(channel, keys.player("zoe"))
        assert await client.player("alice") == [("qq", 2 * deals, deals, deals, deals)]
    assert await survivor.stop() == 0


@pytest.mark.parametrize(("player_id", "won"), [("alice", 1), ("bob", 0)])
async def test_a_player_s_matches_in_events_are_told(client: Client, player_id: str, won: int) -> None:
    request = GetPlayerRequest(player_id=player_id)
    answer = await client.stub.GetPlayer(request, metadata=client.metadata, timeout=10)
    [row] = answer.events
    assert (row.event_id, row.ruleset_id, row.matches, row.matches_won) == ("ev_elder", "qq", 1, won)
    listed = await client.stub.ListSettlements(
        ListSettlementsRequest(page_size=1), metadata=client.metadata, timeout=10
    )
    assert listed.settlements[0].match.event.terms.event_id == "ev_elder"
