"""Rooms in the bucket: decided on what is stored, written with a check, closed by the broker when idle."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from shuangkou.chassis.errors import (
    Aborted,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
)
from shuangkou.chassis.nats import AppendTimeout, WrongLastSequence
from shuangkou.matchmaking import record as records
from shuangkou.matchmaking.claim import blank_claim, seat_named
from shuangkou.matchmaking.finishing import Engine
from shuangkou.matchmaking.game import game_of
from shuangkou.matchmaking.queue import TicketQueue
from shuangkou.matchmaking.room import code_of, left, people_in, require_host, started
from shuangkou.matchmaking.store import Change, Store, claim_key, deletion, room_key
from shuangkou.matchmaking.tables import EngineOutOfReach
from shuangkou.matchmaking.unit import Queued
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_CASUAL,
    TICKET_STATE_CLAIMED,
    Claim,
    ClaimedSeat,
    PlayerRecord,
    Ticket,
)
from shuangkou.v1.rooms_pb2 import ROOM_STATE_GATHERING, ROOM_STATE_PLAYING, Room
from shuangkou.v1.table_pb2 import TABLE_PHASE_FINISHED

_ATTEMPTS = 8
_CODES_TRIED = 16


@dataclass(frozen=True, slots=True)
class RoomDesk:
    """Reads, changes and starts rooms. ``link`` begins what clients open a room with.

    ``claimed`` hears of each claim that is made here, so that its table opens at once.
    """

    store: Store
    queue: TicketQueue
    tables: Engine
    idle_ms: int
    link: str
    claimed: Callable[[Claim], None]

    async def open(self, draft: Room, now_ms: int) -> Room:
        """Store a new room under a free code; the room as it is now for a repeat of the call.

        FailedPrecondition where its maker has a ticket, a seat or a place in another room, InvalidArgument
        where the same command has opened another room.
        """
        attempt = 0
        for _ in range(_CODES_TRIED):
            code = code_of(draft.maker_id, draft.command_id, attempt)
            sequence, found = await self._read(code)
            if found is None:
                room = Room()
                room.CopyFrom(draft)
                room.code, room.link = code, self.link + code
                moves = await self._moves(code, (), [draft.maker_id], now_ms)
                try:
                    await self.store.put([self._write(room, sequence, now_ms), *moves])
                except (WrongLastSequence, AppendTimeout):
                    continue
                return room
            if (found.maker_id, found.command_id) == (draft.maker_id, draft.command_id):
                return _same_as_asked(found, draft)
            attempt += 1
        raise ResourceExhausted("room/no_free_code", "no code is free now; try again")

    async def find(self, code: str) -> Room:
        """The room as it is now; NotFound for one that is not, or is closed."""
        return (await self._find(code))[1]

    async def change(
        self, code: str, change: Callable[[Room], Room | None], now_ms: int, guest_id: str = ""
    ) -> Room | None:
        """Store what ``change`` makes of the room; None closes it. Raises what ``change`` does.

        Whoever comes or goes by it, and the guest, has that in its record in the same batch;
        FailedPrecondition for one who comes and has a ticket, a seat or a place in another room.
        """
        for _ in range(_ATTEMPTS):
            sequence, room = await self._find(code)
            room = await self._after_its_table(room)
            after = change(room)
            before, now = set(people_in(room)), set(people_in(after) if after is not None else ())
            # The record of somebody who sits there may not say so any more: its table was left for good.
            back = {guest_id} & now if room.state == ROOM_STATE_GATHERING else set()
            moves = await self._moves(code, before - now, now - before | back, now_ms)
            if after is not None and after == room and not moves:
                return after
            step = (
                deletion(room_key(code), sequence) if after is None else self._write(after, sequence, now_ms)
            )
            try:
                await self.store.put([step, *moves])
            except (WrongLastSequence, AppendTimeout):
                continue
            return after
        raise _busy()

    async def leave(self, code: str, player_id: str, now_ms: int) -> None:
        """Take the player out of the room; nothing happens where it was in it and is out.

        NotFound or PermissionDenied for one who never was, as far as is known.
        """
        try:
            await self.change(code, lambda room: left(room, player_id), now_ms)
        except (NotFound, PermissionDenied):
            record = (await self.queue.held_by(player_id)).record
            if code not in (record.room_code, record.left_room_code):
                raise

    async def start(self, code: str, player_id: str, now_ms: int) -> Room:
        """Claim everybody in the room for its table; the room as it is when that has been done.

        FailedPrecondition where a seat is open, or somebody has a ticket, a seat or a place elsewhere.
        """
        for _ in range(_ATTEMPTS):
            sequence, room = await self._find(code)
            room = await self._after_its_table(room)
            require_host(room, player_id)
            if room.state != ROOM_STATE_GATHERING:
                return room
            after = started(room)
            try:
                claim, changes = await self._claim(after, now_ms)
            except FailedPrecondition:
                # Whoever seems busy may have been taken to this very table, by another call.
                if (await self._read(code))[0] == sequence:
                    raise
                continue
            changes.append(Change(claim_key(claim.claim_id), claim.SerializeToString(), 0))
            changes.append(self._write(after, sequence, now_ms))
            try:
                await self.store.put(changes)
            except (WrongLastSequence, AppendTimeout):
                continue
            self.claimed(claim)
            return after
        raise _busy()

    async def _moves(self, code: str, gone: Iterable[str], come: Iterable[str], now_ms: int) -> list[Change]:
        """What changes in the records of those who leave the room and those who enter it."""
        changed: list[Queued] = []
        for name in sorted(gone):
            held = await self.queue.held_by(name)
            if held.record.room_code == code:
                changed.append(Queued(held.sequence, records.out_of_room(held.record)))
        for name in sorted(come):
            held = await self.queue.held_by(name)
            if await self.queue.seats.room_of(held.record) != code:
                record = await self.queue.free(held.record, now_ms)
                changed.append(Queued(held.sequence, records.in_room(record, code)))
        return [records.write(held.record, held.sequence, self.queue.terms) for held in changed]

    async def _claim(self, room: Room, now_ms: int) -> tuple[Claim, list[Change]]:
        claim = blank_claim(f"room-{room.code}-{room.tables}-{now_ms}", game_of(room.game), now_ms)
        claim.room_code = room.code
        claim.is_private = not room.allows_spectators
        entered = {name: await self._entered(name, room, claim, now_ms) for name in people_in(room)}
        for seat in room.seats:
            known = entered.get(seat.player_id)
            claim.seats.append(
                seat_named(seat.persona) if known is None else ClaimedSeat(ticket=known.ticket)
            )
        changes = [records.write(held.record, held.sequence, self.queue.terms) for held in entered.values()]
        return claim, changes

    async def _entered(self, name: str, room: Room, claim: Claim, now_ms: int) -> Queued:
        held = await self.queue.held_by(name)
        record = records.in_room(await self._free(held.record, room.code, now_ms), room.code)
        ticket = Ticket(
            ticket_id=f"room-{room.code}-{room.tables}",
            player_id=name,
            ruleset_id=room.game.ruleset_id,
            options=room.game.options,
            deals=room.game.deals,
            event=room.game.event if room.game.HasField("event") else None,
            mode=TICKET_MODE_CASUAL,
            state=TICKET_STATE_CLAIMED,
            created_ms=now_ms,
            claim_id=claim.claim_id,
            room_code=room.code,
        )
        return Queued(held.sequence, records.with_ticket(record, ticket))

    async def _free(self, record: PlayerRecord, code: str, now_ms: int) -> PlayerRecord:
        try:
            return await self.queue.free(record, now_ms, code)
        except FailedPrecondition as reason:
            raise FailedPrecondition("room/player_busy", f"not yet: {reason.explanation}") from None

    async def _after_its_table(self, room: Room) -> Room:
        """The room as it will be when the end of its table, if it has ended, is known."""
        if room.state != ROOM_STATE_PLAYING:
            return room
        try:
            view = await self.tables.look(room.table_id)
        except EngineOutOfReach:
            return room
        if view is None or view.phase != TABLE_PHASE_FINISHED:
            return room
        after = Room()
        after.CopyFrom(room)
        after.state = ROOM_STATE_GATHERING
        return after

    async def _find(self, code: str) -> tuple[int, Room]:
        sequence, room = await self._read(code)
        if room is None:
            raise NotFound("room/unknown", f"there is no room {code}, or it has closed")
        return sequence, room

    async def _read(self, code: str) -> tuple[int, Room | None]:
        entry = await self.store.get(room_key(code))
        return entry.sequence, Room.FromString(entry.value) if entry.value else None

    def _write(self, room: Room, expected: int, now_ms: int) -> Change:
        """While people gather the broker closes a room that is left alone for too long."""
        is_gathering = room.state == ROOM_STATE_GATHERING
        room.closes_ms = now_ms + self.idle_ms if is_gathering else 0
        ttl = self.idle_ms // 1000 if is_gathering else 0
        return Change(room_key(room.code), room.SerializeToString(), expected, ttl)


def _same_as_asked(found: Room, draft: Room) -> Room:
    if (found.game, found.allows_spectators) != (draft.game, draft.allows_spectators):
        explanation = (
            f"command {draft.command_id!r} has opened room {found.code}, which is for something else"
        )
        raise InvalidArgument("request/command_id_reused", explanation)
    return found


def _busy() -> Aborted:
    return Aborted("room/try_again", "the room keeps changing; try again")
