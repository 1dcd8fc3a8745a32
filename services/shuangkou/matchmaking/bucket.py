"""Tickets in the KV bucket ``tickets``. What belongs together is stored in one atomic batch or not at all.

player.<player>              the ticket that the player holds, while it is alive
ticket.<player>.<ticket id>  a Ticket; one that has ended vanishes after a while
claim.<claim id>             a Claim, until its table is open
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from nats.js.api import DiscardPolicy, RePublish, StorageType, StreamConfig

from shuangkou.chassis.nats import Bus, NewMessage, NotThere, append_batch
from shuangkou.matchmaking.claim import tickets_of
from shuangkou.matchmaking.matcher import Group, Queued
from shuangkou.v1.matchmaking_pb2 import Claim, Ticket

STREAM = "KV_tickets"
_SUBJECT = "$KV.tickets."
EVERYTHING = f"{_SUBJECT}>"
CHANGES = "changed.tickets.>"
"""Where the server says, without the content, that something has been stored."""

_EXPECTED = "Nats-Expected-Last-Subject-Sequence"
_TTL = "Nats-TTL"
# Long enough for `nats kv watch`, short enough not to pile up; nothing depends on it.
_RELEASED = {"KV-Operation": "DEL", _TTL: "60s"}


def bucket_stream(replicas: int) -> StreamConfig:
    """The stream behind the bucket; ``nats kv`` can read it."""
    return StreamConfig(
        name=STREAM,
        subjects=[EVERYTHING],
        storage=StorageType.FILE,
        num_replicas=replicas,
        max_msgs_per_subject=1,
        discard=DiscardPolicy.NEW,
        allow_rollup_hdrs=True,
        deny_delete=True,
        allow_direct=True,
        allow_atomic=True,
        allow_msg_ttl=True,
        republish=RePublish(src=EVERYTHING, dest=CHANGES, headers_only=True),
    )


def ticket_key(player_id: str, ticket_id: str) -> str:
    """Where a player's ticket is; the id alone would let players meet each other's tickets."""
    return f"ticket.{_player_token(player_id)}.{ticket_id}"


def claim_key(claim_id: str) -> str:
    """Where a claim is."""
    return f"claim.{claim_id}"


def key_of(subject: str) -> str:
    """The key whose value a message on this subject holds."""
    return subject.removeprefix(_SUBJECT)


@dataclass(frozen=True, slots=True)
class Holding:
    """The live ticket of a player, empty for none, and the sequence to expect when that changes."""

    sequence: int
    ticket_id: str


@dataclass(frozen=True, slots=True)
class Bucket:
    """Reads from the stream's leader, and checked writes. A write raises what ``append`` does."""

    bus: Bus
    ended_ticket_seconds: int

    async def ticket(self, player_id: str, ticket_id: str) -> Queued | None:
        """The player's ticket as it is now."""
        return await self.ticket_at(ticket_key(player_id, ticket_id))

    async def ticket_at(self, key: str) -> Queued | None:
        """The ticket at this key as it is now."""
        sequence, value = await self._read(key)
        return Queued(sequence, Ticket.FromString(value)) if value else None

    async def holding(self, player_id: str) -> Holding:
        """What the player holds now."""
        sequence, value = await self._read(f"player.{_player_token(player_id)}")
        return Holding(sequence, value.decode())

    async def put(self, ticket: Ticket, held: Holding) -> Queued:
        """Store a new ticket and that its player holds it."""
        player = f"player.{_player_token(ticket.player_id)}"
        messages = [
            _checked(player, ticket.ticket_id.encode(), held.sequence),
            _checked(ticket_key(ticket.player_id, ticket.ticket_id), ticket.SerializeToString(), 0),
        ]
        return Queued(await append_batch(self.bus, messages), ticket)

    async def cancel(self, waiting: Queued, cancelled: Ticket) -> None:
        """End a ticket that is still as ``waiting`` says."""
        key = ticket_key(cancelled.player_id, cancelled.ticket_id)
        messages = [
            _checked(key, cancelled.SerializeToString(), waiting.sequence, self._ended),
            _release(cancelled.player_id),
        ]
        await append_batch(self.bus, messages)

    async def claim(self, group: Group, claim: Claim) -> int:
        """Take the tickets of a group, all or none; returns the claim's sequence."""
        places = {queued.ticket.player_id: queued.sequence for queued in group.tickets}
        messages = [
            _checked(
                ticket_key(ticket.player_id, ticket.ticket_id),
                ticket.SerializeToString(),
                places[ticket.player_id],
            )
            for _, ticket in tickets_of(claim)
        ]
        messages.append(_checked(claim_key(claim.claim_id), claim.SerializeToString(), 0))
        return await append_batch(self.bus, messages)

    async def settle(self, claim: Claim, sequence: int, ended: Sequence[Ticket]) -> None:
        """End the tickets of a claim that is still at ``sequence``, and the claim itself."""
        messages = [_checked(claim_key(claim.claim_id), b"", sequence, _RELEASED)]
        for ticket in ended:
            key = ticket_key(ticket.player_id, ticket.ticket_id)
            # Only who settles the claim changes its tickets: checking the claim is enough.
            messages.append(NewMessage(_SUBJECT + key, ticket.SerializeToString(), self._ended))
            messages.append(_release(ticket.player_id))
        await append_batch(self.bus, messages)

    @property
    def _ended(self) -> dict[str, str]:
        return {_TTL: f"{self.ended_ticket_seconds}s"}

    async def _read(self, key: str) -> tuple[int, bytes]:
        """Sequence and value, (0, nothing) for an unused key; a direct get could be answered by a laggard."""
        try:
            answer = await self.bus.api(f"STREAM.MSG.GET.{STREAM}", {"last_by_subj": _SUBJECT + key})
        except NotThere:
            return 0, b""
        message = answer["message"]
        return int(message["seq"]), b64decode(message.get("data", ""))


def _player_token(player_id: str) -> str:
    # A subject has a bounded length and few characters, a player id has neither.
    return blake2b(player_id.encode(), digest_size=16).hexdigest()


def _checked(key: str, value: bytes, sequence: int, headers: dict[str, str] | None = None) -> NewMessage:
    return NewMessage(_SUBJECT + key, value, {**(headers or {}), _EXPECTED: str(sequence)})


def _release(player_id: str) -> NewMessage:
    return NewMessage(f"{_SUBJECT}player.{_player_token(player_id)}", b"", _RELEASED)
