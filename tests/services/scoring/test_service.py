"""The process `python -m shuangkou.scoring`, spoken to as clients do."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from kit.keys import Keys
from kit.score_clients import Client, settle
from kit.service_process import Launcher, ServiceProcess
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, ensure_streams, read
from shuangkou.v1.events_pb2 import DealSettled, RatingPool, SettlementStored
from shuangkou.v1.scoring_pb2 import (
    SHEET_FORMAT_CSV,
    GetHeadToHeadRequest,
    GetLeaderboardRequest,
    GetPlayerRequest,
    GetPlayerResponse,
    GetSheetRequest,
    ListCompanionsRequest,
    ListMatchesRequest,
    ListRatingsRequest,
    ListSeasonsRequest,
    ListSettlementsRequest,
    MatchResult,
    SheetFormat,
)
from shuangkou.wire.streams import public_streams

INVALID = grpc.StatusCode.INVALID_ARGUMENT


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
    one = ListSettlementsRequest(page_size=1)
    token = (await client.stub.ListSettlements(one, metadata=client.metadata, timeout=10)).next_page_token
    for call, request, code in (
        ("ListSettlements", ListSettlementsRequest(page_token="garbage"), "scoring/bad_page_token"),
        (
            "ListSettlements",
            ListSettlementsRequest(page_token=token, table_id="t1"),
            "scoring/bad_page_token",
        ),
        (
            "GetLeaderboard",
            GetLeaderboardRequest(ruleset_id="qq", page_token=token),
            "scoring/bad_page_token",
        ),
        ("ListSettlements", ListSettlementsRequest(page_size=-1), "scoring/bad_page_size"),
        ("GetLeaderboard", GetLeaderboardRequest(page_size=501), "scoring/bad_page_size"),
    ):
        assert await client.refused(call, request) == (INVALID, code)
    for stranger in ("nobody", "nul\0", "x" * 10_000):
        status, code = await client.refused("GetPlayer", GetPlayerRequest(player_id=stranger))
        assert (status, code) == (grpc.StatusCode.NOT_FOUND, "scoring/unknown_player")
    for ruleset_id in ("nope", "nul\0", "x" * 10_000):
        refusal = await client.refused("GetLeaderboard", GetLeaderboardRequest(ruleset_id=ruleset_id))
        assert refusal == (grpc.StatusCode.NOT_FOUND, "ruleset/unknown")
    for unknown in ("nobody", "nul\0", "x" * 10_000):
        for asked, what in (
            (ListSettlementsRequest(player_id=unknown), "player"),
            (ListSettlementsRequest(table_id=unknown), "table"),
            (ListSettlementsRequest(player_id="bob", table_id=unknown), "table"),
            (ListSettlementsRequest(player_id=unknown, table_id="t1"), "player"),
        ):
            refusal = await client.refused("ListSettlements", asked)
            assert refusal == (grpc.StatusCode.NOT_FOUND, f"scoring/unknown_{what}")
        for call, begun in (
            ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", from_player_id=unknown)),
            ("ListRatings", ListRatingsRequest(family="climbing", from_player_ids=[unknown])),
        ):
            assert await client.refused(call, begun) == (grpc.StatusCode.NOT_FOUND, "scoring/not_ranked")


async def test_a_token_is_good_for_its_own_question_only(client: Client) -> None:
    """Whatever else is asked, or becomes of the token; with another page size the question is the same."""
    listed = await client.ask("ListSettlements", ListSettlementsRequest(page_size=1, player_id="bob"))
    met = await client.ask("ListCompanions", ListCompanionsRequest(page_size=1, player_id="bob"))
    board = await client.ask("GetLeaderboard", GetLeaderboardRequest(page_size=1, ruleset_id="qq"))
    tokens = (listed.next_page_token, met.next_page_token, board.next_page_token)
    for place, token in enumerate(tokens):
        asked_anew: list[tuple[str, object]] = [
            ("ListSettlements", ListSettlementsRequest(player_id="bob", page_token=token)),
            ("ListCompanions", ListCompanionsRequest(player_id="bob", page_token=token)),
            ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", page_token=token)),
        ]
        await client.ask(*asked_anew.pop(place))
        for call, request in asked_anew:
            assert await client.refused(call, request) == (INVALID, "scoring/bad_page_token")
    foreign = [
        ("ListSettlements", ListSettlementsRequest(player_id="alice", page_token=tokens[0])),
        ("ListSettlements", ListSettlementsRequest(player_id="bob", table_id="t1", page_token=tokens[0])),
        ("ListCompanions", ListCompanionsRequest(player_id="alice", page_token=tokens[1])),
        ("ListMatches", ListMatchesRequest(player_id="bob", page_token=tokens[1])),
        ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", include_bots=True, page_token=tokens[2])),
        ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", season="1970q1", page_token=tokens[2])),
        ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", page_token=tokens[2][:-1])),
        ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", page_token=tokens[2].swapcase())),
    ]
    for name, asked in foreign:
        assert await client.refused(name, asked) == (INVALID, "scoring/bad_page_token")


async def test_everybody_can_find_its_own_rank(client: Client) -> None:
    request = GetLeaderboardRequest(ruleset_id="qq", from_player_id="dave", page_size=1)
    own = await client.ask("GetLeaderboard", request)
    assert [(row.rank, row.player_id) for row in own.rows] == [(3, "dave")]
    assert not own.next_page_token
    request = GetLeaderboardRequest(ruleset_id="qq", page_token=own.previous_page_token, page_size=2)
    before = await client.ask("GetLeaderboard", request)
    assert [(row.rank, row.player_id) for row in before.rows] == [(1, "carol"), (3, "bob")]

    async def rated() -> bool:
        answer = await client.ask("ListRatings", ListRatingsRequest(family="climbing", pairs=True))
        return len(answer.rows) == 2

    await eventually(rated, within=30)
    mask = FieldMask(paths=["rank", "rating.player_ids"])
    for names, pairs, rank in ((["bob"], False, 3), (["carol"], False, 1), (["dave", "bob"], True, 2)):
        asked = ListRatingsRequest(
            family="climbing", from_player_ids=names, pairs=pairs, page_size=1, read_mask=mask
        )
        [row] = (await client.ask("ListRatings", asked)).rows
        assert (row.rank, sorted(row.rating.player_ids)) == (rank, sorted(names))
        assert not row.rating.mu
    for names, pairs in ((["bob"], True), (["bob", "dave"], False), (["a", "b", "c"], True)):
        odd = ListRatingsRequest(family="climbing", from_player_ids=names, pairs=pairs)
        assert await client.refused("ListRatings", odd) == (INVALID, "scoring/bad_start")


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


async def test_a_ranking_is_walked_in_both_directions(client: Client) -> None:
    request = GetLeaderboardRequest(family="climbing", page_size=1)
    pages = [await client.ask("GetLeaderboard", request)]
    while pages[-1].next_page_token:
        request.page_token = pages[-1].next_page_token
        pages.append(await client.ask("GetLeaderboard", request))
    back = [pages[-1]]
    while back[-1].previous_page_token:
        request.page_token = back[-1].previous_page_token
        back.append(await client.ask("GetLeaderboard", request))
    assert [page.rows for page in reversed(back)] == [page.rows for page in pages]
    assert [page.rows[0].rank for page in pages] == [1, 1, 3, 3]


async def test_ratings_seasons_and_profiles_are_told(client: Client) -> None:
    async def all_rated() -> bool:
        answer = await client.ask("ListRatings", ListRatingsRequest(family="climbing"))
        return bool(answer.rows) and all(row.rating.deals == 3 for row in answer.rows)

    await eventually(all_rated, within=30)
    singles = await client.ask("ListRatings", ListRatingsRequest(family="climbing", page_size=3))
    assert [(row.rank, list(row.rating.player_ids)) for row in singles.rows] == [
        (1, ["alice"]),
        (1, ["carol"]),
        (3, ["bob"]),
    ]
    assert singles.season == "1970q1"
    assert all(row.rating.is_provisional for row in singles.rows)
    pairs = await client.ask("ListRatings", ListRatingsRequest(family="climbing", pairs=True))
    assert [list(row.rating.player_ids) for row in pairs.rows] == [["alice", "carol"], ["bob", "dave"]]
    seasons = await client.ask("ListSeasons", ListSeasonsRequest(family="climbing"))
    assert [(each.season, each.ratings, each.is_archived) for each in seasons.seasons] == [
        ("1970q1", 4, False)
    ]
    player = await client.ask("GetPlayer", GetPlayerRequest(player_id="alice"))
    [results], [rating] = player.results, player.ratings
    assert (list(results.places), results.doubles.won, results.doubles.rate) == ([3, 0, 0, 0], 3, 1.0)
    assert (results.matches, results.matches_won) == (1, 1)
    assert (rating.streak, rating.longest_streak) == (3, 3)
    assert (player.days_played, player.daily_points, player.partners, player.opponents) == (1, 10, 1, 2)


async def test_company_matches_and_sheets_are_told(client: Client) -> None:
    met = await client.ask("ListCompanions", ListCompanionsRequest(player_id="alice", page_size=2))
    more = await client.ask(
        "ListCompanions",
        ListCompanionsRequest(player_id="alice", page_size=2, page_token=met.next_page_token),
    )
    companions = [*met.companions, *more.companions]
    assert [(each.player_id, each.won_with, each.won_against) for each in companions] == [
        ("bob", 0, 3),
        ("carol", 3, 0),
        ("dave", 0, 3),
    ]
    head = await client.ask("GetHeadToHead", GetHeadToHeadRequest(player_id="bob", other_id="alice"))
    [row] = head.rulesets
    assert (row.ruleset_id, row.deals_against, row.won_against, row.lost_against) == ("qq", 3, 0, 3)
    [match] = (await client.ask("ListMatches", ListMatchesRequest(player_id="dave"))).matches
    assert (match.table_id, list(match.winners), match.event_id) == ("t1", [0, 2], "ev_elder")
    assert match.replay_subject == "events.table.qq.t1"
    sheet = await client.ask("GetSheet", GetSheetRequest(table_id="t1", format=SHEET_FORMAT_CSV))
    assert [line.number for line in sheet.sheet.lines] == [1, 2, 3]
    assert sheet.document.startswith("deal 局,East 东 alice")


async def test_a_mask_leaves_what_it_names(client: Client) -> None:
    request = ListSettlementsRequest(page_size=1, read_mask=FieldMask(paths=["table_id", "deal.scores"]))
    [stored] = (await client.ask("ListSettlements", request)).settlements
    assert stored == SettlementStored(table_id="t1", deal=DealSettled(scores=(2, -2, 2, -2)))
    masked = GetPlayerRequest(player_id="alice", read_mask=FieldMask(paths=["partners"]))
    assert await client.ask("GetPlayer", masked) == GetPlayerResponse(partners=1)
    narrow = ListMatchesRequest(player_id="alice", read_mask=FieldMask(paths=["table_id", "winners"]))
    assert list((await client.ask("ListMatches", narrow)).matches) == [
        MatchResult(table_id="t1", winners=[0, 2])
    ]
    for path in ("nonsense", "deal.nonsense", "deal.scores.x", ""):
        bad = ListSettlementsRequest(read_mask=FieldMask(paths=[path]))
        assert await client.refused("ListSettlements", bad) == (INVALID, "scoring/bad_read_mask")


async def test_new_questions_that_make_no_sense_are_refused(client: Client) -> None:
    first = await client.ask("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", page_size=1))
    token = first.next_page_token
    for call, request, code in (
        ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="jj", page_token=token), "bad_page_token"),
        ("GetLeaderboard", GetLeaderboardRequest(family="climbing", page_token=token), "bad_page_token"),
        ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", season="2026"), "bad_season"),
        ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", family="climbing"), "bad_board"),
        ("ListRatings", ListRatingsRequest(family="climbing", page_token=token), "bad_page_token"),
        ("ListRatings", ListRatingsRequest(family="climbing", page_size=-1), "bad_page_size"),
        ("ListRatings", ListRatingsRequest(family="climbing", season="2026q5"), "bad_season"),
        ("ListCompanions", ListCompanionsRequest(player_id="bob", page_size=-1), "bad_page_size"),
        ("ListMatches", ListMatchesRequest(player_id="bob", page_size=-1), "bad_page_size"),
        ("ListRatings", ListRatingsRequest(family="climbing", pool=RatingPool.ValueType(9)), "bad_pool"),
        ("ListCompanions", ListCompanionsRequest(player_id="bob", page_token=token), "bad_page_token"),
        ("ListMatches", ListMatchesRequest(player_id="bob", page_size=501), "bad_page_size"),
        ("GetSheet", GetSheetRequest(table_id="t1", format=SheetFormat.ValueType(9)), "bad_format"),
    ):
        assert await client.refused(call, request) == (INVALID, f"scoring/{code}")
    for stranger in ("nobody", "nul\0", "x" * 10_000):
        unknown: list[tuple[str, object, str]] = [
            ("ListCompanions", ListCompanionsRequest(player_id=stranger), "player"),
            ("ListMatches", ListMatchesRequest(player_id=stranger), "player"),
            ("GetHeadToHead", GetHeadToHeadRequest(player_id="bob", other_id=stranger), "player"),
            ("GetSheet", GetSheetRequest(table_id=stranger), "table"),
            ("ListRatings", ListRatingsRequest(family=stranger), "family"),
            ("ListSeasons", ListSeasonsRequest(family=stranger), "family"),
            ("GetLeaderboard", GetLeaderboardRequest(family=stranger), "family"),
        ]
        for name, asked, what in unknown:
            refusal = await client.refused(name, asked)
            assert refusal == (grpc.StatusCode.NOT_FOUND, f"scoring/unknown_{what}")
