"""The MatchmakingService: what clients send, checked, and their tickets."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import grpc

from shuangkou.chassis.auth import CallerKind, caller
from shuangkou.chassis.errors import FailedPrecondition, InvalidArgument, NotFound, PermissionDenied
from shuangkou.matchmaking.bucket import ticket_key
from shuangkou.matchmaking.mirror import Mirror
from shuangkou.matchmaking.queue import TicketQueue
from shuangkou.matchmaking.rulesets import KnownRulesets
from shuangkou.rules.ruleset import MOST_DEALS, UnknownRuleSet, load
from shuangkou.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from shuangkou.v1.events_pb2 import EventTerms
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_STATE_CANCELLED,
    TICKET_STATE_MATCHED,
    TICKET_STATE_WAITING,
    Ticket,
)
from shuangkou.wire.match_events import event_on, terms_to_wire
from shuangkou.wire.names import PLAYER_NAME_RULE, is_player_name
from shuangkou.wire.refusals import BAD_NAME, MalformedMessage, status_of

_Context = grpc.aio.ServicerContext[Any, Any]
_TICKET_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BOTS_AFTER_MS = 10_000
_ENDED = (TICKET_STATE_MATCHED, TICKET_STATE_CANCELLED)


@dataclass(frozen=True, slots=True)
class MatchmakingService(matchmaking_pb2_grpc.MatchmakingServiceServicer):
    """Shows every player its own tickets only."""

    queue: TicketQueue
    mirror: Mirror
    rulesets: KnownRulesets

    async def CreateTicket(  # noqa: N802  # gRPC's name
        self, request: matchmaking_pb2.CreateTicketRequest, _context: _Context
    ) -> matchmaking_pb2.CreateTicketResponse:
        """Queue the caller."""
        ticket = _new_ticket(request, _player())
        if not await self.rulesets.has(request.ruleset_id):
            known = ", ".join(sorted(self.rulesets.ids))
            raise NotFound("ruleset/unknown", f"no ruleset {request.ruleset_id[:40]!r}; there are {known}")
        if request.HasField("event"):
            ticket.event.MergeFrom(_event_terms(request))
        elif not ticket.deals:
            ticket.deals = _usual_deals(request.ruleset_id)
        queued = await self.queue.enter(ticket)
        return matchmaking_pb2.CreateTicketResponse(ticket=queued.ticket)

    async def GetTicket(  # noqa: N802  # gRPC's name
        self, request: matchmaking_pb2.GetTicketRequest, _context: _Context
    ) -> matchmaking_pb2.GetTicketResponse:
        """Show a ticket as it is now."""
        queued = await self.queue.find(_player(), _ticket_id(request.ticket_id))
        return matchmaking_pb2.GetTicketResponse(ticket=queued.ticket)

    async def CancelTicket(  # noqa: N802  # gRPC's name
        self, request: matchmaking_pb2.CancelTicketRequest, _context: _Context
    ) -> matchmaking_pb2.CancelTicketResponse:
        """Take a waiting ticket back."""
        queued = await self.queue.leave(_player(), _ticket_id(request.ticket_id))
        return matchmaking_pb2.CancelTicketResponse(ticket=queued.ticket)

    async def WatchTicket(  # noqa: N802  # gRPC's name
        self, request: matchmaking_pb2.WatchTicketRequest, _context: _Context
    ) -> AsyncIterator[matchmaking_pb2.WatchTicketResponse]:
        """Stream a ticket until it ends."""
        player_id, ticket_id = _player(), _ticket_id(request.ticket_id)
        with self.mirror.news_of(ticket_key(player_id, ticket_id)) as news:
            shown = await self.queue.find(player_id, ticket_id)
            yield matchmaking_pb2.WatchTicketResponse(ticket=shown.ticket)
            while shown.ticket.state not in _ENDED:
                newer = await news.get()
                if newer.sequence > shown.sequence:
                    shown = newer
                    yield matchmaking_pb2.WatchTicketResponse(ticket=shown.ticket)


def _new_ticket(request: matchmaking_pb2.CreateTicketRequest, player_id: str) -> Ticket:
    objection = _objection_to_deals(request)
    if objection is not None:
        raise InvalidArgument("match/bad_deals", f"{objection}, not {request.deals}")
    now_ms = time.time_ns() // 1_000_000
    bots_after_ms = request.bots_after_ms if request.HasField("bots_after_ms") else _BOTS_AFTER_MS
    return Ticket(
        ticket_id=_ticket_id(request.ticket_id),
        player_id=player_id,
        ruleset_id=request.ruleset_id,
        deals=0 if request.HasField("event") else request.deals,
        state=TICKET_STATE_WAITING,
        created_ms=now_ms,
        bots_at_ms=0 if request.people_only else now_ms + bots_after_ms,
    )


def _objection_to_deals(request: matchmaking_pb2.CreateTicketRequest) -> str | None:
    """As the engine would object; where only the engine knows the ruleset, to what no match has."""
    try:
        return load(request.ruleset_id).objection_to_deals(request.deals)
    except UnknownRuleSet:
        return f"a match has at most {MOST_DEALS} deals" if request.deals > MOST_DEALS else None


def _usual_deals(ruleset_id: str) -> int:
    """As many as the engine would play; 0, and so left to it, where only the engine knows the ruleset."""
    try:
        return load(ruleset_id).usual_deals
    except UnknownRuleSet:
        return 0


def _event_terms(request: matchmaking_pb2.CreateTicketRequest) -> EventTerms:
    """The event asked for, written the one way that equal wishes share; refused as the engine would."""
    try:
        return terms_to_wire(event_on(request.event, load(request.ruleset_id), request.deals))
    except UnknownRuleSet as error:
        # The engine knows it, but nobody here can say whether the event fits.
        raise FailedPrecondition("ruleset/unknown", str(error)) from None
    except MalformedMessage as error:
        kind = NotFound if status_of(error.code) is grpc.StatusCode.NOT_FOUND else InvalidArgument
        raise kind(error.code, error.explanation) from None


def _player() -> str:
    identity = caller()
    if identity.kind is not CallerKind.PLAYER:
        raise PermissionDenied("match/players_only", "only a player can hold a ticket")
    # What the engine refuses to seat would take three others down with it.
    if not is_player_name(identity.subject):
        raise PermissionDenied(BAD_NAME, f"a player's name has {PLAYER_NAME_RULE}")
    return identity.subject


def _ticket_id(text: str) -> str:
    if not _TICKET_ID.fullmatch(text):
        raise InvalidArgument("match/bad_ticket_id", "a ticket id has 1 to 64 of A-Z a-z 0-9 - _")
    return text
