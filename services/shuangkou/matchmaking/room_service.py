"""The RoomService: rooms for those who are in them."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import grpc

from shuangkou.chassis.auth import caller
from shuangkou.chassis.errors import InvalidArgument
from shuangkou.matchmaking import room as rooms
from shuangkou.matchmaking.game import seats_of
from shuangkou.matchmaking.mirror import Mirror
from shuangkou.matchmaking.phrases import PHRASES
from shuangkou.matchmaking.room_desk import RoomDesk
from shuangkou.matchmaking.store import room_key
from shuangkou.matchmaking.wishes import Wishes, player
from shuangkou.v1 import rooms_pb2, rooms_pb2_grpc
from shuangkou.v1.rooms_pb2 import Room

_Context = grpc.aio.ServicerContext[Any, Any]
_CODE = re.compile(r"[0-9]{6}")
_COMMAND_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LOOK_AGAIN_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class RoomService(rooms_pb2_grpc.RoomServiceServicer):
    """Shows a room to whoever is in it, and does what the host says."""

    desk: RoomDesk
    mirror: Mirror
    wishes: Wishes
    personas: Sequence[str]

    async def CreateRoom(  # noqa: N802  # gRPC's name
        self, request: rooms_pb2.CreateRoomRequest, _context: _Context
    ) -> rooms_pb2.CreateRoomResponse:
        """Open a room."""
        maker_id = player()
        if not _COMMAND_ID.fullmatch(request.command_id):
            raise InvalidArgument("request/bad_command_id", "a command id has 1 to 64 of A-Z a-z 0-9 - _")
        game = await self.wishes.game(request.game)
        draft = rooms.new_room(request, maker_id, game, seats_of(game.ruleset_id))
        return rooms_pb2.CreateRoomResponse(room=await self.desk.open(draft, _now_ms()))

    async def JoinRoom(  # noqa: N802  # gRPC's name
        self, request: rooms_pb2.JoinRoomRequest, _context: _Context
    ) -> rooms_pb2.JoinRoomResponse:
        """Sit down."""
        player_id = player()
        seat = request.seat if request.HasField("seat") else None
        code = _code(request.code)
        room = await self.desk.change(
            code, lambda room: rooms.joined(room, player_id, seat), _now_ms(), player_id
        )
        return rooms_pb2.JoinRoomResponse(room=room)

    async def GetRoom(  # noqa: N802  # gRPC's name
        self, request: rooms_pb2.GetRoomRequest, _context: _Context
    ) -> rooms_pb2.GetRoomResponse:
        """Show the room."""
        return rooms_pb2.GetRoomResponse(room=await self._seen_by(player(), _code(request.code)))

    async def LeaveRoom(  # noqa: N802  # gRPC's name
        self, request: rooms_pb2.LeaveRoomRequest, _context: _Context
    ) -> rooms_pb2.LeaveRoomResponse:
        """Get up; the last one closes the room."""
        player_id = player()
        await self.desk.leave(_code(request.code), player_id, _now_ms())
        return rooms_pb2.LeaveRoomResponse()

    async def ArrangeRoom(  # noqa: N802  # gRPC's name
        self, request: rooms_pb2.ArrangeRoomRequest, _context: _Context
    ) -> rooms_pb2.ArrangeRoomResponse:
        """Rearrange the seats for the host."""
        player_id = player()

        def arrange(room: Room) -> Room:
            rooms.require_host(room, player_id)
            return rooms.arranged(room, request, self.personas)

        return rooms_pb2.ArrangeRoomResponse(room=await self._change(request.code, arrange))

    async def StartRoom(  # noqa: N802  # gRPC's name
        self, request: rooms_pb2.StartRoomRequest, _context: _Context
    ) -> rooms_pb2.StartRoomResponse:
        """Have the table opened."""
        player_id, code = player(), _code(request.code)
        room = await self.desk.start(code, player_id, _now_ms())
        return rooms_pb2.StartRoomResponse(room=room)

    async def SayInRoom(  # noqa: N802  # gRPC's name
        self, request: rooms_pb2.SayInRoomRequest, _context: _Context
    ) -> rooms_pb2.SayInRoomResponse:
        """Say a phrase."""
        player_id, now_ms = player(), _now_ms()

        def say(room: Room) -> Room:
            rooms.require_guest(room, player_id)
            return rooms.said(room, player_id, request.phrase_id, now_ms)

        return rooms_pb2.SayInRoomResponse(room=await self._change(request.code, say))

    async def ListPhrases(  # noqa: N802  # gRPC's name
        self, _request: rooms_pb2.ListPhrasesRequest, _context: _Context
    ) -> rooms_pb2.ListPhrasesResponse:
        """List what can be said."""
        caller()
        return rooms_pb2.ListPhrasesResponse(phrases=PHRASES.values())

    async def WatchRoom(  # noqa: N802  # gRPC's name
        self, request: rooms_pb2.WatchRoomRequest, _context: _Context
    ) -> AsyncIterator[rooms_pb2.WatchRoomResponse]:
        """Stream the room until it closes, or the caller is out of it."""
        player_id, code = player(), _code(request.code)
        with self.mirror.news_of(room_key(code)) as news:
            shown = await self._seen_by(player_id, code)
            yield rooms_pb2.WatchRoomResponse(room=shown)
            while True:
                try:
                    async with asyncio.timeout(_LOOK_AGAIN_SECONDS):
                        await news.get()
                except TimeoutError:
                    # The broker says nothing when it closes a room that was left alone.
                    pass
                newer = await self._seen_by(player_id, code)
                if newer != shown:
                    shown = newer
                    yield rooms_pb2.WatchRoomResponse(room=shown)

    async def _change(self, code: str, change: Callable[[Room], Room | None]) -> Room | None:
        return await self.desk.change(_code(code), change, _now_ms())

    async def _seen_by(self, player_id: str, code: str) -> Room:
        room = await self.desk.find(code)
        rooms.require_guest(room, player_id)
        return room


def _code(text: str) -> str:
    if not _CODE.fullmatch(text):
        raise InvalidArgument("room/bad_code", "a room's code has six digits")
    return text


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
