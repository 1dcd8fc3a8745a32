"""From a group of tickets to the table that is to be opened for it; equal groups make equal claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from shuangkou.matchmaking.game import GameKey
from shuangkou.matchmaking.matcher import Group
from shuangkou.matchmaking.unit import Queued
from shuangkou.v1.matchmaking_pb2 import Claim, ClaimedSeat, Ticket


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """A claim in the bucket whose table is not known to be open yet."""

    sequence: int
    claim: Claim


def claim_of(group: Group, now_ms: int, personas: Sequence[str], ready_by_ms: int = 0) -> Claim:
    """The claim of a group. Its hash draws the seats and the personas, all different if they can be.

    Who is on a side sits opposite each other; players of a rematch sit where they sat.
    """
    claim_id = _claim_id(group)
    if group.tickets[0].ticket.rematch_of:
        seats = _same_seats(group)
    else:
        seats = _drawn_seats(group, claim_id, personas)
    claim = blank_claim(claim_id, group.game, now_ms)
    claim.seats.extend(seats)
    claim.ready_by_ms = ready_by_ms
    claim.quality = group.quality
    return claim


def blank_claim(claim_id: str, game: GameKey, now_ms: int) -> Claim:
    """A claim for a table of this game without its seats."""
    return Claim(
        claim_id=claim_id,
        ruleset_id=game.ruleset_id,
        options=dict(game.options),
        deals=game.deals,
        claimed_ms=now_ms,
        event=game.event,
    )


def tickets_of(claim: Claim) -> list[tuple[int, Ticket]]:
    """The claimed tickets, each with the seat that its player gets."""
    return [(seat, taken.ticket) for seat, taken in enumerate(claim.seats) if taken.HasField("ticket")]


def names_of(claim: Claim) -> list[str]:
    """Who sits on the seats: a player id or ``bot:<persona>``."""
    return [
        taken.ticket.player_id if taken.HasField("ticket") else f"bot:{taken.persona}"
        for taken in claim.seats
    ]


def seat_named(name: str) -> ClaimedSeat:
    """The seat of a bot, by its name at tables."""
    return ClaimedSeat(persona=name.removeprefix("bot:"))


def _drawn_seats(group: Group, claim_id: str, personas: Sequence[str]) -> list[ClaimedSeat]:
    start = _draw(claim_id, "persona") % len(personas)
    bots = [ClaimedSeat(persona=personas[(start + number) % len(personas)]) for number in range(group.bots)]
    turned = _draw(claim_id, "sides") % 2
    first, second = group.sides[turned], group.sides[1 - turned]
    lines = [_drawn_side(side, group.seats // 2, bots, claim_id) for side in (first, second)]
    return [lines[seat % 2][seat // 2] for seat in range(group.seats)]


def _drawn_side(
    side: Sequence[Queued], size: int, bots: list[ClaimedSeat], claim_id: str
) -> list[ClaimedSeat]:
    taken = [ClaimedSeat(ticket=queued.ticket) for queued in side]
    taken += [bots.pop() for _ in range(size - len(taken))]
    order = sorted(range(size), key=lambda n: _draw(claim_id, f"{_name(taken[n])} {n}"))
    return [taken[n] for n in order]


def _same_seats(group: Group) -> list[ClaimedSeat]:
    tickets = {queued.player_id: queued.ticket for queued in group.tickets}
    names = group.tickets[0].ticket.players
    return [ClaimedSeat(ticket=tickets[name]) if name in tickets else seat_named(name) for name in names]


def _name(taken: ClaimedSeat) -> str:
    return taken.ticket.player_id or taken.persona


def _claim_id(group: Group) -> str:
    # A ticket's place in the bucket never comes back, and its time tells two lives of the bucket apart.
    parts = sorted(
        f"{queued.sequence} {queued.ticket.created_ms} {queued.ticket.ticket_id} {queued.player_id}"
        for queued in group.tickets
    )
    digest = sha256("\n".join(parts).encode()).hexdigest()
    return f"match-{digest[:32]}"


def _draw(claim_id: str, what: str) -> int:
    return int.from_bytes(sha256(f"{claim_id} {what}".encode()).digest())
