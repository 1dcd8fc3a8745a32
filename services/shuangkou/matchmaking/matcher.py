"""Who plays with whom: a pure function of the tickets that wait."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shuangkou.rules.ruleset import available, load
from shuangkou.v1.matchmaking_pb2 import Ticket

MOST_SEATS = 4

Game = tuple[str, int, str, tuple[tuple[str, str], ...]]
"""What tickets must have in common to meet: ruleset, deals, and the event with its options."""


@dataclass(frozen=True, slots=True)
class Queued:
    """A ticket at its place in the bucket. Among waiting tickets the smaller ``sequence`` came first."""

    sequence: int
    ticket: Ticket

    @property
    def takes_bots(self) -> bool:
        """Whether its player sits down with bots at all."""
        return self.ticket.bots_at_ms > 0


@dataclass(frozen=True, slots=True)
class Group:
    """Tickets for one table of so many seats, first come first; bots take the seats that are left."""

    tickets: Sequence[Queued]
    seats: int = MOST_SEATS

    @property
    def bots(self) -> int:
        """How many seats are left."""
        return self.seats - len(self.tickets)


def seats_of(ruleset_id: str) -> int:
    """How many play a game; four where only the engine knows it."""
    return load(ruleset_id).options.players if ruleset_id in available() else MOST_SEATS


def matches(waiting: Iterable[Queued], now_ms: int) -> list[Group]:
    """The tables that can be opened now, first come first served among equal games.

    As many people as the game is for make a table at once. Of those left, whoever takes bots is seated
    together as soon as the time of one of them has come: ``bots_at_ms`` is the latest moment, and company is
    better than bots.
    """
    lines: dict[Game, list[Queued]] = defaultdict(list)
    for queued in sorted(waiting, key=lambda queued: queued.sequence):
        lines[game_of(queued.ticket)].append(queued)
    groups = []
    for (ruleset_id, *_), line in lines.items():
        seats = seats_of(ruleset_id)
        whole = line[: len(line) - len(line) % seats]
        groups += [Group(whole[start : start + seats], seats) for start in range(0, len(whole), seats)]
        willing = [queued for queued in line[len(whole) :] if queued.takes_bots]
        if any(queued.ticket.bots_at_ms <= now_ms for queued in willing):
            groups.append(Group(willing, seats))
    return groups


def game_of(ticket: Ticket) -> Game:
    """What the ticket's player wants to play."""
    event = ticket.event
    return ticket.ruleset_id, ticket.deals, event.event_id, tuple(sorted(event.options.items()))


def next_fill_ms(waiting: Iterable[Queued]) -> int | None:
    """When bots next fill a table unless people come first; None when nobody waits for that."""
    return min((queued.ticket.bots_at_ms for queued in waiting if queued.takes_bots), default=None)
