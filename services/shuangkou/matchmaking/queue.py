"""A player's side of matchmaking: queue, look, answer, take back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from shuangkou.chassis.errors import Aborted, FailedPrecondition, InvalidArgument, NotFound
from shuangkou.chassis.nats import AppendTimeout, WrongLastSequence
from shuangkou.matchmaking import record as records
from shuangkou.matchmaking.party import PARTNER_DIFFERS, are_at_odds, wish_in_words
from shuangkou.matchmaking.record import Terms
from shuangkou.matchmaking.store import Store, player_key
from shuangkou.matchmaking.unit import Queued
from shuangkou.v1.matchmaking_pb2 import (
    READY_ANSWER_DECLINED,
    READY_ANSWER_READY,
    TICKET_MODE_RANKED,
    TICKET_STATE_CANCELLED,
    TICKET_STATE_CLAIMED,
    TICKET_STATE_READY_CHECK,
    TICKET_STATE_WAITING,
    PlayerRecord,
    Ticket,
    TicketMode,
)

_ATTEMPTS = 8


class Seats(Protocol):
    """Who knows whether a seat at a table still counts."""

    async def freed(self, record: PlayerRecord, now_ms: int) -> PlayerRecord | None:
        """The record without its seat when the table is over or was left for good; else None."""
        ...

    async def room_of(self, record: PlayerRecord) -> str:
        """The code of the room in which the player has a place; empty for none."""
        ...


@dataclass(frozen=True, slots=True)
class TicketQueue:
    """Decides on the bucket's newest state and stores with a check; decides again when that has moved on."""

    store: Store
    terms: Terms
    seats: Seats

    async def enter(self, ticket: Ticket) -> Ticket:
        """The player's ticket with this id, stored now or before; FailedPrecondition beside another.

        Also where the partner waits for something else. InvalidArgument where the ticket that was stored
        before asks for something else.
        """
        now_ms = ticket.created_ms
        for _ in range(_ATTEMPTS):
            held = await self.held_by(ticket.player_id)
            found = records.find(held.record, ticket.ticket_id, now_ms, self.terms)
            if found is not None:
                if found.fingerprint != ticket.fingerprint:
                    explanation = f"ticket id {ticket.ticket_id!r} was used for another ticket"
                    raise InvalidArgument("match/ticket_id_reused", explanation)
                return found
            record = await self._free_for(ticket, held.record)
            _check_pauses(record, ticket.mode, now_ms)
            await self._check_partner(ticket)
            entered = records.with_ticket(record, ticket)
            try:
                await self.store.put([records.write(entered, held.sequence, self.terms)])
            except (WrongLastSequence, AppendTimeout):
                continue
            return ticket
        raise _busy()

    async def _free_for(self, ticket: Ticket, record: PlayerRecord) -> PlayerRecord:
        try:
            return await self.free(record, ticket.created_ms)
        except FailedPrecondition:
            if records.is_seated(record) and ticket.rematch_of == record.ticket.table_id:
                explanation = f"table {ticket.rematch_of} is still played; ask again when it is over"
                raise FailedPrecondition("match/still_played", explanation) from None
            raise

    async def free(self, record: PlayerRecord, now_ms: int, room_code: str = "") -> PlayerRecord:
        """The record of a player who may have a new ticket, or a place in this room, and is in no room in it.

        FailedPrecondition for one who has a ticket, a seat or a place in another room.
        """
        freed = await self._without_seat(record, now_ms) if records.is_held(record) else record
        place = await self.seats.room_of(freed)
        if place not in ("", room_code):
            explanation = (
                f"{record.player_id} is in room {place}; leave that first: "
                f"shuangkou room leave {place} --name {record.player_id}"
            )
            raise FailedPrecondition("match/already_in_room", explanation)
        return records.in_room(freed, "")

    async def _without_seat(self, record: PlayerRecord, now_ms: int) -> PlayerRecord:
        ticket = record.ticket
        if not records.is_seated(record):
            explanation = f"{record.player_id} {_hold_in_words(ticket)}"
            raise FailedPrecondition("match/already_queued", explanation)
        freed = await self.seats.freed(record, now_ms)
        if freed is None:
            explanation = (
                f"{record.player_id} has a seat at table {ticket.table_id}, which is played now; "
                f"go back to it: shuangkou play --table {ticket.table_id} --name {record.player_id}"
            )
            raise FailedPrecondition("match/already_seated", explanation)
        return freed

    async def _check_partner(self, ticket: Ticket) -> None:
        if ticket.partner_id:
            waiting = (await self.held_by(ticket.partner_id)).ticket
            if are_at_odds(ticket, waiting):
                raise _partner_differs(waiting)

    async def held_by(self, player_id: str) -> Queued:
        """The player's record as it is now, an empty one for somebody new."""
        entry = await self.store.get(player_key(player_id))
        record = PlayerRecord.FromString(entry.value)
        record.player_id = player_id
        return Queued(entry.sequence, record)

    async def current(self, player_id: str) -> Ticket:
        """The ticket with which the player waits or sits at a table; NotFound where there is none."""
        record = (await self.held_by(player_id)).record
        if not records.is_held(record):
            raise NotFound("match/unknown_ticket", "you hold no ticket")
        return record.ticket

    async def find(self, player_id: str, ticket_id: str, now_ms: int) -> Queued:
        """The player's record with this ticket in the place of the newest; NotFound for an unknown one."""
        held = await self.held_by(player_id)
        found = records.find(held.record, ticket_id, now_ms, self.terms)
        if found is None:
            raise NotFound("match/unknown_ticket", f"you have no ticket {ticket_id!r}")
        shown = PlayerRecord()
        shown.CopyFrom(held.record)
        shown.ticket.CopyFrom(found)
        return Queued(held.sequence, shown)

    async def leave(self, player_id: str, ticket_id: str, now_ms: int, refusal: str = "") -> Ticket:
        """The ticket, ended now or before; FailedPrecondition once others count on the player."""
        for _ in range(_ATTEMPTS):
            found = await self.find(player_id, ticket_id, now_ms)
            if found.ticket.state == TICKET_STATE_CANCELLED:
                return found.ticket
            if found.ticket.state == TICKET_STATE_READY_CHECK:
                explanation = f"ticket {ticket_id} is asked whether you are ready; decline that instead"
                raise FailedPrecondition("match/not_waiting", explanation)
            if found.ticket.state == TICKET_STATE_CLAIMED:
                explanation = f"the table of ticket {ticket_id} is being opened"
                raise FailedPrecondition("match/not_waiting", explanation)
            if found.ticket.state != TICKET_STATE_WAITING:
                raise FailedPrecondition("match/not_waiting", f"ticket {ticket_id} is matched already")
            after = records.ended(found.record, now_ms, refusal)
            if await self._stored(after, found.sequence):
                return after.ticket
        raise _busy()

    async def part(self, player_id: str, ticket_id: str, now_ms: int) -> Ticket:
        """The ticket, ended because its partner waits for something else; Aborted where that is over."""
        ticket = (await self.find(player_id, ticket_id, now_ms)).ticket
        if not are_at_odds(ticket, (await self.held_by(ticket.partner_id)).ticket):
            raise _busy()
        return await self.leave(player_id, ticket_id, now_ms, PARTNER_DIFFERS)

    async def answer(self, player_id: str, ticket_id: str, is_ready: bool, now_ms: int) -> Ticket:
        """The ticket with its answer to the ready check, given now or before.

        FailedPrecondition where nobody asks, or another answer was given.
        """
        wanted = READY_ANSWER_READY if is_ready else READY_ANSWER_DECLINED
        for _ in range(_ATTEMPTS):
            found = await self.find(player_id, ticket_id, now_ms)
            if found.ticket.answer == wanted:
                return found.ticket
            if found.ticket.answer:
                raise FailedPrecondition("match/answered", f"ticket {ticket_id} has been answered otherwise")
            if found.ticket.state != TICKET_STATE_READY_CHECK:
                raise FailedPrecondition(
                    "match/not_asked", f"nobody asks whether you are ready for {ticket_id}"
                )

            def change(ticket: Ticket) -> None:
                ticket.answer = wanted

            after = records.changed(found.record, change)
            if await self._stored(after, found.sequence):
                return after.ticket
        raise _busy()

    async def _stored(self, record: PlayerRecord, expected: int) -> bool:
        try:
            await self.store.put([records.write(record, expected, self.terms)])
        except (WrongLastSequence, AppendTimeout):
            return False
        return True


def _check_pauses(record: PlayerRecord, mode: TicketMode.ValueType, now_ms: int) -> None:
    seconds = (records.pause_of(record, now_ms) + 999) // 1000
    if seconds:
        explanation = f"you were not ready when a table was; queue again in {seconds} s"
        raise FailedPrecondition("match/paused", explanation)
    seconds = (records.ranked_pause_of(record, now_ms) + 999) // 1000
    if seconds and mode == TICKET_MODE_RANKED:
        hours = -(-seconds // 3600)
        explanation = (
            f"you left {records.FORFEITS_A_DAY} tables or more for good within a day, rooms included; "
            f"ranked play pauses for {hours} h"
        )
        raise FailedPrecondition("match/ranked_paused", explanation)


def _hold_in_words(ticket: Ticket) -> str:
    """What a player does with a live ticket."""
    if ticket.state == TICKET_STATE_READY_CHECK:
        return "is asked to sit down at a table; answer that first"
    if ticket.state == TICKET_STATE_CLAIMED:
        where = f"room {ticket.room_code}" if ticket.room_code else "its ticket"
        return f"is being seated: the table of {where} is being opened"
    return (
        f"holds the ticket {ticket.ticket_id}; take it back first: "
        f"shuangkou queue --cancel --name {ticket.player_id}"
    )


def _partner_differs(waiting: Ticket) -> FailedPrecondition:
    explanation = (
        f"{waiting.player_id} waits for you with {wish_in_words(waiting)}; "
        "partners name a game in common, one mode and one region"
    )
    return FailedPrecondition(PARTNER_DIFFERS, explanation)


def _busy() -> Aborted:
    return Aborted("match/try_again", "the ticket keeps changing; try again")
