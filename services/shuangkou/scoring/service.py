"""The ScoringService: questions to the ledger, checked at the boundary."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc

from shuangkou.chassis.errors import Unavailable
from shuangkou.chassis.logs import logger
from shuangkou.rules.ruleset import available
from shuangkou.scoring import answers, requests
from shuangkou.scoring.boards import BoardPage, Boards, PointsQuestion, RatingsQuestion
from shuangkou.scoring.bookmark import (
    BoardBookmark,
    CompanionsBookmark,
    MatchesBookmark,
    SettlementsBookmark,
    page_token,
)
from shuangkou.scoring.database import OUT_OF_REACH
from shuangkou.scoring.documents import document_of
from shuangkou.scoring.records import Records, SettlementsQuestion
from shuangkou.scoring.seasons import DAILY_POINTS
from shuangkou.scoring.sheets import sheet_of
from shuangkou.v1 import events_pb2, scoring_pb2, scoring_pb2_grpc

_Context = grpc.aio.ServicerContext[Any, Any]
# No database can find it: PostgreSQL takes no text that holds it.
_NUL = "\0"


@dataclass(frozen=True, slots=True)
class ScoringService(scoring_pb2_grpc.ScoringServiceServicer):
    """Answers from the ledger to any authenticated caller."""

    records: Records
    boards: Boards

    async def ListSettlements(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.ListSettlementsRequest, _context: _Context
    ) -> scoring_pb2.ListSettlementsResponse:
        """Settled deals, newest first."""
        size = requests.page_size(request.page_size)
        mask = requests.checked_mask(request.read_mask, events_pb2.SettlementStored)
        question = SettlementsQuestion(request.table_id, request.player_id)
        after = requests.continued(SettlementsBookmark, request.page_token, str(question))
        if _NUL in request.table_id or _NUL in request.player_id:
            return scoring_pb2.ListSettlementsResponse()
        with _ledger_in_reach():
            page = await self.records.settlements(question, after, size)
        answer = scoring_pb2.ListSettlementsResponse(next_page_token=_token(page.bookmark))
        for stored in page.settlements:
            answer.settlements.append(requests.masked(mask, stored))
        return answer

    async def GetLeaderboard(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.GetLeaderboardRequest, _context: _Context
    ) -> scoring_pb2.GetLeaderboardResponse:
        """Players by points, best first; NotFound for a ruleset that there never was."""
        size = requests.page_size(request.page_size)
        season = requests.season_of(request.season)
        question = PointsQuestion(requests.board_of(request), season, request.include_bots)
        mark = requests.continued(BoardBookmark, request.page_token, str(question))
        if _NUL in question.board:
            raise requests.unknown_ruleset(question.board)
        with _ledger_in_reach():
            page = await self.boards.points(question, mark, size)
        # The ledger may know one that was withdrawn.
        if not page.rows and mark is None and not request.family and request.ruleset_id not in available():
            raise requests.unknown_ruleset(request.ruleset_id)
        return scoring_pb2.GetLeaderboardResponse(
            rows=[answers.leaderboard_row(ranked) for ranked in page.rows], **_tokens(page)
        )

    async def ListRatings(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.ListRatingsRequest, _context: _Context
    ) -> scoring_pb2.ListRatingsResponse:
        """Players or pairs by rating, best first."""
        size = requests.page_size(request.page_size)
        family, pool = requests.family_of(request.family), requests.pool_of(request.pool)
        season = requests.season_of(request.season)
        with _ledger_in_reach():
            season = season or await self.boards.newest_season(family)
            question = RatingsQuestion(family, season, pool, request.pairs)
            mark = requests.continued(BoardBookmark, request.page_token, str(question))
            page = await self.boards.ratings(question, mark, size)
        rows = [answers.rating_row(ranked) for ranked in page.rows]
        return scoring_pb2.ListRatingsResponse(rows=rows, season=season, **_tokens(page))

    async def ListSeasons(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.ListSeasonsRequest, _context: _Context
    ) -> scoring_pb2.ListSeasonsResponse:
        """Seasons with ratings, newest first."""
        family = requests.family_of(request.family)
        with _ledger_in_reach():
            seasons = await self.boards.seasons(family)
        told = [answers.season(name, ratings, seasons[0][0]) for name, ratings in seasons]
        return scoring_pb2.ListSeasonsResponse(seasons=told)

    async def GetPlayer(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.GetPlayerRequest, _context: _Context
    ) -> scoring_pb2.GetPlayerResponse:
        """One player's results by ruleset, ratings, days, company, and matches in events."""
        mask, player_id = request.read_mask, request.player_id
        requests.checked_mask(mask, scoring_pb2.GetPlayerResponse)
        answer = scoring_pb2.GetPlayerResponse(player_id=player_id)
        with _ledger_in_reach():
            await self._check_known(player_id)
            if requests.asks_for(mask, "results"):
                answer.results.extend(map(answers.player_results, await self.records.tallies(player_id)))
            if requests.asks_for(mask, "events"):
                answer.events.extend(map(answers.event_results, await self.records.event_results(player_id)))
            if requests.asks_for(mask, "ratings"):
                answer.ratings.extend(map(answers.rating, await self.records.ratings(player_id)))
            if requests.asks_for(mask, "days_played", "daily_points"):
                answer.days_played = await self.records.days_played(player_id)
                answer.daily_points = DAILY_POINTS * answer.days_played
            if requests.asks_for(mask, "partners", "opponents"):
                company = await self.records.company(player_id)
                answer.partners, answer.opponents = company.partners, company.opponents
        return requests.masked(mask, answer)

    async def ListCompanions(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.ListCompanionsRequest, _context: _Context
    ) -> scoring_pb2.ListCompanionsResponse:
        """Whom a player has sat with and against, the most often met first."""
        size = requests.page_size(request.page_size)
        after = requests.continued(CompanionsBookmark, request.page_token, request.player_id)
        with _ledger_in_reach():
            await self._check_known(request.player_id)
            page = await self.records.companions(request.player_id, after, size)
        return scoring_pb2.ListCompanionsResponse(
            companions=map(answers.companion, page.companions), next_page_token=_token(page.bookmark)
        )

    async def GetHeadToHead(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.GetHeadToHeadRequest, _context: _Context
    ) -> scoring_pb2.GetHeadToHeadResponse:
        """What two players did with and against each other; empty where they never met."""
        with _ledger_in_reach():
            await self._check_known(request.player_id)
            await self._check_known(request.other_id)
            rows = await self.records.head_to_head(request.player_id, request.other_id)
        return scoring_pb2.GetHeadToHeadResponse(rulesets=map(answers.head_to_head, rows))

    async def ListMatches(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.ListMatchesRequest, _context: _Context
    ) -> scoring_pb2.ListMatchesResponse:
        """Finished matches of a player, newest first."""
        size = requests.page_size(request.page_size)
        after = requests.continued(MatchesBookmark, request.page_token, request.player_id)
        with _ledger_in_reach():
            await self._check_known(request.player_id)
            page = await self.records.matches(request.player_id, after, size)
        token = _token(page.bookmark)
        return scoring_pb2.ListMatchesResponse(matches=page.matches, next_page_token=token)

    async def GetSheet(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.GetSheetRequest, _context: _Context
    ) -> scoring_pb2.GetSheetResponse:
        """The score sheet of a table, as a document too where one is asked for."""
        kind = requests.sheet_format(request.format)
        with _ledger_in_reach():
            deals = await self.records.table(request.table_id) if _NUL not in request.table_id else []
        if not deals:
            raise requests.unknown_table(request.table_id)
        sheet = sheet_of(deals)
        return scoring_pb2.GetSheetResponse(sheet=sheet, document=document_of(sheet, kind))

    async def _check_known(self, player_id: str) -> None:
        if _NUL in player_id or not await self.records.is_known(player_id):
            raise requests.unknown_player(player_id)


@contextmanager
def _ledger_in_reach() -> Iterator[None]:
    try:
        yield
    except OUT_OF_REACH as error:
        logger().warning("ledger_out_of_reach", reason=str(error))
        raise Unavailable("scoring/ledger_out_of_reach", "the ledger cannot be reached; try again") from None


def _token(bookmark: SettlementsBookmark | CompanionsBookmark | MatchesBookmark | None) -> str:
    return page_token(bookmark) if bookmark else ""


def _tokens(page: BoardPage) -> dict[str, str]:
    return {
        "next_page_token": page_token(page.following) if page.following else "",
        "previous_page_token": page_token(page.previous) if page.previous else "",
    }
