"""The ScoringService: questions to the ledger, checked at the boundary."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc

from shuangkou.chassis.auth import caller
from shuangkou.chassis.errors import Unavailable
from shuangkou.chassis.logs import logger
from shuangkou.rules.ruleset import available, families
from shuangkou.scoring import answers, requests
from shuangkou.scoring.boards import BoardPage, Boards, PointsQuestion, RatingsQuestion
from shuangkou.scoring.bookmark import (
    BoardBookmark,
    CompanionsBookmark,
    MatchesBookmark,
    PageTokens,
    SettlementsBookmark,
)
from shuangkou.scoring.database import OUT_OF_REACH
from shuangkou.scoring.documents import document_of
from shuangkou.scoring.privacy import Reader, check_may_read, reader_of
from shuangkou.scoring.records import Records, SettlementsQuestion
from shuangkou.scoring.seasons import DAILY_POINTS, season_of
from shuangkou.scoring.sheets import sheet_of
from shuangkou.v1 import events_pb2, scoring_pb2, scoring_pb2_grpc

_Context = grpc.aio.ServicerContext[Any, Any]
# No database can find it: PostgreSQL takes no text that holds it.
_NUL = "\0"


@dataclass(frozen=True, slots=True)
class ScoringService(scoring_pb2_grpc.ScoringServiceServicer):
    """Answers from the ledger to any authenticated caller; of private tables only sums to strangers."""

    records: Records
    boards: Boards
    tokens: PageTokens

    async def ListSettlements(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.ListSettlementsRequest, _context: _Context
    ) -> scoring_pb2.ListSettlementsResponse:
        """Settled deals, newest first, without those that are hidden from the caller.

        NotFound for a table or a player without one; PermissionDenied for a table that is hidden.
        """
        size = requests.page_size(request.page_size)
        mask = requests.checked_mask(request.read_mask, events_pb2.SettlementStored)
        question = SettlementsQuestion(request.table_id, request.player_id, reader_of(caller()))
        after = requests.continued(self.tokens, SettlementsBookmark, request.page_token, question)
        with _ledger_in_reach():
            if question.table_id:
                await self._check_table(question.table_id, question.reader)
            if question.player_id:
                await self._check_known(question.player_id)
            page = await self.records.settlements(question, after, size)
        answer = scoring_pb2.ListSettlementsResponse(
            next_page_token=self.tokens.token(page.bookmark, question)
        )
        for stored in page.settlements:
            answer.settlements.append(requests.masked(mask, stored))
        return answer

    async def GetLeaderboard(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.GetLeaderboardRequest, _context: _Context
    ) -> scoring_pb2.GetLeaderboardResponse:
        """Players by points, best first; NotFound for an unknown ruleset or season, or who is not ranked."""
        size = requests.page_size(request.page_size)
        season = requests.season_of(request.season)
        question = PointsQuestion(requests.board_of(request), season, request.include_bots)
        mark = requests.continued(self.tokens, BoardBookmark, request.page_token, question)
        if _NUL in question.board:
            raise requests.unknown_ruleset(question.board)
        start = requests.start_of(request)
        if _NUL in start:
            raise requests.not_ranked(start)
        with _ledger_in_reach():
            if start:
                page = await self.boards.points_from(question, start, size)
            else:
                page = await self.boards.points(question, mark, size)
            if not page.rows and mark is None:
                await self._check_season(question)
        if start and not page.rows:
            raise requests.not_ranked(start)
        return scoring_pb2.GetLeaderboardResponse(
            rows=[answers.leaderboard_row(ranked) for ranked in page.rows], **self._tokens(page, question)
        )

    async def ListRatings(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.ListRatingsRequest, _context: _Context
    ) -> scoring_pb2.ListRatingsResponse:
        """Players or pairs by rating, best first; NotFound for an unknown season, or who is not ranked."""
        size = requests.page_size(request.page_size)
        mask = requests.checked_mask(request.read_mask, scoring_pb2.RatingRow)
        family, pool = requests.family_of(request.family), requests.pool_of(request.pool)
        season = requests.season_of(request.season)
        start = requests.subject_of(request)
        if _NUL in start:
            raise requests.not_ranked(start)
        with _ledger_in_reach():
            season = season or await self.boards.newest_season(family)
            question = RatingsQuestion(family, season, pool, request.pairs)
            mark = requests.continued(self.tokens, BoardBookmark, request.page_token, question)
            if start:
                page = await self.boards.ratings_from(question, start, size)
            else:
                page = await self.boards.ratings(question, mark, size)
            if not page.rows and mark is None:
                await self._check_season(question)
        if start and not page.rows:
            raise requests.not_ranked(start)
        rows = [requests.masked(mask, answers.rating_row(ranked)) for ranked in page.rows]
        return scoring_pb2.ListRatingsResponse(rows=rows, season=season, **self._tokens(page, question))

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
        requests.require(player_id=player_id)
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
        requests.require(player_id=request.player_id)
        size = requests.page_size(request.page_size)
        question = f"companions {request.player_id!r}"
        after = requests.continued(self.tokens, CompanionsBookmark, request.page_token, question)
        with _ledger_in_reach():
            await self._check_known(request.player_id)
            page = await self.records.companions(request.player_id, after, size)
        token = self.tokens.token(page.bookmark, question)
        return scoring_pb2.ListCompanionsResponse(
            companions=map(answers.companion, page.companions), next_page_token=token
        )

    async def GetHeadToHead(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.GetHeadToHeadRequest, _context: _Context
    ) -> scoring_pb2.GetHeadToHeadResponse:
        """What two players did with and against each other; empty where they never met."""
        requests.require(player_id=request.player_id, other_id=request.other_id)
        requests.different(request.player_id, request.other_id)
        with _ledger_in_reach():
            await self._check_known(request.player_id)
            await self._check_known(request.other_id)
            rows = await self.records.head_to_head(request.player_id, request.other_id)
        return scoring_pb2.GetHeadToHeadResponse(rulesets=map(answers.head_to_head, rows))

    async def ListMatches(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.ListMatchesRequest, _context: _Context
    ) -> scoring_pb2.ListMatchesResponse:
        """Finished matches of a player, newest first, without those that are hidden from the caller."""
        requests.require(player_id=request.player_id)
        size = requests.page_size(request.page_size)
        mask = requests.checked_mask(request.read_mask, scoring_pb2.MatchResult)
        question = f"matches {request.player_id!r}"
        after = requests.continued(self.tokens, MatchesBookmark, request.page_token, question)
        with _ledger_in_reach():
            await self._check_known(request.player_id)
            page = await self.records.matches(request.player_id, after, size, reader_of(caller()))
        token = self.tokens.token(page.bookmark, question)
        matches = [requests.masked(mask, match) for match in page.matches]
        return scoring_pb2.ListMatchesResponse(matches=matches, next_page_token=token)

    async def GetSheet(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.GetSheetRequest, _context: _Context
    ) -> scoring_pb2.GetSheetResponse:
        """The score sheet of a table, as a document too where one is asked for.

        NotFound for a table without a settled deal; PermissionDenied for one that is hidden from the caller.
        """
        requests.require(table_id=request.table_id)
        kind = requests.sheet_format(request.format)
        with _ledger_in_reach():
            await self._check_table(request.table_id, reader_of(caller()))
            deals = await self.records.table(request.table_id)
        sheet = sheet_of(deals)
        return scoring_pb2.GetSheetResponse(sheet=sheet, document=document_of(sheet, kind))

    async def _check_known(self, player_id: str) -> None:
        if _NUL in player_id or not await self.records.is_known(player_id):
            raise requests.unknown_player(player_id)

    async def _check_season(self, question: PointsQuestion | RatingsQuestion) -> None:
        """Whether what was found empty may be empty; NotFound for a ruleset or a season that never was."""
        seasons = await self.boards.seasons_of(question)
        # The ledger may know a ruleset that was withdrawn.
        known = {*available(), *families()}
        if isinstance(question, PointsQuestion) and not seasons and question.board not in known:
            raise requests.unknown_ruleset(question.board)
        running = season_of(int(time.time() * 1000))
        if question.season and question.season not in (*seasons, running):
            raise requests.no_season(question.season, seasons)

    async def _check_table(self, table_id: str, reader: Reader) -> None:
        if _NUL in table_id or not await self.records.has_settled(table_id):
            raise requests.unknown_table(table_id)
        await check_may_read(self.records.database, table_id, reader)

    def _tokens(self, page: BoardPage, question: PointsQuestion | RatingsQuestion) -> dict[str, str]:
        return {
            "next_page_token": self.tokens.token(page.following, question),
            "previous_page_token": self.tokens.token(page.previous, question),
        }


@contextmanager
def _ledger_in_reach() -> Iterator[None]:
    try:
        yield
    except OUT_OF_REACH as error:
        logger().warning("ledger_out_of_reach", reason=str(error))
        raise Unavailable("scoring/ledger_out_of_reach", "the ledger cannot be reached; try again") from None
