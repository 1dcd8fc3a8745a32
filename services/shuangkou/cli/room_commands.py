"""The commands of `shuangkou room`: what can be typed, and what it starts."""

from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from shuangkou.cli import rulebook
from shuangkou.cli.arguments import (
    USUAL_GAME,
    Choice,
    Data,
    Deals,
    Event,
    Name,
    Persona,
)
from shuangkou.cli.folder import DEFAULT, DataFolder
from shuangkou.cli.interruption import run
from shuangkou.cli.play import USUAL_NAME, USUAL_PERSONA, PlayerOptions
from shuangkou.cli.problem import INTERRUPTED
from shuangkou.cli.room import (
    arrange_room,
    creation,
    entrance,
    leave_room,
    say_in_room,
    show_room,
    start_room,
    stay_in_room,
)
from shuangkou.cli.terminal import Terminal
from shuangkou.v1 import rooms_pb2

rooms_app = typer.Typer(help="Meet people in a room 开房, and play one table together.", no_args_is_help=True)

_LAST_SEAT: Final = 3


def _six_digits(text: str) -> str:
    code = text.rpartition("/")[2]
    if len(code) != 6 or not code.isascii() or not code.isdigit():
        raise typer.BadParameter("a room's code has six digits, as in 042137")
    return code


def _a_seat(seat: int | None) -> int | None:
    if seat is not None and not 0 <= seat <= _LAST_SEAT:
        raise typer.BadParameter(f"there is no seat {seat}; seats are 0 to {_LAST_SEAT} · 没有这个座位")
    return seat


Code = Annotated[str, typer.Argument(callback=_six_digits, help="The room's six digits, or its link.")]
Seat = Annotated[int, typer.Argument(callback=_a_seat, help="A seat, from 0.")]


@rooms_app.command()
def create(  # noqa: PLR0913  # one for each option that can be typed
    ruleset: Choice = USUAL_GAME,
    name: Name = USUAL_NAME,
    persona: Persona = USUAL_PERSONA,
    deals: Deals = None,
    event: Event = None,
    spectators: Annotated[
        bool, typer.Option("--spectators", help="Let anybody watch the table 允许旁观.")
    ] = False,
    data: Data = DEFAULT,
) -> None:
    """Open a room, wait for people in it, start, and play."""
    enter = creation(rulebook.read_game(ruleset, event, deals), spectators)
    _finish(stay_in_room(_folder(data), PlayerOptions(name, persona), enter, Terminal()))


@rooms_app.command()
def join(
    code: Code,
    name: Name = USUAL_NAME,
    persona: Persona = USUAL_PERSONA,
    seat: Annotated[
        int | None, typer.Option(callback=_a_seat, help="The seat; else the first open one.")
    ] = None,
    data: Data = DEFAULT,
) -> None:
    """Join a room, or come back to it, and play at its table."""
    _finish(stay_in_room(_folder(data), PlayerOptions(name, persona), entrance(code, seat), Terminal()))


@rooms_app.command()
def start(code: Code, name: Name = USUAL_NAME, data: Data = DEFAULT) -> None:
    """Open the table of your room."""
    _finish(start_room(_folder(data), name, code, Terminal()))


@rooms_app.command()
def show(code: Code, name: Name = USUAL_NAME, data: Data = DEFAULT) -> None:
    """Show who sits where in a room that you are in, and what was said."""
    _finish(show_room(_folder(data), name, code, Terminal()))


@rooms_app.command()
def bot(
    code: Code,
    seat: Seat,
    persona: Annotated[str, typer.Argument(help="Who the bot is, as in plain.")] = USUAL_PERSONA,
    name: Name = USUAL_NAME,
    remove: Annotated[bool, typer.Option("--remove", help="Take the bot on that seat away.")] = False,
    data: Data = DEFAULT,
) -> None:
    """Put a bot on an open seat of your room."""
    added = rooms_pb2.AddRoomBot(seat=seat, persona=persona)
    request = rooms_pb2.ArrangeRoomRequest(code=code, add_bot=added)
    if remove:
        request = rooms_pb2.ArrangeRoomRequest(code=code, remove_bot_seat=seat)
    _finish(arrange_room(_folder(data), name, request, Terminal()))


@rooms_app.command()
def swap(code: Code, one: Seat, other: Seat, name: Name = USUAL_NAME, data: Data = DEFAULT) -> None:
    """Let two seats of your room change places."""
    request = rooms_pb2.ArrangeRoomRequest(code=code, swap=rooms_pb2.SwapRoomSeats(one=one, other=other))
    _finish(arrange_room(_folder(data), name, request, Terminal()))


@rooms_app.command()
def kick(
    code: Code,
    player: Annotated[str, typer.Argument(help="Whom to send away.")],
    name: Name = USUAL_NAME,
    data: Data = DEFAULT,
) -> None:
    """Send somebody away from your room."""
    request = rooms_pb2.ArrangeRoomRequest(code=code, kick_player_id=player)
    _finish(arrange_room(_folder(data), name, request, Terminal()))


@rooms_app.command()
def say(
    code: Code,
    phrase: Annotated[str, typer.Argument(help="Which phrase; without one all are listed.")] = "",
    name: Name = USUAL_NAME,
    data: Data = DEFAULT,
) -> None:
    """Say one of the phrases in a room."""
    _finish(say_in_room(_folder(data), name, code, phrase, Terminal()))


@rooms_app.command()
def leave(code: Code, name: Name = USUAL_NAME, data: Data = DEFAULT) -> None:
    """Leave a room."""
    _finish(leave_room(_folder(data), name, code, Terminal()))


def _folder(data: Path) -> DataFolder:
    return DataFolder(data)


def _finish(command: Coroutine[Any, Any, int]) -> None:
    raise typer.Exit(run(command, INTERRUPTED))
