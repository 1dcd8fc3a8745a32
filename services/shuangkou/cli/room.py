"""`shuangkou room`: open a room, join one, and what can be done in it from another terminal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from shuangkou.cli.clients import Clients, Refused, connect, new_id
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.lobby import Lobby, Seated
from shuangkou.cli.match_words import as_typed
from shuangkou.cli.play import PlayerOptions, play_from_room
from shuangkou.cli.room_words import (
    header_lines,
    message_line,
    phrase_lines,
    room_lines,
    start_lines,
    table_line,
)
from shuangkou.cli.rulebook import Game
from shuangkou.cli.terminal import Terminal
from shuangkou.v1 import matchmaking_pb2, rooms_pb2
from shuangkou.v1.rooms_pb2 import Room

Entering = Callable[[Clients], Awaitable[Room]]


def creation(game: Game, allows_spectators: bool) -> Entering:
    """The way into a new room."""
    request = rooms_pb2.CreateRoomRequest(
        command_id=new_id(),
        game=matchmaking_pb2.Game(
            ruleset_id=game.rules.id,
            options=game.rules.chosen,
            deals=game.deals,
            event=game.event_terms,
        ),
        allows_spectators=allows_spectators,
    )

    async def enter(clients: Clients) -> Room:
        try:
            return (await clients.ask(clients.rooms.CreateRoom, request)).room
        except Refused as why:
            raise as_typed(why) from None

    return enter


def entrance(code: str, seat: int | None) -> Entering:
    """The way into a room that is there, or back into it."""

    async def enter(clients: Clients) -> Room:
        request = rooms_pb2.JoinRoomRequest(code=code, seat=seat)
        return (await clients.ask(clients.rooms.JoinRoom, request)).room

    return enter


async def stay_in_room(folder: DataFolder, player: PlayerOptions, enter: Entering, terminal: Terminal) -> int:
    """Gather in a room, and play the match at its table."""

    async def gather(clients: Clients) -> Seated | None:
        room = await enter(clients)
        for header in header_lines(room):
            terminal.say(header)
        terminal.say("Others join it, each with a name of its own, with:")
        terminal.whole(f"  {folder.suggest(f'room join {room.code} --name NAME')}")
        how = folder.suggest(f"room start {room.code}{player.in_a_line}")
        for line in start_lines(room, player.name, how):
            terminal.say(line)
        return await Lobby(clients, player.name, room, terminal).stay()

    return await play_from_room(folder, player, gather, terminal)


async def start_room(folder: DataFolder, player: str, code: str, terminal: Terminal) -> int:
    """Open the room's table."""
    async with connect(folder, player, lambda: None) as clients:
        answer = await clients.ask(clients.rooms.StartRoom, rooms_pb2.StartRoomRequest(code=code))
        terminal.say(f"Room 房间 {code}: {table_line(answer.room)}")
    return 0


async def arrange_room(
    folder: DataFolder, player: str, request: rooms_pb2.ArrangeRoomRequest, terminal: Terminal
) -> int:
    """Rearrange the room's seats."""
    async with connect(folder, player, lambda: None) as clients:
        room = (await clients.ask(clients.rooms.ArrangeRoom, request)).room
        _show(room, terminal)
    return 0


async def show_room(folder: DataFolder, player: str, code: str, terminal: Terminal) -> int:
    """Show who sits where and what was said."""
    async with connect(folder, player, lambda: None) as clients:
        room = (await clients.ask(clients.rooms.GetRoom, rooms_pb2.GetRoomRequest(code=code))).room
        _show(room, terminal)
        for message in room.messages:
            terminal.say(message_line(message))
    return 0


async def say_in_room(folder: DataFolder, player: str, code: str, phrase_id: str, terminal: Terminal) -> int:
    """Say a phrase in the room; without one list them."""
    async with connect(folder, player, lambda: None) as clients:
        if not phrase_id:
            answer = await clients.ask(clients.rooms.ListPhrases, rooms_pb2.ListPhrasesRequest())
            for line in phrase_lines(answer.phrases):
                terminal.say(line)
            return 0
        request = rooms_pb2.SayInRoomRequest(code=code, phrase_id=phrase_id)
        said = (await clients.ask(clients.rooms.SayInRoom, request)).room.messages
        terminal.say(message_line(said[-1]))
    return 0


async def leave_room(folder: DataFolder, player: str, code: str, terminal: Terminal) -> int:
    """Leave the room."""
    async with connect(folder, player, lambda: None) as clients:
        await clients.ask(clients.rooms.LeaveRoom, rooms_pb2.LeaveRoomRequest(code=code))
        terminal.say(f"You have left room {code} 已离开.")
    return 0


def _show(room: Room, terminal: Terminal) -> None:
    for line in (*header_lines(room), *room_lines(room)):
        terminal.say(line)
    if table := table_line(room):
        terminal.say(table)
