"""`shuangkou watch`: any table, seen from beside it."""

from __future__ import annotations

from contextlib import aclosing

from rich.text import Text

from shuangkou.cli.broker import analysts_broker
from shuangkou.cli.clients import Clients, Refused, connect, sparingly
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.follow import Update, follow
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.problem import FAILED, Problem
from shuangkou.cli.seat_view import score_lines, table_lines
from shuangkou.cli.stream import Reading, read_events
from shuangkou.cli.tables import is_last, look_at, personas
from shuangkou.cli.terminal import Terminal
from shuangkou.rules.ruleset import RuleSetError, load
from shuangkou.v1 import table_pb2

SPECTATOR = "spectator"
"""Who watches where no name is given: a stranger to every private table."""


async def watch(folder: DataFolder, table_id: str, name: str, from_start: bool, terminal: Terminal) -> int:
    """Tell a table until its match is over; an empty id means the next public one at which something happens.

    Problem when there is no such table, or nothing more to come without ``from_start``.
    """
    trouble = Text("(the suite does not answer; trying again)", "dim")
    async with connect(folder, name, sparingly(lambda: terminal.remark(trouble))) as clients:
        found = table_id or await _next_table(clients, folder, terminal)
        narrator = Narrator(await personas(clients))
        view = await look_at(clients, found)
        terminal.say(Text(f"Table {found} · {_game(view.ruleset_id)}", "bold"))
        if view.phase == table_pb2.TABLE_PHASE_FINISHED and not from_start:
            for line in score_lines(view, narrator.occupant):
                terminal.say(line)
            raise Problem("the match is over 终局; --from-start tells it from its beginning", FAILED)
        await _tell(clients, found, from_start, narrator, terminal)
    return 0


async def _tell(
    clients: Clients, table_id: str, from_start: bool, narrator: Narrator, terminal: Terminal
) -> None:
    request = table_pb2.WatchTableRequest(table_id=table_id, after_version=0 if from_start else None)
    has_begun = from_start
    async with aclosing(follow(clients, request)) as updates:
        async for update in updates:
            lines = narrator.tell(update.commit) if isinstance(update, table_pb2.TableUpdate) else []
            if isinstance(update, table_pb2.SeatView) and not has_begun:
                has_begun = True
                narrator.begin(update)
                lines = [*score_lines(update, narrator.occupant), *table_lines(update)]
            for line in lines:
                terminal.say(line)
            if _is_over(update, from_start):
                return


def _is_over(update: Update, from_start: bool) -> bool:
    if isinstance(update, table_pb2.TableUpdate):
        return is_last(update.commit)
    return update.phase == table_pb2.TABLE_PHASE_FINISHED and not from_start


async def _may_see(clients: Clients, table_id: str) -> bool:
    try:
        await look_at(clients, table_id)
    except Refused as refused:
        if refused.refusal.code != "table/private":
            raise
        return False
    return True


async def _next_table(clients: Clients, folder: DataFolder, terminal: Terminal) -> str:
    terminal.say(Text("Waiting for a table at which something happens; Ctrl-C ends it.", "dim"))
    reading = Reading("events.table.>", from_start=False, follow=True)
    messages = read_events(analysts_broker(folder), reading, lambda: None)
    async with aclosing(messages):
        async for message in messages:
            table_id = message.subject.rpartition(".")[2]
            if await _may_see(clients, table_id):
                return table_id
    raise Problem("the event stream has ended")


def _game(ruleset_id: str) -> str:
    try:
        rules = load(ruleset_id)
    except RuleSetError:
        return ruleset_id
    return f"{rules.name_en} {rules.name_zh}"
