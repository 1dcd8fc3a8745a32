"""`shuangkou up`: the whole suite on this machine, until Ctrl-C."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from shuangkou.cli.child import Child
from shuangkou.cli.clients import connect
from shuangkou.cli.columns import left, rows
from shuangkou.cli.demo import PLAYER, play_unseen, show_table
from shuangkou.cli.empty_ledger import lacks_told_deals
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.ledger_address import VARIABLE, elsewhere
from shuangkou.cli.log_tail import follow_log
from shuangkou.cli.plan import SuitePlan, plan_suite
from shuangkou.cli.ports import Ports
from shuangkou.cli.problem import Problem
from shuangkou.cli.rulebook import Game
from shuangkou.cli.settings_check import check_settings
from shuangkou.cli.supervisor import Supervisor
from shuangkou.cli.terminal import Terminal
from shuangkou.rules.ruleset import load

_DEMO_GAME: Final = Game(load("qq"), None, 1)


@dataclass(frozen=True, slots=True)
class UpOptions:
    """``base_port`` as in ``plan_suite``; ``verbose`` shows the logs, ``demo`` plays tables of bots."""

    engines: int
    base_port: int | None
    verbose: bool
    demo: bool


async def up(folder: DataFolder, options: UpOptions, terminal: Terminal) -> int:
    """Run a suite in ``folder`` until this is cancelled; nothing of it is left running after that."""
    ledger = elsewhere()
    with folder.occupied(), Ports() as ports:
        plan = plan_suite(folder, ports, options.engines, options.base_port, ledger)
        await check_settings(plan)
        terminal.whole(Text(f"Starting a suite in {folder.path}", "bold"))
        supervisor = Supervisor(plan, terminal.say)
        try:
            async with supervisor:
                is_lacking = bool(plan.ledger) and await lacks_told_deals(folder)
                _tell_what_runs(plan, terminal, is_lacking)
                await _stay_up(supervisor, options, terminal)
        except asyncio.CancelledError:
            terminal.say("Stopped.")
            raise
    return 0


async def _stay_up(supervisor: Supervisor, options: UpOptions, terminal: Terminal) -> None:
    try:
        async with asyncio.TaskGroup() as work:
            if options.verbose:
                for child in supervisor.children:
                    work.create_task(_show_log(child, terminal))
            if options.demo:
                work.create_task(_demo(supervisor.plan.folder, terminal))
            await supervisor.keep()
    finally:
        terminal.say("Stopping; press Ctrl-C again to stop at once.")


async def _demo(folder: DataFolder, terminal: Terminal) -> None:
    try:
        async with connect(folder, PLAYER, lambda: None) as clients:
            await show_table(clients, _DEMO_GAME, terminal)
            how = folder.suggest("events --follow")
            terminal.whole(Text(f"More tables are played now; see them with: {how}", "dim"))
            await play_unseen(clients, _DEMO_GAME)
    except Problem as problem:
        # The suite outlives its demonstration.
        terminal.remark(f"the demo table ended: {problem}")


async def _show_log(child: Child, terminal: Terminal) -> None:
    async with aclosing(follow_log(child.log)) as lines:
        async for line in lines:
            terminal.record(Text(f"{child.plan.name} | ", "dim").append(line, "not dim"))


def _tell_what_runs(plan: SuitePlan, terminal: Terminal, is_lacking: bool) -> None:
    table: list[list[Text | str]] = [[Text(title, "dim") for title in ("service", "listens on", "metrics")]]
    table.append([plan.nats.name, plan.nats_url, ""])
    table += [[each.name, each.address, f"http://{each.metrics}/metrics"] for each in plan.services]
    terminal.say()
    for line in rows(table):
        terminal.say(line)
    for name, (wanted, taken) in plan.moved.items():
        terminal.say(Text(f"  Port {wanted} was in use, so {name} listens on {taken}.", "yellow"))
    if plan.ledger:
        terminal.say(Text(f"  The ledger 账本 is {plan.ledger}, as {VARIABLE} says.", "yellow"))
    if is_lacking:
        fills = plan.folder.suggest("scoring rebuild")
        why = (
            "  It is empty 账本为空, and only what ends from now on is entered. All of before is entered by:"
        )
        terminal.say(Text(why, "yellow"))
        terminal.whole(f"    {fills}")
    tries = (
        ("play a table yourself", "play"),
        ("watch four bots play", "demo"),
        ("read the event stream", "events --follow"),
        ("see who leads", "leaderboard"),
    )
    terminal.say()
    for what, how in tries:
        terminal.whole(Text("  ").append_text(left(Text(what, "dim"), 24)).append(plan.folder.suggest(how)))
    terminal.whole(Text(f"\nLogs are in {plan.folder.logs}", "dim"))
    terminal.say(Text("Stop with Ctrl-C.", "dim"))
