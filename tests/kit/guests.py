"""People who deal with rooms at matchmaking processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kit.queueing import Club, Player
from kit.service_process import ServiceProcess
from kit.waiting import eventually
from shuangkou.v1.matchmaking_pb2 import Game
from shuangkou.v1.rooms_pb2 import (
    ROOM_STATE_PLAYING,
    ArrangeRoomRequest,
    CreateRoomRequest,
    GetRoomRequest,
    JoinRoomRequest,
    LeaveRoomRequest,
    Room,
    SayInRoomRequest,
    StartRoomRequest,
)
from shuangkou.v1.rooms_pb2_grpc import RoomServiceStub

_SECONDS = 15.0
QQ = Game(ruleset_id="qq", options={"turn_seconds": "60"}, deals=1)
"""What is played in a room where a test does not care."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A player who deals with rooms."""

    player: Player
    stub: RoomServiceStub

    async def _ask(self, method: Any, request: Any) -> Room:
        answer = await method(request, metadata=self.player.metadata, timeout=_SECONDS)
        found: Room = answer.room
        return found

    async def create(self, command_id: str = "one", game: Game = QQ, spectators: bool = False) -> Room:
        """Open a room."""
        request = CreateRoomRequest(command_id=command_id, game=game, allows_spectators=spectators)
        return await self._ask(self.stub.CreateRoom, request)

    async def join(self, code: str, seat: int | None = None) -> Room:
        """Sit down in one."""
        return await self._ask(self.stub.JoinRoom, JoinRoomRequest(code=code, seat=seat))

    async def look(self, code: str) -> Room:
        """See it."""
        return await self._ask(self.stub.GetRoom, GetRoomRequest(code=code))

    async def arrange(self, code: str, **act: Any) -> Room:
        """Rearrange it."""
        return await self._ask(self.stub.ArrangeRoom, ArrangeRoomRequest(code=code, **act))

    async def start(self, code: str) -> Room:
        """Start its table."""
        return await self._ask(self.stub.StartRoom, StartRoomRequest(code=code))

    async def say(self, code: str, phrase_id: str) -> Room:
        """Say something."""
        return await self._ask(self.stub.SayInRoom, SayInRoomRequest(code=code, phrase_id=phrase_id))

    async def leave(self, code: str) -> None:
        """Leave it."""
        request = LeaveRoomRequest(code=code)
        await self.stub.LeaveRoom(request, metadata=self.player.metadata, timeout=_SECONDS)

    async def playing(self, code: str) -> Room:
        """The room once its table is open."""

        async def room() -> Room | None:
            found = await self.look(code)
            return found if found.state == ROOM_STATE_PLAYING else None

        found: Room = await eventually(room, within=30)
        return found


async def guest(club: Club, name: str, at: ServiceProcess) -> Guest:
    """A player at this replica."""
    return Guest(await club.player(name, at), RoomServiceStub(club.channel(at)))
