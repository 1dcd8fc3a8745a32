"""The commands `shuangkou queue` and `queues`: what can be typed, and what it starts."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from shuangkou.cli import rulebook
from shuangkou.cli.arguments import USUAL_GAME, Choice, Data, Deals, Event, Name, Persona, a_table, given
from shuangkou.cli.clients import new_id
from shuangkou.cli.folder import DEFAULT, DataFolder
from shuangkou.cli.interruption import run
from shuangkou.cli.modes import MODES, Mode
from shuangkou.cli.play import USUAL_NAME, USUAL_PERSONA, PlayerOptions, leave_queue, queue_up
from shuangkou.cli.problem import INTERRUPTED
from shuangkou.cli.queues import show_queues
from shuangkou.cli.terminal import Terminal
from shuangkou.v1 import matchmaking_pb2

BotsAfter = Annotated[
    int | None, typer.Option(min=0, max=3600, help="Seconds until bots fill the table; 10 unless told.")
]
ModeOption = Annotated[
    Mode,
    typer.Option(
        "--mode",
        help="ranked: people near your rating 排位, further off every 5 s, no bots; "
        "bots: at once with bots only 人机.",
    ),
]
People = Annotated[bool, typer.Option("--people", help="Never sit down with bots.")]
Partner = Annotated[
    str | None,
    typer.Option(
        "--with", metavar="NAME", callback=given, help="Your partner 对家, who queues with your name here."
    ),
]
Avoid = Annotated[
    list[str] | None, typer.Option("--avoid", metavar="NAME", help="Not with this player; repeatable.")
]
Region = Annotated[
    str | None,
    typer.Option(
        "--region",
        callback=given,
        help="Meet only players of this region, as in cn-east; else who names none.",
    ),
]
Others = Annotated[
    list[str] | None,
    typer.Option("--or", metavar="GAME", help="A game that would do as well, as in zsy; repeatable."),
]
Rematch = Annotated[
    str | None,
    typer.Option(
        metavar="TABLE", callback=a_table, help="Play this table again 再来一局, with the same people."
    ),
]

Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with the ticket that you hold 继续排队, as after a crash.")
]
Cancel = Annotated[bool, typer.Option("--cancel", help="Take the ticket that you hold back 取消排队.")]

_ALONE: Final = {
    "--rematch": "plays a table again as it was",
    "--resume": "goes on with the ticket that you hold",
    "--cancel": "takes back the ticket that you hold",
}
"""Options beside which nothing else is wished for, and why."""

_USUAL_WISH: Final = (USUAL_GAME, None, None, None, Mode.CASUAL, False, None, None, None, None)


def queue(  # noqa: PLR0913  # one for each option that can be typed
    ruleset: Choice = USUAL_GAME,
    name: Name = USUAL_NAME,
    persona: Persona = USUAL_PERSONA,
    bots_after: BotsAfter = None,
    deals: Deals = None,
    event: Event = None,
    mode: ModeOption = Mode.CASUAL,
    people: People = False,
    partner: Partner = None,
    avoid: Avoid = None,
    region: Region = None,
    others: Others = None,
    rematch: Rematch = None,
    resume: Resume = False,
    cancel: Cancel = False,
    data: Data = DEFAULT,
) -> None:
    """Queue for a table with other people, and play at it.

    Ctrl-C takes you out; `shuangkou queues` shows who waits for what. After a crash the same again goes on.
    """
    wish = (ruleset, bots_after, deals, event, mode, people, partner, avoid or None, region, others or None)
    _check_alone((rematch, resume, cancel), wish == _USUAL_WISH)
    ticket = None
    if rematch:
        ticket = matchmaking_pb2.CreateTicketRequest(ticket_id=new_id(), rematch_of=rematch)
    elif not resume and not cancel:
        ticket = _ticket(rulebook.read_game(ruleset, event, deals), bots_after)
        ticket.people_only, ticket.mode = people, MODES[mode]
        ticket.partner_id, ticket.region = partner or "", region or ""
        ticket.avoided.extend(avoid or ())
        ticket.or_games.extend(_game(rulebook.read_game(other, event, deals)) for other in others or ())
    folder, player, terminal = DataFolder(data), PlayerOptions(name, persona), Terminal()
    does = leave_queue(folder, player, terminal) if cancel else queue_up(folder, player, ticket, terminal)
    raise typer.Exit(run(does, INTERRUPTED))


def queues(
    ruleset: Annotated[
        str | None, typer.Option("--ruleset", callback=given, help="Only the queues of this game.")
    ] = None,
    data: Data = DEFAULT,
) -> None:
    """Show how many wait for which game, and how long it takes."""
    raise typer.Exit(run(show_queues(DataFolder(data), ruleset or "", Terminal()), INTERRUPTED))


def _check_alone(typed: tuple[str | bool | None, ...], is_usual: bool) -> None:
    alone = [option for option, value in zip(_ALONE, typed, strict=True) if value]
    if alone and not (len(alone) == 1 and is_usual):
        raise typer.BadParameter(f"{alone[0]} {_ALONE[alone[0]]}; leave the other options out")


def _game(game: rulebook.Game) -> matchmaking_pb2.Game:
    return matchmaking_pb2.Game(
        ruleset_id=game.rules.id, options=game.rules.chosen, deals=game.deals, event=game.event_terms
    )


def _ticket(game: rulebook.Game, bots_after: int | None) -> matchmaking_pb2.CreateTicketRequest:
    return matchmaking_pb2.CreateTicketRequest(
        ticket_id=new_id(),
        ruleset_id=game.rules.id,
        options=game.rules.chosen,
        bots_after_ms=None if bots_after is None else bots_after * 1000,
        deals=game.deals,
        event=game.event_terms,
    )
