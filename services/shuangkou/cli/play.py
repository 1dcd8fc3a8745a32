"""`shuangkou play` and `shuangkou queue`: a person takes a seat in the terminal."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from shuangkou.cli.clients import Clients, connect
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.follow import follow
from shuangkou.cli.held_ticket import Suggest, take_back, take_ticket
from shuangkou.cli.interruption import STOPPING
from shuangkou.cli.lines import TypedLines
from shuangkou.cli.lobby import Seated
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.outage import Outage
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.rejoining import Found, Place, take_up
from shuangkou.cli.rulebook import Game
from shuangkou.cli.seat import SeatSession
from shuangkou.cli.seating import Ended, Interrupted, Seating
from shuangkou.cli.tables import open_table, personas
from shuangkou.cli.terminal import Terminal
from shuangkou.cli.ticket import wait_for_table
from shuangkou.cli.words import SEATS, Words
from shuangkou.v1 import matchmaking_pb2, table_pb2

USUAL_NAME: Final = "you"
USUAL_PERSONA: Final = "plain"


@dataclass(frozen=True, slots=True)
class PlayerOptions:
    """Who plays, and the persona that gives hints."""

    name: str = USUAL_NAME
    persona: str = USUAL_PERSONA

    @property
    def in_a_line(self) -> str:
        """What a command line has to say for the same player; empty for the usual one."""
        return "" if self.name == USUAL_NAME else f" --name {self.name}"


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The table to open, with so many seats left to people, the partner's first, and bots on the others.

    ``invited``: who else may see a private table; None for a public one.
    """

    game: Game
    seat: int
    open_seats: int = 0
    invited: tuple[str, ...] | None = None


async def play(folder: DataFolder, player: PlayerOptions, table: TableOptions, terminal: Terminal) -> int:
    """Play a match with bots to its end or until the player leaves; Problem for a seat that is not there."""
    rules = table.game.rules
    last = rules.options.players - 1
    if table.seat > last:
        raise Problem(f"{rules.id} is played on the seats 0 to {last}", BAD_INPUT)
    if table.open_seats > last:
        raise Problem(f"{rules.id} has {last} other seat{'s'[: last != 1]} to leave open", BAD_INPUT)
    async with _connected(folder, player, terminal) as clients:
        known = await _personas(clients, player)
        table_id = await _open_table(clients, player, table)
        terminal.say(Text(f"Table {table_id} · {table.game.name}", "bold"))
        if table.invited is not None:
            terminal.say(
                f"Private 私人桌; invited 邀请: {', '.join(table.invited) or 'nobody'}. To invite others:"
            )
            terminal.whole(f"  {folder.suggest(f'invite {table_id} NAME{player.in_a_line}')}")
        if table.open_seats:
            people = f"{table.open_seats} more player{'s'[: table.open_seats != 1]}"
            terminal.say(f"Waiting for {people} 等人入座; each comes with a name of its own:")
            terminal.whole(f"  {folder.suggest(f'play --table {table_id} --name NAME')}")
        seating = _seating(folder, player, table_id, Found(table.seat, 0))
        await _sit(clients, seating, known, terminal)
    return 0


async def come_back(folder: DataFolder, player: PlayerOptions, place: Place, terminal: Terminal) -> int:
    """Go on with a match where it stands, or sit down to it. Problem when there is no seat for the player."""
    async with _connected(folder, player, terminal) as clients:
        known = await _personas(clients, player)
        found = await take_up(clients, place, player.name)
        where = f"Back at table {place.table_id}" if found.version else f"Seated at table {place.table_id}"
        terminal.say(Text(f"{where}, {SEATS[found.seat]}", "bold"))
        seating = _seating(folder, player, place.table_id, found)
        await _sit(clients, seating, known, terminal)
    return 0


async def queue_up(
    folder: DataFolder,
    player: PlayerOptions,
    request: matchmaking_pb2.CreateTicketRequest | None,
    terminal: Terminal,
) -> int:
    """Wait in the queue, with None by the ticket held, then play the match at the table that it leads to."""
    suggest = _suggest(folder, player)
    async with _connected(folder, player, terminal) as clients:
        known = await _personas(clients, player)
        ticket = await take_ticket(clients, request, suggest, terminal)
        matched = await wait_for_table(clients, ticket, suggest, terminal)
        if ticket.or_games:
            terminal.say(f"It is {matched.ruleset_id} that is played 开打.")
        terminal.say(f"You sit {SEATS[matched.seat]} at table {matched.table_id}.")
        seating = _seating(folder, player, matched.table_id, Found(matched.seat, 0))
        if await _sit(clients, seating, known, terminal):
            terminal.say("Play again with the same people 再来一局 within a minute of each other:")
            terminal.whole(f"  {folder.suggest(f'queue --rematch {matched.table_id}{player.in_a_line}')}")
    return 0


async def leave_queue(folder: DataFolder, player: PlayerOptions, terminal: Terminal) -> int:
    """Take the player's ticket back."""
    suggest = _suggest(folder, player)
    async with _connected(folder, player, terminal) as clients:
        await take_back(clients, suggest, terminal)
    return 0


async def play_from_room(
    folder: DataFolder,
    player: PlayerOptions,
    gather: Callable[[Clients], Awaitable[Seated | None]],
    terminal: Terminal,
) -> int:
    """Gather in a room, then play the match at the table that it opens."""
    async with _connected(folder, player, terminal) as clients:
        known = await _personas(clients, player)
        seated = await gather(clients)
        if seated is None:
            terminal.say("You have left the room 已离开.")
            return 0
        terminal.say(f"You sit {SEATS[seated.seat]} at table {seated.table_id}.")
        seating = _seating(folder, player, seated.table_id, Found(seated.seat, 0))
        if await _sit(clients, seating, known, terminal, seated.typed_ahead):
            _tell_of_room(folder, player, seated, terminal)
    return 0


def _tell_of_room(folder: DataFolder, player: PlayerOptions, seated: Seated, terminal: Terminal) -> None:
    """After a match people are still in their room, and can play again or leave it."""
    code, name = seated.code, player.in_a_line
    who = "You" if seated.host_id == player.name else f"The host {seated.host_id}"
    terminal.say(f"Room 房间 {code} is still yours. {who} can play again 再来一局, then come to the table:")
    if seated.host_id == player.name:
        terminal.whole(f"  {folder.suggest(f'room start {code}{name}')}")
    terminal.whole(f"  {folder.suggest(f'room join {code}{name}')}")
    terminal.say("Before you queue or enter another room, leave it 离开:")
    terminal.whole(f"  {folder.suggest(f'room leave {code}{name}')}")


def _seating(folder: DataFolder, player: PlayerOptions, table_id: str, found: Found) -> Seating:
    persona = "" if player.persona == USUAL_PERSONA else f" --persona {player.persona}"
    way_back = folder.suggest(f"play --table {table_id}{player.in_a_line}{persona}")
    return Seating(player.name, table_id, found.seat, player.persona, way_back, found.version)


def _suggest(folder: DataFolder, player: PlayerOptions) -> Suggest:
    return lambda command: folder.suggest(f"{command}{player.in_a_line}")


def _connected(
    folder: DataFolder, player: PlayerOptions, terminal: Terminal
) -> AbstractAsyncContextManager[Clients]:
    outage = Outage(terminal)
    return connect(folder, player.name, outage.trouble, outage.over)


async def _personas(clients: Clients, player: PlayerOptions) -> dict[str, Words]:
    known = await personas(clients)
    if player.persona not in known:
        raise Problem(f"no persona {player.persona!r}; there are {', '.join(known)}", BAD_INPUT)
    return known


async def _open_table(clients: Clients, player: PlayerOptions, table: TableOptions) -> str:
    bot = table_pb2.Occupant(persona=player.persona)
    person = table_pb2.Occupant(player_id=player.name)
    players = table.game.rules.options.players
    others = [seat for seat in ((table.seat + step) % 4 for step in (2, 1, 3)) if seat < players]
    seats = [table_pb2.SeatAssignment(seat=table.seat, occupant=person)]
    seats += [
        table_pb2.SeatAssignment(seat=seat, occupant=bot) for seat in sorted(others[table.open_seats :])
    ]
    return await open_table(clients, table.game, seats, table.invited)


async def _sit(
    clients: Clients,
    seating: Seating,
    known: Mapping[str, Words],
    terminal: Terminal,
    typed_ahead: Sequence[str] = (),
) -> bool:
    """Feed a session with the table's updates, typed lines and signals until it is over.

    False where the player has left before the end of the match.
    """
    session = SeatSession(clients, seating, Narrator(known, viewer=seating.seat), terminal)
    loop = asyncio.get_running_loop()
    lines = TypedLines(session.on_line, lambda: session.on_line(Ended()))
    for number in STOPPING:
        loop.add_signal_handler(number, session.on_line, Interrupted(may_ask=_may_ask(number)))
    updates = asyncio.ensure_future(_pass_on_updates(session, clients, seating))
    for line in typed_ahead:
        session.on_line(line)
    lines.start()
    try:
        playing = asyncio.ensure_future(session.run())
        await asyncio.wait((playing, updates), return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            playing.cancel()
            await updates
        return await playing
    finally:
        updates.cancel()
        lines.stop()


def _may_ask(number: signal.Signals) -> bool:
    return number is signal.SIGINT and sys.stdin.isatty()


async def _pass_on_updates(session: SeatSession, clients: Clients, seating: Seating) -> None:
    request = table_pb2.WatchTableRequest(table_id=seating.table_id, seat=seating.seat, after_version=0)
    async with aclosing(follow(clients, request, seating.player)) as updates:
        async for update in updates:
            session.on_update(update)
