"""`shuangkou play`: a person takes a seat in the terminal."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import aclosing
from dataclasses import dataclass

from rich.text import Text

from shuangkou.cli.clients import Clients, connect, new_id, sparingly
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.follow import follow
from shuangkou.cli.interruption import STOPPING
from shuangkou.cli.lines import TypedLines
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.seat import Ended, Interrupted, Seating, SeatSession
from shuangkou.cli.tables import personas
from shuangkou.cli.terminal import Terminal
from shuangkou.cli.words import Words
from shuangkou.v1 import table_pb2


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The table to open: its ruleset, who sits where, how long it lasts."""

    ruleset_id: str
    name: str
    seat: int
    persona: str
    deals: int


async def play(folder: DataFolder, options: PlayOptions, terminal: Terminal) -> int:
    """Play a match against three bots, to its end or until the player leaves."""
    trouble = Text("(the engine does not answer; trying again)", "dim")
    async with connect(folder, options.name, sparingly(lambda: terminal.remark(trouble))) as clients:
        known = await personas(clients)
        table_id = await _open_table(clients, options, known)
        narrator = Narrator(known, viewer=options.seat)
        seating = Seating(table_id, options.seat, options.persona)
        await _sit(SeatSession(clients, seating, narrator, terminal), clients, seating)
    return 0


async def _open_table(clients: Clients, options: PlayOptions, known: dict[str, Words]) -> str:
    if options.persona not in known:
        raise Problem(f"no persona {options.persona!r}; there are {', '.join(known)}", BAD_INPUT)
    bot = table_pb2.Occupant(persona=options.persona)
    person = table_pb2.Occupant(player_id=options.name)
    seats = [
        table_pb2.SeatAssignment(seat=seat, occupant=person if seat == options.seat else bot)
        for seat in range(4)
    ]
    request = table_pb2.CreateTableRequest(
        command_id=new_id(), ruleset_id=options.ruleset_id, seats=seats, deals=options.deals
    )
    return (await clients.ask(clients.tables.CreateTable, request)).table_id


async def _sit(session: SeatSession, clients: Clients, seating: Seating) -> None:
    """Feed the session with the table's updates, typed lines and signals until it is over."""
    loop = asyncio.get_running_loop()
    lines = TypedLines(session.on_line, lambda: session.on_line(Ended()))
    for number in STOPPING:
        loop.add_signal_handler(number, session.on_line, Interrupted(may_ask=_may_ask(number)))
    updates = asyncio.ensure_future(_pass_on_updates(session, clients, seating))
    lines.start()
    try:
        playing = asyncio.ensure_future(session.run())
        await asyncio.wait((playing, updates), return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            playing.cancel()
            await updates
        await playing
    finally:
        updates.cancel()
        lines.stop()


def _may_ask(number: signal.Signals) -> bool:
    return number is signal.SIGINT and sys.stdin.isatty()


async def _pass_on_updates(session: SeatSession, clients: Clients, seating: Seating) -> None:
    request = table_pb2.WatchTableRequest(table_id=seating.table_id, seat=seating.seat, after_version=0)
    async with aclosing(follow(clients, request)) as updates:
        async for update in updates:
            session.on_update(update)
