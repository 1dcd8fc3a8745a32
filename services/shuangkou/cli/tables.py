"""Tables of the running suite: opened with bots, told as they are played."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing

from shuangkou.cli.clients import Clients, Refused, new_id
from shuangkou.cli.follow import follow
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.rulebook import Game
from shuangkou.cli.sayings import Character
from shuangkou.cli.supervisor import Say
from shuangkou.cli.words import Words
from shuangkou.v1 import ai_pb2, events_pb2, table_pb2


async def personas(clients: Clients) -> dict[str, Words]:
    """The characters that bots can play, by id, in the order in which they are shown."""
    answer = await clients.ask(clients.advisor.ListPersonas, ai_pb2.ListPersonasRequest())
    return {
        persona.id: Character(persona.name.en, persona.name.zh, tuple(persona.sayings))
        for persona in answer.personas
    }


async def look_at(clients: Clients, table_id: str) -> table_pb2.SeatView:
    """The table as a spectator sees it; Problem when there is none."""
    try:
        return (await clients.ask(clients.tables.GetTable, table_pb2.GetTableRequest(table_id=table_id))).view
    except Refused as refused:
        if refused.refusal.code != "table/unknown":
            raise
        raise Problem(f"this suite has no table {table_id!r}", BAD_INPUT) from None


async def open_bot_table(clients: Clients, game: Game, known: Sequence[str]) -> str:
    """Open a table with a bot on every seat, each of another persona while there are enough."""
    seats = [
        table_pb2.SeatAssignment(seat=seat, occupant=table_pb2.Occupant(persona=known[seat % len(known)]))
        for seat in range(game.rules.options.players)
    ]
    return await open_table(clients, game, seats)


async def open_table(
    clients: Clients,
    game: Game,
    seats: Sequence[table_pb2.SeatAssignment],
    invited: Sequence[str] | None = None,
) -> str:
    """Open a table for the game with these holders; its id.

    ``invited``: who else may see a private table; None for a public one.
    """
    request = table_pb2.CreateTableRequest(
        command_id=new_id(),
        ruleset_id=game.rules.id,
        options=game.rules.chosen,
        seats=seats,
        deals=game.deals,
        event=game.event_terms,
        visibility=table_pb2.TABLE_VISIBILITY_PUBLIC
        if invited is None
        else table_pb2.TABLE_VISIBILITY_PRIVATE,
        invited=invited,
    )
    return (await clients.ask(clients.tables.CreateTable, request)).table_id


async def tell_table(clients: Clients, table_id: str, narrator: Narrator, say: Say) -> None:
    """Watch a table as a spectator from its first commit to the end of its match; tell each commit once."""
    request = table_pb2.WatchTableRequest(table_id=table_id, after_version=0)
    async with aclosing(follow(clients, request)) as updates:
        async for update in updates:
            if isinstance(update, table_pb2.TableUpdate):
                for line in narrator.tell(update.commit):
                    say(line)
                if is_last(update.commit):
                    return


def is_last(commit: events_pb2.Commit) -> bool:
    """Whether the match ended with it."""
    return any(event.HasField("match_finished") for event in commit.events)
