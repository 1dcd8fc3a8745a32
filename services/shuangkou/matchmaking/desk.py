"""Claims from the first write to the last. All act on what is stored, and every write is checked.

A claim is taken in one atomic batch with all its tickets. From then on its tickets change only together with
it: they get their table, or end, or go back to the queue, in one batch that also ends the claim. Once it is
marked as opening there is no way back: the engine may have opened the table, and gives the very same one to
whoever asks again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from shuangkou.chassis.nats import AppendTimeout, WrongLastSequence
from shuangkou.matchmaking import record as records
from shuangkou.matchmaking.claim import OpenClaim, claim_of, names_of, tickets_of
from shuangkou.matchmaking.game import game_of
from shuangkou.matchmaking.matcher import Group
from shuangkou.matchmaking.record import Terms
from shuangkou.matchmaking.store import Change, Store, claim_key, deletion, player_key, room_key
from shuangkou.matchmaking.unit import Queued
from shuangkou.v1.matchmaking_pb2 import (
    READY_ANSWER_DECLINED,
    TICKET_STATE_MATCHED,
    TICKET_STATE_READY_CHECK,
    Claim,
    PlayerRecord,
    Ticket,
)
from shuangkou.v1.rooms_pb2 import ROOM_STATE_GATHERING, ROOM_STATE_PLAYING, Room

OUT_OF_REACH = "match/engine_out_of_reach"
_ATTEMPTS = 8


class Verdict(Enum):
    """What a claim is ripe for."""

    WAIT = auto()
    OPEN = auto()
    GIVE_BACK = auto()


def verdict(claim: Claim, tickets: Sequence[Ticket], now_ms: int) -> Verdict:
    """What is to be done with a claim whose tickets are as told."""
    if claim.is_opening or not claim.ready_by_ms:
        return Verdict.OPEN
    if any(ticket.answer == READY_ANSWER_DECLINED for ticket in tickets):
        return Verdict.GIVE_BACK
    if all(records.is_ready(ticket) for ticket in tickets):
        return Verdict.OPEN
    return Verdict.GIVE_BACK if now_ms > claim.ready_by_ms else Verdict.WAIT


@dataclass(frozen=True, slots=True)
class Case:
    """A claim as it is stored, and the records of its players in seat order."""

    taken: OpenClaim
    records: tuple[Queued, ...]

    @property
    def claim(self) -> Claim:
        """The claim."""
        return self.taken.claim

    @property
    def tickets(self) -> list[Ticket]:
        """The tickets as they are now."""
        return [queued.ticket for queued in self.records]


@dataclass(frozen=True, slots=True)
class ClaimDesk:
    """The protocol of claims over a store."""

    store: Store
    terms: Terms
    personas: Sequence[str]
    ready_check_ms: int
    room_idle_ms: int

    async def take(self, groups: Sequence[Group], now_ms: int) -> list[OpenClaim]:
        """Claim the tickets of these groups, all or none; raises what ``Store.put`` does.

        One batch for several groups: the broker syncs its disk for each.
        """
        claims = [
            claim_of(group, now_ms, self.personas, self._ready_by_ms(group, now_ms)) for group in groups
        ]
        changes = [
            records.write(
                records.claimed(queued.record, claim.claim_id, claim.ready_by_ms), queued.sequence, self.terms
            )
            for group, claim in zip(groups, claims, strict=True)
            for queued in group.tickets
        ]
        changes += [Change(claim_key(claim.claim_id), claim.SerializeToString(), 0) for claim in claims]
        sequences = (await self.store.put(changes))[-len(claims) :]
        return [OpenClaim(sequence, claim) for sequence, claim in zip(sequences, claims, strict=True)]

    def _ready_by_ms(self, group: Group, now_ms: int) -> int:
        asks = self.ready_check_ms and len(group.tickets) > 1 and not group.tickets[0].ticket.rematch_of
        return now_ms + self.ready_check_ms if asks else 0

    async def look(self, claim_id: str) -> Case | None:
        """The claim as it is now; None when it is settled."""
        entry = await self.store.get(claim_key(claim_id))
        if not entry.value:
            return None
        claim = Claim.FromString(entry.value)
        keys = [player_key(ticket.player_id) for _, ticket in tickets_of(claim)]
        held = [
            Queued(found.sequence, PlayerRecord.FromString(found.value))
            for found in await self.store.get_all(keys)
        ]
        mine = tuple(queued for queued in held if queued.ticket.claim_id == claim_id)
        return Case(OpenClaim(entry.sequence, claim), mine)

    async def mark_opening(self, case: Case) -> Case:
        """From here on the table is opened whatever happens; raises what ``Store.put`` does."""
        claim = Claim()
        claim.CopyFrom(case.claim)
        claim.is_opening = True
        change = Change(claim_key(claim.claim_id), claim.SerializeToString(), case.taken.sequence)
        [sequence] = await self.store.put([change])
        return Case(OpenClaim(sequence, claim), case.records)

    async def seat(self, case: Case, table_id: str, now_ms: int) -> bool:
        """Give the tickets their table; False where that has been done."""
        seats = {ticket.player_id: seat for seat, ticket in tickets_of(case.claim)}

        def settled(queued: Queued) -> PlayerRecord:
            seat = seats[queued.player_id]
            return records.changed(
                queued.record, lambda ticket: _take_seat(ticket, case.claim, table_id, seat, now_ms)
            )

        return await self._settle(case, [settled(each) for each in case.records], now_ms, table_id=table_id)

    async def refuse(self, case: Case, code: str, now_ms: int) -> bool:
        """End the tickets because there will never be a table; False where the claim is settled already."""
        after = [records.ended(queued.record, now_ms, code) for queued in case.records]
        return await self._settle(case, after, now_ms, refusal=code)

    async def give_back(self, case: Case, now_ms: int) -> bool:
        """Put the tickets back into the queue, but for those whose players were asked and are not ready.

        Tickets that were made for this table alone end instead. False where the claim has moved on.
        """
        if case.claim.is_opening:
            raise ValueError(f"{case.claim.claim_id} may have a table")
        after = [self._given_back(queued, now_ms) for queued in case.records]
        return await self._settle(case, after, now_ms, refusal=OUT_OF_REACH)

    def _given_back(self, queued: Queued, now_ms: int) -> PlayerRecord:
        ticket = queued.ticket
        if ticket.room_code or ticket.rematch_of:
            return records.ended(queued.record, now_ms, OUT_OF_REACH)
        is_late = now_ms > ticket.ready_by_ms and not records.is_ready(ticket)
        was_asked = ticket.state == TICKET_STATE_READY_CHECK
        if was_asked and (ticket.answer == READY_ANSWER_DECLINED or is_late):
            return records.dodged(queued.record, now_ms, self.terms)
        return records.returned(queued.record)

    async def _settle(
        self,
        case: Case,
        after: Sequence[PlayerRecord],
        now_ms: int,
        table_id: str = "",
        refusal: str = "",
    ) -> bool:
        changes = [deletion(claim_key(case.claim.claim_id), case.taken.sequence)]
        changes += [
            records.write(record, queued.sequence, self.terms)
            for record, queued in zip(after, case.records, strict=True)
        ]
        for _ in range(_ATTEMPTS):
            room = await self._room_change(case.claim, now_ms, table_id, refusal)
            try:
                await self.store.put([*changes, *room])
            except WrongLastSequence:
                # In a room people go on talking; anything else means that somebody was faster.
                if not room or not (await self.store.get(claim_key(case.claim.claim_id))).value:
                    return False
            except AppendTimeout:
                return False
            else:
                return True
        return False

    async def _room_change(self, claim: Claim, now_ms: int, table_id: str, refusal: str) -> list[Change]:
        if not claim.room_code:
            return []
        entry = await self.store.get(room_key(claim.room_code))
        if not entry.value:
            return []
        room = Room.FromString(entry.value)
        room.state = ROOM_STATE_PLAYING if table_id else ROOM_STATE_GATHERING
        room.refusal = "" if table_id else refusal
        room.table_id = table_id or room.table_id
        room.closes_ms = 0 if table_id else now_ms + self.room_idle_ms
        ttl = 0 if table_id else self.room_idle_ms // 1000
        return [Change(room_key(room.code), room.SerializeToString(), entry.sequence, ttl)]


def _take_seat(ticket: Ticket, claim: Claim, table_id: str, seat: int, now_ms: int) -> None:
    ticket.state = TICKET_STATE_MATCHED
    ticket.table_id = table_id
    ticket.seat = seat
    ticket.ended_ms = now_ms
    ticket.lapses_ms = 0
    del ticket.players[:]
    ticket.players.extend(names_of(claim))
    chosen = game_of(claim)
    ticket.ruleset_id, ticket.deals = chosen.ruleset_id, chosen.deals
    ticket.options.clear()
    ticket.options.update(dict(chosen.options))
    del ticket.or_games[:]
    ticket.ClearField("event")
    if chosen.event is not None:
        ticket.event.CopyFrom(chosen.event)
