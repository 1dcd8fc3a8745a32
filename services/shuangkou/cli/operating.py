"""Commands for who runs a suite: a copy of all it keeps, and how much it bears."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shuangkou.cli.arguments import USUAL_GAME, Data
from shuangkou.cli.backup import backup, restore
from shuangkou.cli.folder import DEFAULT, DataFolder
from shuangkou.cli.interruption import run
from shuangkou.cli.load import MOST_SECONDS, MOST_TABLES, LoadOptions, load
from shuangkou.cli.load_clients import Pace
from shuangkou.cli.problem import INTERRUPTED
from shuangkou.cli.rulebook import read_game
from shuangkou.cli.terminal import Terminal

_MOST_WATCHERS = 4


def add_operating(app: typer.Typer) -> None:
    """Make these commands part of ``app``."""
    app.command("backup")(_backup)
    app.command("restore")(_restore)
    app.command("load")(_load)


def _backup(
    target: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that does not exist yet.")],
    data: Data = DEFAULT,
) -> None:
    """Copy all that a suite keeps; it must not run meanwhile.

    The copy holds keys, passwords and hidden cards.
    """
    raise typer.Exit(backup(DataFolder(data), target, Terminal()))


def _restore(
    source: Annotated[Path, typer.Argument(metavar="FOLDER", help="What `shuangkou backup` made.")],
    data: Data = DEFAULT,
) -> None:
    """Put a backup into an empty data folder."""
    raise typer.Exit(restore(DataFolder(data), source, Terminal()))


def _load(  # noqa: PLR0913  # one for each option that can be typed
    tables: Annotated[int, typer.Option(min=1, max=MOST_TABLES, help="Tables at once.")] = 20,
    seconds: Annotated[int, typer.Option(min=1, max=MOST_SECONDS, help="How long.")] = 30,
    think: Annotated[float, typer.Option(min=0, max=20, help="Seconds before each act.")] = 0.0,
    watch: Annotated[
        int, typer.Option(min=0, max=_MOST_WATCHERS, help="Open streams at each table.")
    ] = _MOST_WATCHERS,
    ruleset: Annotated[
        list[str] | None,
        typer.Option(
            "--ruleset",
            metavar="ID",
            help="What is played; once for each of several games. As in qq,turn_seconds=60 with options.",
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with graphs to this HTML file.")
    ] = None,
    data: Data = DEFAULT,
) -> None:
    """See how many tables a running suite bears.

    Exit code 1: a client saw what it must never see, such as a lost act.
    """
    games = tuple(read_game(choice, "", 1) for choice in ruleset or [USUAL_GAME])
    options = LoadOptions(games, tables, seconds, Pace(think, watch), report)
    raise typer.Exit(run(load(DataFolder(data), options, Terminal()), INTERRUPTED))
