"""A room (开房) from the terminal: people gather, the host arranges and starts, and all go to the table."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

import grpc
from rich.text import Text

from shuangkou.cli.clients import Clients, Refused, may_pass, refused
from shuangkou.cli.interruption import undisturbed
from shuangkou.cli.lines import TypedLines
from shuangkou.cli.match_words import why_no_table
from shuangkou.cli.problem import Problem
from shuangkou.cli.room_words import (
    HELP,
    Say,
    Typed,
    Word,
    message_line,
    phrase_lines,
    read_room_line,
    room_lines,
)
from shuangkou.cli.terminal import Terminal
from shuangkou.v1 import rooms_pb2
from shuangkou.v1.rooms_pb2 import ROOM_STATE_PLAYING, Room

_PAUSE_SECONDS: Final = 0.2
_LEAVE_SECONDS: Final = 6.0


@dataclass(frozen=True, slots=True)
class Seated:
    """The table that the room has opened, the player's seat there, and what was typed ahead for it."""

    code: str
    host_id: str
    table_id: str
    seat: int
    typed_ahead: Sequence[str]


class Lobby:
    """One player's stay in a room."""

    def __init__(self, clients: Clients, player: str, room: Room, terminal: Terminal) -> None:
        self._clients = clients
        self._player = player
        self._room = room
        self._terminal = terminal
        self._typed: deque[str] = deque()
        self._something = asyncio.Event()
        self._trouble: BaseException | None = None
        self._told_ms = max((message.said_ms for message in room.messages), default=0)
        self._has_left = False

    async def stay(self) -> Seated | None:
        """Until the table is open, or the player has left: None. Problem when the room closes.

        When this is cancelled the player leaves.
        """
        self._show()
        lines = TypedLines(self._on_line, lambda: None)
        watching = asyncio.ensure_future(self._watch())
        watching.add_done_callback(self._on_watch_end)
        lines.start()
        try:
            while not self._has_left:
                self._something.clear()
                if self._trouble is not None:
                    raise self._trouble
                if self._room.state == ROOM_STATE_PLAYING:
                    return self._seated()
                if self._typed:
                    await self._obey(self._typed.popleft())
                else:
                    await self._something.wait()
            return None
        except asyncio.CancelledError:
            await undisturbed(self._leave(), _LEAVE_SECONDS)
            raise
        finally:
            lines.stop()
            watching.cancel()

    def _seated(self) -> Seated:
        room = self._room
        own = next(number for number, seat in enumerate(room.seats) if seat.player_id == self._player)
        return Seated(room.code, room.host_id, room.table_id, own, list(self._typed))

    def _on_line(self, line: str) -> None:
        self._typed.append(line)
        self._something.set()

    def _on_watch_end(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self._trouble = task.exception()
            self._something.set()

    async def _watch(self) -> None:
        request = rooms_pb2.WatchRoomRequest(code=self._room.code)
        while True:
            try:
                async for update in self._clients.rooms.WatchRoom(request, metadata=self._clients.metadata):
                    self._clients.on_answer()
                    self._hear(update.room)
            except grpc.aio.AioRpcError as error:
                if not may_pass(error):
                    raise _why_out(refused(error)) from None
            self._clients.on_trouble()
            await asyncio.sleep(_PAUSE_SECONDS)

    def _hear(self, room: Room) -> None:
        before, self._room = self._room, room
        for message in room.messages:
            if message.said_ms > self._told_ms:
                self._terminal.say(message_line(message))
        self._told_ms = max((message.said_ms for message in room.messages), default=self._told_ms)
        if list(before.seats) != list(room.seats) or before.host_id != room.host_id:
            self._show()
        if room.host_id == self._player != before.host_id:
            self._terminal.say("You are the host now 你是房主: type start when all seats are taken.")
        if room.refusal and room.refusal != before.refusal:
            why = (
                f"{why_no_table(room.refusal)} ({room.refusal})"
                if why_no_table(room.refusal)
                else room.refusal
            )
            self._complain(f"the table could not be opened 未能开桌: {why}")
        self._something.set()

    def _show(self) -> None:
        for line in room_lines(self._room):
            self._terminal.say(line)

    async def _obey(self, line: str) -> None:
        line = normalize("NFKC", line)
        if not line.strip():
            return
        self._terminal.typed(line)
        try:
            await self._do(read_room_line(line))
        except (ValueError, Refused) as error:
            self._complain(str(error))

    async def _do(self, typed: Typed) -> None:
        rooms, code = self._clients.rooms, self._room.code
        match typed:
            case Say(phrase_id):
                await self._clients.ask(
                    rooms.SayInRoom, rooms_pb2.SayInRoomRequest(code=code, phrase_id=phrase_id)
                )
            case rooms_pb2.ArrangeRoomRequest():
                typed.code = code
                await self._clients.ask(rooms.ArrangeRoom, typed)
            case Word("start"):
                await self._clients.ask(rooms.StartRoom, rooms_pb2.StartRoomRequest(code=code))
            case Word("phrases"):
                answer = await self._clients.ask(rooms.ListPhrases, rooms_pb2.ListPhrasesRequest())
                for line in phrase_lines(answer.phrases):
                    self._terminal.say(line)
            case Word("who"):
                self._show()
            case Word("help"):
                self._terminal.say(HELP)
            case Word("leave"):
                await self._leave()
                self._has_left = True

    async def _leave(self) -> None:
        # Once the table is being opened there is no leaving: the seat there waits for its player.
        with suppress(Refused):
            request = rooms_pb2.LeaveRoomRequest(code=self._room.code)
            await self._clients.ask(self._clients.rooms.LeaveRoom, request)

    def _complain(self, sentence: str) -> None:
        self._terminal.say(Text(f"  ✗ {sentence}", "red"))


def _why_out(why: Refused) -> Problem:
    if why.refusal.code == "room/not_in_it":
        return Problem("you are not in the room any more 已离开房间")
    if why.refusal.code == "room/kicked":
        return Problem("the host has sent you away 房主请你离开了")
    if why.refusal.code == "room/unknown":
        return Problem("the room has closed 房间已关闭")
    return why
