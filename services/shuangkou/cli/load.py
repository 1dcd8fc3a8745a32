"""`shuangkou load`: how much a suite bears, by clients that play as people do, only without people."""

from __future__ import annotations

import asyncio
import os
import platform
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from shuangkou.chassis.auth import CallerKind
from shuangkou.chassis.channels import CHANNEL_OPTIONS, target_of
from shuangkou.chassis.writable import why_not_writable
from shuangkou.cli.clients import dev_token
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.load_clients import Callers, LoadedTable, Pace
from shuangkou.cli.load_costs import Spending
from shuangkou.cli.load_report import Report, page
from shuangkou.cli.load_tally import Tally
from shuangkou.cli.problem import BAD_INPUT, FAILED, Problem
from shuangkou.cli.rulebook import Game
from shuangkou.cli.terminal import Terminal
from shuangkou.cli.tls import channel_to
from shuangkou.rules.decider import decider_for
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import table_pb2_grpc

MOST_TABLES: Final = 2000
MOST_SECONDS: Final = 3600
_TOKEN_SLACK_SECONDS: Final = 600
_TICK_SECONDS: Final = 0.2
_SITTING_DOWN: Final = 0.2
"""The part of a run in which its tables are opened."""
_ENDING_SECONDS: Final = 90.0
_TELL_SECONDS: Final = 10.0

Mint = Callable[[str, CallerKind], str]
"""A token for a subject."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """``games``: tables play them by turns. ``report``: where the page goes, if anywhere."""

    games: tuple[Game, ...]
    tables: int
    seconds: float
    pace: Pace
    report: Path | None = None


async def load(folder: DataFolder, options: LoadOptions, terminal: Terminal) -> int:
    """Drive tables against the suite in ``folder``; exit code 1 where clients saw a fault."""
    if options.report is not None:
        _check(options.report)
    target = target_of(folder.running().engines)
    seconds = options.seconds + _TOKEN_SLACK_SECONDS

    def mint(subject: str, kind: CallerKind) -> str:
        return dev_token(folder, subject, kind, seconds)

    tally = Tally()
    with _progress(terminal) as progress:
        async with Spending(folder) as spending:
            await drive(target, mint, options, tally, _ticker(progress, terminal, options, tally))
    games = tuple(game.rules.id for game in options.games)
    report = Report(tally, _machine(), games, options.tables, spending.costs)
    for name, value in report.rows:
        terminal.record(f"{name:22} {value}")
    if options.report is not None:
        _write(options.report, page(report))
        terminal.say(f"Graphs are in {options.report}")
    terminal.say(report.verdict)
    return FAILED if tally.faults else 0


def _ticker(progress: Progress, terminal: Terminal, options: LoadOptions, tally: Tally) -> Callable[[], None]:
    """Moves the bar; where there is no terminal to draw one on, a line now and then says how far it is."""
    total = options.seconds
    bar = progress.add_task("", total=total, acts=0, deals=0)
    told = 0

    def tick() -> None:
        nonlocal told
        done = min(time.monotonic() - tally.began, total)
        progress.update(bar, completed=done, acts=tally.acts, deals=tally.deals)
        if progress.disable and done // _TELL_SECONDS > told:
            told = int(done // _TELL_SECONDS)
            terminal.remark(f"{done:.0f} of {total:g} s: {tally.acts:,} acts, {tally.deals:,} deals")

    return tick


async def drive(
    target: str, mint: Mint, options: LoadOptions, tally: Tally, tick: Callable[[], None] = lambda: None
) -> None:
    """Play ``options.tables`` tables at once on the engines at ``target`` for the time that was asked for."""
    for game in options.games:
        decider_for(game.rules).prepare(game.rules)
    callers = [_callers(number, mint) for number in range(options.tables)]
    async with channel_to(target, CHANNEL_OPTIONS) as channel:
        stub = table_pb2_grpc.TableServiceStub(channel)
        tally.began = time.monotonic()
        end = tally.began + options.seconds
        # People do not all sit down in the same second.
        gap = options.seconds * _SITTING_DOWN / options.tables
        playing = [
            asyncio.create_task(
                _play(
                    LoadedTable(stub, each, tally, options.pace, options.games[number % len(options.games)]),
                    number * gap,
                    lambda: time.monotonic() >= end,
                )
            )
            for number, each in enumerate(callers)
        ]
        try:
            while time.monotonic() < end + _ENDING_SECONDS:
                tick()
                done, _ = await asyncio.wait(playing, timeout=_TICK_SECONDS)
                if len(done) == len(playing):
                    break
            for task in playing:
                if task.done():
                    task.result()
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


async def _play(table: LoadedTable, after_seconds: float, is_over: Callable[[], bool]) -> None:
    await asyncio.sleep(after_seconds)
    await table.play(is_over)


def _callers(number: int, mint: Mint) -> Callers:
    names = (f"load{number}-{place}" for place in SEATS)
    people = {name: _bearer(mint(name, CallerKind.PLAYER)) for name in names}
    return Callers(people, _bearer(mint("matchmaking", CallerKind.SERVICE)))


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def _progress(terminal: Terminal) -> Progress:
    counts = TextColumn("{task.fields[acts]:,} acts, {task.fields[deals]:,} deals")
    columns = (BarColumn(), counts, TimeRemainingColumn())
    return Progress(*columns, console=terminal.err, disable=not terminal.err.is_terminal, transient=True)


def _machine() -> str:
    busy = ""
    with suppress(OSError):
        busy = f", load average {os.getloadavg()[0]:.1f}"
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}{busy}"


def _check(file: Path) -> None:
    reason = why_not_writable(file)
    if reason:
        raise Problem(f"cannot write {file}: {reason}", BAD_INPUT)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text)
    except OSError as error:
        raise Problem(f"cannot write {file}: {error.strerror}") from None
