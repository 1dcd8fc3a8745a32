"""Seats that players hold: at a table, until it is over or they leave it for good (逃跑), and in rooms."""

from __future__ import annotations

import time
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from shuangkou.chassis.errors import Unavailable
from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import AppendTimeout, Job, TryLater, Undoable, WorkQueue, WrongLastSequence
from shuangkou.matchmaking import record as records
from shuangkou.matchmaking.finishing import Engine
from shuangkou.matchmaking.record import Terms
from shuangkou.matchmaking.room import people_in
from shuangkou.matchmaking.store import Change, Store, player_key, room_key
from shuangkou.matchmaking.tables import EngineOutOfReach
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.matchmaking_pb2 import PlayerRecord
from shuangkou.v1.rooms_pb2 import ROOM_STATE_GATHERING, ROOM_STATE_PLAYING, Room
from shuangkou.v1.table_pb2 import TABLE_PHASE_FINISHED, SeatView
from shuangkou.wire.streams import WHOLE, Shard

_SURELY_KNOWN_MS = 60_000


def ending_commits(shard: Shard = WHOLE) -> WorkQueue:
    """The commits of a shard among which are those that end a match."""
    return WorkQueue(shard.stream, "matchmaking", subjects=(f"{shard.root}.*.*.public.score",))


@dataclass(frozen=True, slots=True)
class TableSeats:
    """Frees players when their table ends, and looks at it when they want to play before that is known."""

    store: Store
    tables: Engine
    terms: Terms
    room_idle_ms: int

    async def freed(self, record: PlayerRecord, now_ms: int) -> PlayerRecord | None:
        """The record without its seat when the table is over or was left for good; else None."""
        return _freed(record, await self._look(record.ticket.table_id), now_ms)

    async def room_of(self, record: PlayerRecord) -> str:
        """The code of the room in which the player has a place; empty for none.

        Who has left the room's table for good has none there while that table is played.
        """
        if not record.room_code:
            return ""
        entry = await self.store.get(room_key(record.room_code))
        room = Room.FromString(entry.value)
        if record.player_id not in people_in(room):
            return ""
        if room.state == ROOM_STATE_PLAYING and not await self._is_finished(room.table_id):
            return ""
        return record.room_code

    async def on_commit(self, job: Job) -> None:
        """Free everybody at a table whose match has ended with this commit."""
        try:
            commit = Commit.FromString(job.payload)
        except DecodeError as reason:
            raise Undoable(f"message {job.sequence} on {job.subject}: {reason}") from reason
        if not any(event.HasField("match_finished") for event in commit.events):
            return
        try:
            view = await self.tables.look(commit.table_id)
        except EngineOutOfReach as reason:
            raise TryLater(str(reason)) from None
        people = [state.occupant.player_id for state in view.seats] if view is not None else []
        for player_id in filter(None, people):
            await self._free(player_id, commit.table_id, view)

    async def _look(self, table_id: str) -> SeatView | None:
        try:
            return await self.tables.look(table_id)
        except EngineOutOfReach:
            raise Unavailable("match/engine_out_of_reach", "no engine answers now; try again") from None

    async def _is_finished(self, table_id: str) -> bool:
        view = await self._look(table_id)
        return view is not None and view.phase == TABLE_PHASE_FINISHED

    async def _free(self, player_id: str, table_id: str, view: SeatView | None) -> None:
        entry = await self.store.get(player_key(player_id))
        record = PlayerRecord.FromString(entry.value)
        if not records.is_seated(record) or record.ticket.table_id != table_id:
            return
        now_ms = time.time_ns() // 1_000_000
        freed = _freed(record, view, now_ms)
        if freed is None:
            raise TryLater(f"table {table_id} is not seen to be over yet")
        try:
            # The room first: once the record is free a repeat of this finds nothing to do.
            await self._reopen(record.ticket.room_code, table_id, now_ms)
            await self.store.put([records.write(freed, entry.sequence, self.terms)])
        except (WrongLastSequence, AppendTimeout) as reason:
            raise TryLater(str(reason)) from None
        logger().info("seat_freed", table_id=table_id)

    async def _reopen(self, code: str, table_id: str, now_ms: int) -> None:
        """The room that the table was made from is free for the next."""
        entry = await self.store.get(room_key(code)) if code else None
        if entry is None or not entry.value:
            return
        room = Room.FromString(entry.value)
        if room.state == ROOM_STATE_PLAYING and room.table_id == table_id:
            room.state = ROOM_STATE_GATHERING
            room.closes_ms = now_ms + self.room_idle_ms
            ttl = self.room_idle_ms // 1000
            await self.store.put([Change(room_key(code), room.SerializeToString(), entry.sequence, ttl)])


def _freed(record: PlayerRecord, view: SeatView | None, now_ms: int) -> PlayerRecord | None:
    states = list(view.seats) if view is not None else []
    own = next((state for state in states if state.occupant.player_id == record.player_id), None)
    has_forfeited = own is not None and own.forfeited
    if view is None:
        # A table that has just been opened may not be known to every replica of the broker yet.
        is_over = now_ms - record.ticket.ended_ms > _SURELY_KNOWN_MS
    else:
        is_over = view.phase == TABLE_PHASE_FINISHED
    return records.freed(record, now_ms, has_forfeited) if is_over or has_forfeited else None
