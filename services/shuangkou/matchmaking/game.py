"""The games that tickets ask for, in a form in which equal wishes are equal."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from shuangkou.rules.ruleset import available, load
from shuangkou.v1.events_pb2 import EventTerms
from shuangkou.v1.matchmaking_pb2 import Claim, Game, Ticket

MOST_SEATS = 4

Options = tuple[tuple[str, str], ...]


class GameKey(NamedTuple):
    """What players must have in common to meet. ``event_id`` is empty for a match in no event."""

    ruleset_id: str
    options: Options
    deals: int
    event_id: str
    event_options: Options

    @property
    def event(self) -> EventTerms | None:
        """The event as messages name it."""
        return EventTerms(event_id=self.event_id, options=dict(self.event_options)) if self.event_id else None

    @property
    def message(self) -> Game:
        """The game as messages name it."""
        return Game(
            ruleset_id=self.ruleset_id, options=dict(self.options), deals=self.deals, event=self.event
        )


def game_of(message: Game | Ticket | Claim) -> GameKey:
    """The game of a message, for a ticket the first one."""
    event = message.event
    return GameKey(
        message.ruleset_id,
        tuple(sorted(message.options.items())),
        message.deals,
        event.event_id,
        tuple(sorted(event.options.items())),
    )


def games_of(ticket: Ticket) -> tuple[GameKey, ...]:
    """All games that the ticket's player would play, the first choice first."""
    return tuple(dict.fromkeys((game_of(ticket), *(game_of(game) for game in ticket.or_games))))


@lru_cache(maxsize=1024)
def seats_of(ruleset_id: str) -> int:
    """How many play a game; four where only the engine knows it."""
    return load(ruleset_id).options.players if ruleset_id in available() else MOST_SEATS
