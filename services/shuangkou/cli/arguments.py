"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from shuangkou.rules.ruleset import MOST_DEALS
from shuangkou.wire.names import PLAYER_NAME_RULE, is_player_name


def _folder(text: str | Path) -> Path:
    if not str(text).strip():
        raise typer.BadParameter("it is empty")
    return Path(text)


def a_table(text: str | None) -> str | None:
    """A table id that is not blank; BadParameter for one that is."""
    if text is not None and not text.strip():
        raise typer.BadParameter("it is empty")
    return text


def a_player(text: str) -> str:
    """A name that a player may have; BadParameter for another."""
    if not is_player_name(text):
        raise typer.BadParameter(f"use {PLAYER_NAME_RULE}")
    return text


def some_players(texts: list[str] | None) -> list[str] | None:
    """Names that players may have; BadParameter for another."""
    return texts and [a_player(text) for text in texts]


Data = Annotated[
    Path,
    typer.Option(
        "--data", envvar="SHUANGKOU_DATA", help="Folder of the suite.", parser=_folder, metavar="FOLDER"
    ),
]
Ruleset = Annotated[str, typer.Option("--ruleset", help="Ruleset id; `shuangkou rulesets` lists them.")]
Choice = Annotated[
    str,
    typer.Option("--ruleset", help="Ruleset id, and options if you choose any, as in qq,turn_seconds=60."),
]
Event = Annotated[
    str,
    typer.Option(
        "--event", help="Play in this event 赛事, as in ev_elder or ev_swiss,round=2; `rulesets` lists them."
    ),
]
Name = Annotated[str, typer.Option("--name", callback=a_player, help="Your player id.")]
Persona = Annotated[str, typer.Option("--persona", help="Who the bots are, and who gives hints.")]
Deals = Annotated[
    int | None,
    typer.Option(
        "--deals",
        min=1,
        max=MOST_DEALS,
        help="How many deals; usually one, or as many as a total or the event needs.",
    ),
]
USUAL_GAME: Final = "qq"
