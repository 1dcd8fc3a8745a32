"""A player's side of matchmaking: queue, look, take back."""

from __future__ import annotations

from dataclasses import dataclass

from shuangkou.chassis.errors import Aborted, FailedPrecondition, InvalidArgument, NotFound
from shuangkou.chassis.nats import AppendTimeout, WrongLastSequence
from shuangkou.matchmaking.bucket import Bucket
from shuangkou.matchmaking.matcher import Game, Queued, game_of
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_CANCELLED, TICKET_STATE_WAITING, Ticket

_ATTEMPTS = 8


@dataclass(frozen=True, slots=True)
class TicketQueue:
    """Decides on the bucket's newest state and stores with a check; decides again when that has moved on."""

    bucket: Bucket

    async def enter(self, ticket: Ticket) -> Queued:
        """The player's ticket with this id, stored now or before; FailedPrecondition beside another.

        InvalidArgument where the ticket that was stored before asks for something else.
        """
        for _ in range(_ATTEMPTS):
            found = await self.bucket.ticket(ticket.player_id, ticket.ticket_id)
            if found is not None:
                if _wish(found.ticket) != _wish(ticket):
                    explanation = f"ticket id {ticket.ticket_id!r} was used for another ticket"
                    raise InvalidArgument("match/ticket_id_reused", explanation)
                return found
            held = await self.bucket.holding(ticket.player_id)
            if held.ticket_id:
                raise FailedPrecondition("match/already_queued", f"you hold the ticket {held.ticket_id}")
            try:
                return await self.bucket.put(ticket, held)
            except (WrongLastSequence, AppendTimeout):
                continue
        raise _busy()

    async def find(self, player_id: str, ticket_id: str) -> Queued:
        """The ticket as it is now; NotFound for one that the player does not have."""
        found = await self.bucket.ticket(player_id, ticket_id)
        if found is None:
            raise NotFound("match/unknown_ticket", f"you have no ticket {ticket_id!r}")
        return found

    async def leave(self, player_id: str, ticket_id: str) -> Queued:
        """The ticket, cancelled now or before; FailedPrecondition once others count on the player."""
        for _ in range(_ATTEMPTS):
            found = await self.find(player_id, ticket_id)
            if found.ticket.state == TICKET_STATE_CANCELLED:
                return found
            if found.ticket.state != TICKET_STATE_WAITING:
                raise FailedPrecondition("match/not_waiting", f"ticket {ticket_id} is matched already")
            cancelled = Ticket()
            cancelled.CopyFrom(found.ticket)
            cancelled.state = TICKET_STATE_CANCELLED
            try:
                await self.bucket.cancel(found, cancelled)
            except (WrongLastSequence, AppendTimeout):
                continue
        raise _busy()


def _wish(ticket: Ticket) -> tuple[Game, int | None]:
    """What the player asked for: the game, and how long to wait for people; None: for ever."""
    bots_after_ms = ticket.bots_at_ms - ticket.created_ms if ticket.bots_at_ms else None
    return game_of(ticket), bots_after_ms


def _busy() -> Aborted:
    return Aborted("match/try_again", "the ticket keeps changing; try again")
