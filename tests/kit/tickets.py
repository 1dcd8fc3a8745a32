"""Records of players who wait, without a service around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shuangkou.matchmaking.game import game_of
from shuangkou.matchmaking.matcher import Group, groups
from shuangkou.matchmaking.unit import Queued, unit_of
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_CASUAL,
    TICKET_MODE_RANKED,
    TICKET_STATE_WAITING,
    PlayerRecord,
    SkillEstimate,
    Ticket,
)

NOW = 1_000_000


def ticket_of(name: str, sequence: int, mu: float = 25.0, **fields: object) -> Ticket:
    """A casual ticket for one deal of `qq`, made at the time of its sequence, unless told otherwise."""
    usual: dict[str, object] = {
        "ticket_id": f"t{sequence}",
        "player_id": name,
        "ruleset_id": "qq",
        "deals": 1,
        "mode": TICKET_MODE_CASUAL,
        "state": TICKET_STATE_WAITING,
        "created_ms": NOW - 1000 + sequence,
        "rating": SkillEstimate(mu=mu, sigma=25 / 3),
    }
    return Ticket(**(usual | fields))  # type: ignore[arg-type]  # fields of a Ticket by name


def queued(sequence: int, mu: float = 25.0, **fields: object) -> Queued:
    """A player `p<sequence>` who waits at this place of the bucket."""
    ticket = ticket_of(f"p{sequence}", sequence, mu, **fields)
    return Queued(sequence, PlayerRecord(player_id=ticket.player_id, ticket=ticket))


def ranked(sequence: int, mu: float, waited_ms: int = 0, **fields: object) -> Queued:
    """The same for ranked play, waiting for so long at NOW."""
    return queued(sequence, mu, mode=TICKET_MODE_RANKED, created_ms=NOW - waited_ms, **fields)


def party(first: int, second: int, mu: float = 25.0, **fields: object) -> tuple[Queued, Queued]:
    """Two players who come as partners."""
    return (
        queued(first, mu, partner_id=f"p{second}", **fields),
        queued(second, mu, partner_id=f"p{first}", **fields),
    )


def matches(waiting: Iterable[Queued | tuple[Queued, Queued]], now_ms: int = NOW) -> list[Group]:
    """The tables of one line."""
    units = [unit_of(*each) if isinstance(each, tuple) else unit_of(each) for each in waiting]
    return list(groups(units[0].games[0], units, now_ms)) if units else []


def ids(found: Sequence[Group]) -> list[list[int]]:
    """The sequences in each group."""
    return [sorted(queued.sequence for queued in group.tickets) for group in found]


def one_table(*tickets: Queued) -> Group:
    """The group of the first table that these make."""
    units = [unit_of(queued) for queued in tickets]
    return next(groups(game_of(tickets[0].ticket), units, NOW))
