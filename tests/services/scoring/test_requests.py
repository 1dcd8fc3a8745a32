"""What a request lacks or cannot mean is said in words, by every call of the service."""

from __future__ import annotations

import time

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message

from kit.score_clients import Client
from kit.waiting import eventually
from shuangkou.chassis.errors import InvalidArgument
from shuangkou.scoring.requests import checked_mask
from shuangkou.scoring.seasons import season_of
from shuangkou.v1 import scoring_pb2
from shuangkou.v1.events_pb2 import RATING_POOL_BOTS
from shuangkou.v1.scoring_pb2 import (
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
)

INVALID, NOT_FOUND = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND

COMPLETE: dict[str, tuple[Message, tuple[str, ...]]] = {
    "ListSettlements": (ListSettlementsRequest(), ()),
    "GetLeaderboard": (GetLeaderboardRequest(ruleset_id="qq"), ("ruleset_id",)),
    "ListRatings": (ListRatingsRequest(family="climbing"), ("family",)),
    "ListSeasons": (ListSeasonsRequest(family="climbing"), ("family",)),
    "GetPlayer": (GetPlayerRequest(player_id="bob"), ("player_id",)),
    "ListCompanions": (ListCompanionsRequest(player_id="bob"), ("player_id",)),
    "GetHeadToHead": (
        GetHeadToHeadRequest(player_id="bob", other_id="alice"),
        ("player_id", "other_id"),
    ),
    "ListMatches": (ListMatchesRequest(player_id="bob"), ("player_id",)),
    "GetSheet": (GetSheetRequest(table_id="t1"), ("table_id",)),
}
"""By call: a question that is answered, and the fields without which it is none."""


async def why_refused(client: Client, call: str, request: Message) -> tuple[grpc.StatusCode, str]:
    """The status, and what a person is told."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await client.ask(call, request)
    return caught.value.code(), caught.value.details() or ""


async def test_every_call_says_which_field_it_lacks(client: Client) -> None:
    service = scoring_pb2.DESCRIPTOR.services_by_name["ScoringService"]
    assert set(COMPLETE) == {method.name for method in service.methods}
    for call, (request, required) in COMPLETE.items():
        await client.ask(call, request)
        for field in required:
            lacking = type(request)()
            lacking.CopyFrom(request)
            lacking.ClearField(field)
            status, why = await why_refused(client, call, lacking)
            assert (status, field in why, "empty" in why) == (INVALID, True, True), (call, field, why)


async def test_a_season_is_one_that_there_is(client: Client) -> None:
    """The one that runs may hold nothing yet; the deals of this ledger are of the first one."""

    async def rated() -> bool:
        return bool((await client.ask("ListSeasons", ListSeasonsRequest(family="climbing"))).seasons)

    await eventually(rated, within=30)
    running = season_of(int(time.time() * 1000))
    for season in ("1970q1", running):
        await client.ask("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", season=season))
        await client.ask("ListRatings", ListRatingsRequest(family="climbing", season=season))
    for season in ("9999q4", "2019q1"):
        for call, request in (
            ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", season=season)),
            ("GetLeaderboard", GetLeaderboardRequest(ruleset_id="qq", season=season, from_player_id="bob")),
            ("GetLeaderboard", GetLeaderboardRequest(family="climbing", season=season)),
        ):
            assert await client.refused(call, request) == (NOT_FOUND, "scoring/no_season")
            assert "seasons there are: 1970q1" in (await why_refused(client, call, request))[1]
        ratings = ListRatingsRequest(family="climbing", season=season)
        assert await client.refused("ListRatings", ratings) == (NOT_FOUND, "scoring/no_season")
        unplayed = GetLeaderboardRequest(ruleset_id="jj", season=season)
        assert "seasons there are: none yet" in (await why_refused(client, "GetLeaderboard", unplayed))[1]
    outside = GetLeaderboardRequest(ruleset_id="qq", season="1969q4")
    assert "from 1970q1 to 9999q4" in (await why_refused(client, "GetLeaderboard", outside))[1]
    for season in ("2026", "2026q5", "2026Q4", "26q4", "1969q4", "q", "2026q4 ", "0000q1"):
        malformed = GetLeaderboardRequest(ruleset_id="qq", season=season)
        assert await client.refused("GetLeaderboard", malformed) == (INVALID, "scoring/bad_season")
        malformed_too = ListRatingsRequest(family="climbing", season=season)
        assert await client.refused("ListRatings", malformed_too) == (INVALID, "scoring/bad_season")


@pytest.mark.parametrize(
    ("path", "listed"),
    [("results.points", "'results'"), ("ratings.pool", "'ratings'"), ("results", ""), ("player_id.x", "")],
)
def test_a_mask_that_leads_into_a_list_is_told_what_to_name(path: str, listed: str) -> None:
    mask = FieldMask(paths=[path, "nothing"])
    with pytest.raises(InvalidArgument) as refused:
        checked_mask(mask, GetPlayerResponse)
    assert (f"name {listed} as a whole" in str(refused.value)) == bool(listed)


async def test_nobody_is_compared_with_itself(client: Client) -> None:
    same = GetHeadToHeadRequest(player_id="bob", other_id="bob")
    assert await client.refused("GetHeadToHead", same) == (INVALID, "scoring/same_player")
    for names, pairs in ((["bob", "bob"], True), ([""], False), (["bob", ""], True)):
        pair = ListRatingsRequest(family="climbing", pairs=pairs, from_player_ids=names)
        assert await client.refused("ListRatings", pair) == (INVALID, "scoring/bad_start")


async def test_a_bot_that_is_left_out_is_told_what_to_set(client: Client) -> None:
    left_out = GetLeaderboardRequest(ruleset_id="qq", from_player_id="bot:plain")
    status, why = await why_refused(client, "GetLeaderboard", left_out)
    assert (status, "include_bots" in why) == (INVALID, True)
    left_out.include_bots = True
    assert await client.refused("GetLeaderboard", left_out) == (NOT_FOUND, "scoring/not_ranked")
    rated = ListRatingsRequest(family="climbing", from_player_ids=["bot:plain"])
    status, why = await why_refused(client, "ListRatings", rated)
    assert (status, "RATING_POOL_BOTS" in why) == (INVALID, True)
    rated.pool = RATING_POOL_BOTS
    assert await client.refused("ListRatings", rated) == (NOT_FOUND, "scoring/not_ranked")
