"""The MatchmakingService: what clients send, checked, and their tickets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import grpc

from shuangkou.chassis.auth import caller
from shuangkou.chassis.errors import InvalidArgument
from shuangkou.matchmaking import record as records
from shuangkou.matchmaking.asking import ticket_id_of
from shuangkou.matchmaking.mirror import Mirror, News
from shuangkou.matchmaking.queue import TicketQueue
from shuangkou.matchmaking.stats import queue_stats
from shuangkou.matchmaking.store import player_key
from shuangkou.matchmaking.wishes import Wishes, player
from shuangkou.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_STATE_CANCELLED,
    TICKET_STATE_MATCHED,
    TICKET_STATE_WAITING,
    PlayerRecord,
    Ticket,
    WatchTicketResponse,
)

_Context = grpc.aio.ServicerContext[Any, Any]
_ENDED = (TICKET_STATE_MATCHED, TICKET_STATE_CANCELLED)
_PLACE_SECONDS = 1.0
"""How often a watcher hears of its place in the queue."""


@dataclass(frozen=True, slots=True)
class MatchmakingService(matchmaking_pb2_grpc.MatchmakingServiceServicer):
    """Shows every player its own tickets only."""

    queue: TicketQueue
    mirror: Mirror
    wishes: Wishes

    async def CreateTicket(  # noqa: N802  # gRPC's name
        self, request: matchmaking_pb2.CreateTicketRequest, _context: _Context
    ) -> matchmaking_pb2.CreateTicketResponse:
        """Queue the caller."""
        player_id, now_ms = player(), _now_ms()
        if request.rematch_of:
            held = await self.queue.held_by(player_id)
            ticket = self.wishes.rematch(request, held.record, now_ms)
        else:
            ticket = await self.wishes.ticket(request, player_id, now_ms)
        return matchmaking_pb2.CreateTicketResponse(ticket=await self.queue.enter(ticket))

    async def GetTicket(  # noqa: N802  # gRPC's name
        self, request: matchmaking_pb2.GetTicketRequest, _context: _Context
    ) -> matchmaking_pb2.GetTicketResponse:
        """Show a ticket as it is now."""
        if not request.ticket_id:
            return matchmaking_pb2.GetTicketResponse(ticket=await self.queue.current(player()))
        held = await self.queue.find(player(), ticket_id_of(request.ticket_id), _now_ms())
        return matchmaking_pb2.GetTicketResponse(ticket=held.ticket)

    async def CancelTicket(  # noqa: N802  # gRPC's name
        self, request: matchmaking_pb2.CancelTicketRequest, _context: _Context
    ) -> matchmaking_pb2.CancelTicketResponse:
        """Take a waiting ticket back."""
        ticket = await self.queue.leave(player(), ticket_id_of(request.ticket_id), _now_ms())
        return matchmaking_pb2.CancelTicketResponse(ticket=ticket)

    async def AnswerReadyCheck(  # noqa: N802  # gRPC's name
        self, request: matchmaking_pb2.AnswerReadyCheckRequest, _context: _Context
    ) -> matchmaking_pb2.AnswerReadyCheckResponse:
        """Sit down, or do not."""
        player_id, ticket_id = player(), ticket_id_of(request.ticket_id)
        if not request.HasField("is_ready"):
            raise InvalidArgument("match/no_answer", "say whether you are ready: is_ready is missing")
        ticket = await self.queue.answer(player_id, ticket_id, request.is_ready, _now_ms())
        return matchmaking_pb2.AnswerReadyCheckResponse(ticket=ticket)

    async def GetQueueStats(  # noqa: N802  # gRPC's name
        self, request: matchmaking_pb2.GetQueueStatsRequest, _context: _Context
    ) -> matchmaking_pb2.GetQueueStatsResponse:
        """Show the queues."""
        caller()
        if request.ruleset_id:
            await self.wishes.require_ruleset(request.ruleset_id)
        stats = queue_stats(self.mirror.picture, _now_ms())
        wanted = [each for each in stats if request.ruleset_id in ("", each.ruleset_id)]
        return matchmaking_pb2.GetQueueStatsResponse(queues=wanted)

    async def WatchTicket(  # noqa: N802  # gRPC's name
        self, request: matchmaking_pb2.WatchTicketRequest, _context: _Context
    ) -> AsyncIterator[WatchTicketResponse]:
        """Stream a ticket until it ends."""
        player_id, ticket_id = player(), ticket_id_of(request.ticket_id)
        with self.mirror.news_of(player_key(player_id)) as news:
            held = await self.queue.find(player_id, ticket_id, _now_ms())
            sequence, shown = held.sequence, self._shown(held.ticket)
            yield shown
            had_place = True
            while shown.ticket.state not in _ENDED:
                sequence, ticket = await self._next(news, sequence, shown.ticket)
                newer = self._shown(ticket)
                # A ticket without a place was just claimed here: that is stored, and heard of, in a moment.
                is_claimed = _lost_its_place(shown, newer) and had_place
                had_place = not is_claimed
                if newer != shown and not is_claimed:
                    shown = newer
                    yield shown

    async def _next(self, news: News, sequence: int, ticket: Ticket) -> tuple[int, Ticket]:
        """The ticket when something newer is stored, or as it is when it is time to look at its place."""
        try:
            async with asyncio.timeout(_PLACE_SECONDS):
                entry = await news.get()
        except TimeoutError:
            return sequence, ticket
        if entry.sequence <= sequence:
            return sequence, ticket
        record = PlayerRecord.FromString(entry.value)
        found = records.find(record, ticket.ticket_id, _now_ms(), self.queue.terms)
        return entry.sequence, ticket if found is None else found

    def _shown(self, ticket: Ticket) -> WatchTicketResponse:
        shown = WatchTicketResponse(ticket=ticket, ready_check=self.mirror.picture.ready_check(ticket))
        if ticket.state != TICKET_STATE_WAITING:
            return shown
        place = self.mirror.picture.pool.place_of(ticket.player_id)
        if place is not None:
            shown.position, shown.waiting = place
        elif ticket.partner_id and not ticket.rematch_of:
            shown.waits_for_partner = True
        if not shown.waits_for_partner and not ticket.rematch_of:
            more_ms = self._more_ms(ticket)
            if more_ms is not None:
                shown.estimated_wait_ms = more_ms
        return shown

    def _more_ms(self, ticket: Ticket) -> int | None:
        """How much longer the ticket will wait; None where nobody can say."""
        now_ms, takes_bots = _now_ms(), ticket.bots_at_ms > 0
        queue = (ticket.ruleset_id, ticket.mode)
        waited_ms = now_ms - ticket.created_ms
        more_ms = self.mirror.picture.waits.more_ms(queue, takes_bots, waited_ms, now_ms)
        if more_ms is not None and takes_bots:
            more_ms = min(more_ms, ticket.bots_at_ms - now_ms)
        # In whole seconds, so that a watcher is not told of every millisecond.
        return more_ms // 1000 * 1000 if more_ms is not None and more_ms >= 1000 else None


def _lost_its_place(before: WatchTicketResponse, now: WatchTicketResponse) -> bool:
    return before.ticket == now.ticket and before.position > 0 and now.position == 0


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
