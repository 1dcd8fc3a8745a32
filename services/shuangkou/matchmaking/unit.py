"""Who comes to a table as one: a person, or two who sit as partners."""

from __future__ import annotations

from dataclasses import dataclass

from shuangkou.matchmaking.game import GameKey, games_of
from shuangkou.matchmaking.quality import UNKNOWN, Skill
from shuangkou.v1.matchmaking_pb2 import TICKET_MODE_RANKED, PlayerRecord, Ticket

WINDOW_MU = 2.0
WIDER_MU = 1.0
STEP_MS = 5_000
UNLIMITED_MS = 60_000
"""A window of ratings begins narrow, widens with every step of waiting, and after a minute there is none."""


@dataclass(frozen=True, slots=True)
class Queued:
    """A player's record at its revision in the bucket."""

    sequence: int
    record: PlayerRecord

    @property
    def ticket(self) -> Ticket:
        """The player's newest ticket."""
        return self.record.ticket

    @property
    def player_id(self) -> str:
        """Whose it is."""
        return self.record.player_id


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """Tickets that are seated together. ``rank`` orders the queue, smallest first."""

    tickets: tuple[Queued, ...]
    games: tuple[GameKey, ...]
    names: frozenset[str]
    avoided: frozenset[str]
    skills: tuple[Skill, ...]
    rating: float
    is_ranked: bool
    since_ms: int
    bots_at_ms: int
    rank: tuple[bool, int, int]

    @property
    def size(self) -> int:
        """How many people."""
        return len(self.tickets)

    @property
    def takes_bots(self) -> bool:
        """Whether they sit down with bots at all."""
        return self.bots_at_ms > 0

    def window(self, now_ms: int) -> float:
        """How far the rating of others may be from theirs by now."""
        waited = now_ms - self.since_ms
        if not self.is_ranked or waited >= UNLIMITED_MS:
            return float("inf")
        return WINDOW_MU + WIDER_MU * (max(0, waited) // STEP_MS)

    def next_step_ms(self, now_ms: int) -> int | None:
        """When the window widens next; None when it has no bounds."""
        if not self.is_ranked or now_ms - self.since_ms >= UNLIMITED_MS:
            return None
        return self.since_ms + (max(0, now_ms - self.since_ms) // STEP_MS + 1) * STEP_MS

    def suits(self, other: Unit, now_ms: int) -> bool:
        """Whether the two may sit at one table."""
        if not (self.avoided.isdisjoint(other.names) and other.avoided.isdisjoint(self.names)):
            return False
        gap = abs(self.rating - other.rating)
        return gap <= self.window(now_ms) and gap <= other.window(now_ms)


def unit_of(*tickets: Queued) -> Unit:
    """The unit of one ticket, or of the two of a party; what only one of them would play is left out."""
    wishes = [games_of(queued.ticket) for queued in tickets]
    first = min(tickets, key=lambda queued: queued.sequence)
    bots = [queued.ticket.bots_at_ms for queued in tickets]
    since_ms = min(queued.ticket.created_ms for queued in tickets)
    has_returned = any(queued.ticket.returns for queued in tickets)
    skills = tuple(_skill(queued.ticket) for queued in tickets)
    return Unit(
        tickets=tickets,
        games=tuple(game for game in wishes[0] if all(game in wish for wish in wishes)),
        names=frozenset(queued.player_id for queued in tickets),
        avoided=frozenset(name for queued in tickets for name in queued.ticket.avoided),
        skills=skills,
        rating=sum(skill.mu for skill in skills) / len(skills),
        is_ranked=first.ticket.mode == TICKET_MODE_RANKED,
        since_ms=since_ms,
        bots_at_ms=min(bots) if all(bots) else 0,
        rank=(not has_returned, since_ms, first.sequence),
    )


def _skill(ticket: Ticket) -> Skill:
    return Skill(ticket.rating.mu, ticket.rating.sigma) if ticket.HasField("rating") else UNKNOWN
