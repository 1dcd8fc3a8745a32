"""`shuangkou demo`: one table of four bots, told as it is played."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from rich.text import Text

from shuangkou.cli.clients import Clients, connect
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.plan import plan_suite
from shuangkou.cli.ports import Ports
from shuangkou.cli.rulebook import Game
from shuangkou.cli.supervisor import Supervisor
from shuangkou.cli.tables import open_bot_table, personas, tell_table
from shuangkou.cli.terminal import Terminal

PLAYER: Final = "demo"
_PAUSE_SECONDS: Final = 1.0


async def demo(folder: DataFolder, game: Game, terminal: Terminal) -> int:
    """Play one table on the suite in ``folder``, or on one started for it and stopped after it."""
    if folder.is_occupied():
        await _play_one(folder, game, terminal)
        return 0
    with TemporaryDirectory(prefix="shuangkou-demo-") as path:
        temporary = DataFolder(Path(path))
        with temporary.occupied(), Ports() as ports:
            terminal.remark(Text("No suite is running, so one is started for this table.", "dim"))
            plan = plan_suite(temporary, ports, engines=1, base_port=0)
            async with Supervisor(plan, terminal.remark):
                await _play_one(temporary, game, terminal)
    return 0


async def show_table(clients: Clients, game: Game, terminal: Terminal) -> None:
    """Open a table of bots and tell all of it."""
    known = await personas(clients)
    table_id = await open_bot_table(clients, game, list(known))
    terminal.say(Text(f"Table {table_id} · {game.name}", "bold"))
    await tell_table(clients, table_id, Narrator(known), terminal.say)


async def play_unseen(clients: Clients, game: Game) -> None:
    """Play tables of bots one after another, for ever."""
    known = await personas(clients)
    while True:
        table_id = await open_bot_table(clients, game, list(known))
        await tell_table(clients, table_id, Narrator(known), _say_nothing)
        await asyncio.sleep(_PAUSE_SECONDS)


async def _play_one(folder: DataFolder, game: Game, terminal: Terminal) -> None:
    async with connect(folder, PLAYER, lambda: None) as clients:
        await show_table(clients, game, terminal)


def _say_nothing(_line: Text | str) -> None:
    """A table that nobody looks at."""
