"""The ScoringService: questions to the ledger, checked at the boundary."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc

from shuangkou.chassis.errors import InvalidArgument, NotFound, Unavailable
from shuangkou.chassis.logs import logger
from shuangkou.rules.ruleset import available
from shuangkou.scoring.bookmark import (
    B,
    BadBookmark,
    LeaderboardBookmark,
    SettlementsBookmark,
    page_token,
    read_page_token,
)
from shuangkou.scoring.database import OUT_OF_REACH
from shuangkou.scoring.ledger import LeaderboardQuestion, Ledger, SettlementsQuestion
from shuangkou.v1 import scoring_pb2, scoring_pb2_grpc

_Context = grpc.aio.ServicerContext[Any, Any]
_DEFAULT_PAGE = 50
_LARGEST_PAGE = 500
# No database can find it: PostgreSQL takes no text that holds it.
_NUL = "\0"


@dataclass(frozen=True, slots=True)
class ScoringService(scoring_pb2_grpc.ScoringServiceServicer):
    """Answers from the ledger to any authenticated caller."""

    ledger: Ledger

    async def ListSettlements(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.ListSettlementsRequest, _context: _Context
    ) -> scoring_pb2.ListSettlementsResponse:
        """Settled deals, newest first."""
        size = _page_size(request.page_size)
        question = SettlementsQuestion(request.table_id, request.player_id)
        after = _continued(SettlementsBookmark, request.page_token, str(question))
        if _NUL in request.table_id or _NUL in request.player_id:
            return scoring_pb2.ListSettlementsResponse()
        with _ledger_in_reach():
            page = await self.ledger.settlements(question, after, size)
        token = page_token(page.bookmark) if page.bookmark else ""
        return scoring_pb2.ListSettlementsResponse(settlements=page.settlements, next_page_token=token)

    async def GetLeaderboard(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.GetLeaderboardRequest, _context: _Context
    ) -> scoring_pb2.GetLeaderboardResponse:
        """Players by points, best first; NotFound for a ruleset that there never was."""
        size = _page_size(request.page_size)
        question = LeaderboardQuestion(request.ruleset_id, request.include_bots)
        after = _continued(LeaderboardBookmark, request.page_token, str(question))
        if _NUL in request.ruleset_id:
            raise _unknown_ruleset(request.ruleset_id)
        with _ledger_in_reach():
            page = await self.ledger.leaderboard(question, after, size)
        # The ledger may know one that was withdrawn.
        if not page.rows and after is None and request.ruleset_id not in available():
            raise _unknown_ruleset(request.ruleset_id)
        token = page_token(page.bookmark) if page.bookmark else ""
        return scoring_pb2.GetLeaderboardResponse(rows=page.rows, next_page_token=token)

    async def GetPlayer(  # noqa: N802  # gRPC's name
        self, request: scoring_pb2.GetPlayerRequest, _context: _Context
    ) -> scoring_pb2.GetPlayerResponse:
        """One player's results by ruleset, and its matches in events."""
        is_askable = _NUL not in request.player_id
        with _ledger_in_reach():
            results = await self.ledger.player(request.player_id) if is_askable else []
            events = await self.ledger.event_results(request.player_id) if is_askable else []
        if not results:
            explanation = f"no player {request.player_id[:64]!r} has finished a deal"
            raise NotFound("scoring/unknown_player", explanation)
        return scoring_pb2.GetPlayerResponse(player_id=request.player_id, results=results, events=events)


@contextmanager
def _ledger_in_reach() -> Iterator[None]:
    try:
        yield
    except OUT_OF_REACH as error:
        logger().warning("ledger_out_of_reach", reason=str(error))
        raise Unavailable("scoring/ledger_out_of_reach", "the ledger cannot be reached; try again") from None


def _unknown_ruleset(ruleset_id: str) -> NotFound:
    known = ", ".join(available())
    return NotFound("ruleset/unknown", f"no ruleset {ruleset_id[:40]!r}; there are {known}")


def _page_size(asked: int) -> int:
    if not 0 <= asked <= _LARGEST_PAGE:
        raise InvalidArgument("scoring/bad_page_size", f"a page holds 1 to {_LARGEST_PAGE} rows, not {asked}")
    return asked or _DEFAULT_PAGE


def _continued(kind: type[B], token: str, question: str) -> B | None:
    try:
        return read_page_token(kind, token, question)
    except BadBookmark as reason:
        raise InvalidArgument("scoring/bad_page_token", str(reason)) from None
