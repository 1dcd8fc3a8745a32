"""Arguments and options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from shuangkou.cli import tls
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


def given(text: str | None) -> str | None:
    """What is typed and not blank, or nothing; BadParameter for a blank."""
    return a_table(text)


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
    str | None,
    typer.Option(
        "--event",
        callback=given,
        help="Play in this event 赛事, as in ev_elder or ev_swiss,round=2; `rulesets` lists them.",
    ),
]
Name = Annotated[str, typer.Option("--name", callback=a_player, help="Your player id.")]
Viewer = Annotated[str, typer.Option("--name", callback=a_player, help="Who you are, for private tables.")]
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


def _remember(variable: str) -> Callable[[Path | None], Path | None]:
    """Services that `up` starts call each other by the same files."""

    def put(file: Path | None) -> Path | None:
        if file is not None:
            os.environ[variable] = str(file.resolve())
        return file

    return put


def _pem(option: str, variable: str, text: str) -> Any:
    return typer.Option(
        option, exists=True, dir_okay=False, metavar="PEM", help=text, callback=_remember(variable)
    )


TlsCa = Annotated[
    Path | None, _pem("--tls-ca", tls.CA, "Authority of the services' certificates; calls them by TLS.")
]
TlsCertificate = Annotated[
    Path | None, _pem("--tls-cert", tls.CERTIFICATE, "Certificate for services that ask for one.")
]
TlsKey = Annotated[Path | None, _pem("--tls-key", tls.KEY, "Its private key.")]
