"""The commands `shuangkou queue` and `queues`: what can be typed, and what it starts."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from shuangkou.cli import rulebook
from shuangkou.cli.arguments import USUAL_GAME, Choice, Data, Deals, Event, Name, Persona, a_table
from shuangkou.cli.clients import new_id
from shuangkou.cli.folder import DEFAULT, DataFolder
from shuangkou.cli.interruption import run
from shuangkou.cli.modes import MODES, Mode
from shuangkou.cli.play import USUAL_NAME, USUAL_PERSONA, PlayerOptions, queue_up
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
    str, typer.Option("--with", metavar="NAME", help="Your partner 对家, who queues with your name here.")
]
Avoid = Annotated[
    list[str] | None, typer.Option("--avoid", metavar="NAME", help="Not with this player; repeatable.")
]
Region = Annotated[
    str,
    typer.Option("--region", help="Meet only players of this region, as in cn-east; else who names none."),
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

_USUAL_WISH: Final = (USUAL_GAME, None, None, "", Mode.CASUAL, False, "", None, "", None)


def queue(  # noqa: PLR0913  # one for each option that can be typed
    ruleset: Choice = USUAL_GAME,
    name: Name = USUAL_NAME,
    persona: Persona = USUAL_PERSONA,
    bots_after: BotsAfter = None,
    deals: Deals = None,
    event: Event = "",
    mode: ModeOption = Mode.CASUAL,
    people: People = False,
    partner: Partner = "",
    avoid: Avoid = None,
    region: Region = "",
    others: Others = None,
    rematch: Rematch = None,
    data: Data = DEFAULT,
) -> None:
    """Queue for a table with other people, and play at it.

    Ctrl-C takes you out; `shuangkou queues` shows who waits for what.
    """
    wish = (ruleset, bots_after, deals, event, mode, people, partner, avoid or None, region, others or None)
    if rematch and wish != _USUAL_WISH:
        raise typer.BadParameter("--rematch plays a table again as it was; leave the other options out")
    if rematch:
        ticket = matchmaking_pb2.CreateTicketRequest(ticket_id=new_id(), rematch_of=rematch)
    else:
        ticket = _ticket(rulebook.read_game(ruleset, event, deals), bots_after)
        ticket.people_only, ticket.mode = people, MODES[mode]
        ticket.partner_id, ticket.region = partner, region
        ticket.avoided.extend(avoid or ())
        ticket.or_games.extend(_game(rulebook.read_game(other, event, deals)) for other in others or ())
    waiting = queue_up(DataFolder(data), PlayerOptions(name, persona), ticket, Terminal())
    raise typer.Exit(run(waiting, INTERRUPTED))


def queues(
    ruleset: Annotated[str, typer.Option("--ruleset", help="Only the queues of this game.")] = "",
    data: Data = DEFAULT,
) -> None:
    """Show how many wait for which game, and how long it takes."""
    raise typer.Exit(run(show_queues(DataFolder(data), ruleset, Terminal()), INTERRUPTED))


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
