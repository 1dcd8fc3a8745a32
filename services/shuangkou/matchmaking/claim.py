"""From a group of tickets to the table that is to be opened for it; equal groups make equal claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from shuangkou.matchmaking.matcher import Group
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_CLAIMED, Claim, ClaimedSeat, Ticket


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """A claim in the bucket whose table is not known to be open yet."""

    sequence: int
    claim: Claim


def claim_of(group: Group, now_ms: int, personas: Sequence[str]) -> Claim:
    """The claim of a group. Its hash draws the seats and the personas, all different if they can be."""
    first = group.tickets[0].ticket
    claim_id = _claim_id(group)
    occupants = [ClaimedSeat(ticket=_claimed(queued.ticket)) for queued in group.tickets]
    start = _draw(claim_id, "persona") % len(personas)
    occupants += [
        ClaimedSeat(persona=personas[(start + number) % len(personas)]) for number in range(group.bots)
    ]
    order = sorted(range(group.seats), key=lambda number: _draw(claim_id, f"seat {number}"))
    return Claim(
        claim_id=claim_id,
        ruleset_id=first.ruleset_id,
        deals=first.deals,
        seats=[occupants[number] for number in order],
        claimed_ms=now_ms,
        event=first.event if first.HasField("event") else None,
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


def _claimed(waiting: Ticket) -> Ticket:
    claimed = Ticket()
    claimed.CopyFrom(waiting)
    claimed.state = TICKET_STATE_CLAIMED
    return claimed


def _claim_id(group: Group) -> str:
    # A ticket's place in the bucket never comes back, and its time tells two lives of the bucket apart.
    parts = (
        f"{queued.sequence} {queued.ticket.created_ms} {queued.ticket.ticket_id} {queued.ticket.player_id}"
        for queued in group.tickets
    )
    digest = sha256("\n".join(parts).encode()).hexdigest()
    return f"match-{digest[:32]}"


def _draw(claim_id: str, what: str) -> int:
    return int.from_bytes(sha256(f"{claim_id} {what}".encode()).digest())
