"""What one replica has seen of the bucket. It may be a moment late: every write is checked."""

from __future__ import annotations

from collections.abc import Iterable

from shuangkou.matchmaking import record as records
from shuangkou.matchmaking.claim import OpenClaim, tickets_of
from shuangkou.matchmaking.pool import Pool
from shuangkou.matchmaking.store import player_key
from shuangkou.matchmaking.unit import Queued
from shuangkou.matchmaking.waits import Waits
from shuangkou.v1.matchmaking_pb2 import (
    READY_ANSWER_READY,
    TICKET_STATE_WAITING,
    Claim,
    PlayerRecord,
    QueueWaits,
    ReadyCheck,
    Ticket,
)


class Picture:
    """The pool of those who wait, the open claims, the tickets in them, and how long people waited."""

    def __init__(self) -> None:
        self.pool = Pool()
        self.waits = Waits()
        self.claims: dict[str, OpenClaim] = {}
        self._in_claims: dict[str, Queued] = {}
        self._players: dict[str, str] = {}

    def take_player(self, key: str, sequence: int, payload: bytes) -> None:
        """A player's record is this now; DecodeError where it is none."""
        record = PlayerRecord.FromString(payload)
        if not payload:
            self.forget_player(self._players.get(key, ""))
            return
        player_id = record.player_id
        self._players[key] = player_id
        if record.ticket.state == TICKET_STATE_WAITING:
            self._in_claims.pop(player_id, None)
            self.pool.take(Queued(sequence, record))
            return
        self.forget_player(player_id)
        if record.ticket.state in records.CLAIMED_STATES:
            self._players[key] = player_id
            self._in_claims[player_id] = Queued(sequence, record)

    def take_claim(self, claim_id: str, sequence: int, payload: bytes) -> None:
        """A claim is this now, or settled; DecodeError where it is none."""
        if not payload:
            self.claims.pop(claim_id, None)
            return
        claim = Claim.FromString(payload)
        self.claims[claim_id] = OpenClaim(sequence, claim)

    def take_waits(self, payload: bytes) -> None:
        """The last waits of a queue are these now; DecodeError where it is none."""
        if payload:
            self.waits.take(QueueWaits.FromString(payload))

    def forget_player(self, player_id: str) -> None:
        """Nothing is known of the player any more."""
        self.pool.drop(player_id)
        self._in_claims.pop(player_id, None)
        self._players.pop(player_key(player_id), None)

    def forget(self, tickets: Iterable[Queued]) -> None:
        """Drop tickets that this replica has just claimed itself."""
        for queued in tickets:
            self.pool.drop(queued.player_id)

    def tickets_in(self, claim: Claim) -> list[Ticket]:
        """The claim's tickets as seen last."""
        held = [self._in_claims.get(ticket.player_id) for _, ticket in tickets_of(claim)]
        mine = [queued.ticket for queued in held if queued is not None]
        return [ticket for ticket in mine if ticket.claim_id == claim.claim_id]

    def ready_check(self, ticket: Ticket) -> ReadyCheck | None:
        """How far the ready check is that the ticket is in; None while there is none."""
        taken = self.claims.get(ticket.claim_id)
        if not ticket.ready_by_ms or taken is None:
            return None
        ready = sum(each.answer == READY_ANSWER_READY for each in self.tickets_in(taken.claim))
        return ReadyCheck(ready_by_ms=ticket.ready_by_ms, asked=len(tickets_of(taken.claim)), ready=ready)
