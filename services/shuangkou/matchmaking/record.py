"""What a player's record says and how it changes: pure, every function returns a new record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shuangkou.matchmaking.store import Change, player_key
from shuangkou.v1.matchmaking_pb2 import (
    READY_ANSWER_READY,
    READY_ANSWER_UNSPECIFIED,
    TICKET_STATE_CANCELLED,
    TICKET_STATE_CLAIMED,
    TICKET_STATE_MATCHED,
    TICKET_STATE_READY_CHECK,
    TICKET_STATE_WAITING,
    PlayerRecord,
    Ticket,
)

DAY_MS = 86_400_000
FORFEITS_A_DAY = 3
"""After so many in a day a player pauses from ranked play (逃跑)."""

_KEPT = 4
_LONGEST_PAUSE_MS = 3_600_000
_GROWTH = 5
_ALIVE = frozenset((TICKET_STATE_WAITING, TICKET_STATE_READY_CHECK, TICKET_STATE_CLAIMED))
CLAIMED_STATES = frozenset((TICKET_STATE_READY_CHECK, TICKET_STATE_CLAIMED))


@dataclass(frozen=True, slots=True)
class Terms:
    """How long an ended ticket can be looked at, and the first pause of somebody who was not ready."""

    ended_seconds: int
    first_pause_ms: int


def is_held(record: PlayerRecord) -> bool:
    """Whether the player has a live ticket or a seat, and so may have no other."""
    ticket = record.ticket
    return ticket.state in _ALIVE or (ticket.state == TICKET_STATE_MATCHED and not ticket.is_over)


def is_seated(record: PlayerRecord) -> bool:
    """Whether the player has a seat at a table that goes on as far as is known."""
    return record.ticket.state == TICKET_STATE_MATCHED and not record.ticket.is_over


def find(record: PlayerRecord, ticket_id: str, now_ms: int, terms: Terms) -> Ticket | None:
    """The player's ticket with this id: the newest, or one that ended not long ago."""
    if is_held(record) and record.ticket.ticket_id == ticket_id:
        return record.ticket
    for ticket in (record.ticket, *record.ended):
        if ticket.ticket_id == ticket_id and ticket.ended_ms > now_ms - terms.ended_seconds * 1000:
            return ticket
    return None


def with_ticket(record: PlayerRecord, ticket: Ticket) -> PlayerRecord:
    """The record with a new ticket; the old one is kept for a while."""
    entered = _copy(record)
    entered.player_id = ticket.player_id
    if record.HasField("ticket"):
        del entered.ended[:]
        entered.ended.extend((record.ticket, *record.ended[: _KEPT - 1]))
    entered.ticket.CopyFrom(ticket)
    return entered


def changed(record: PlayerRecord, change: Callable[[Ticket], None]) -> PlayerRecord:
    """The record with a change of its ticket."""
    after = _copy(record)
    change(after.ticket)
    return after


def in_room(record: PlayerRecord, code: str) -> PlayerRecord:
    """The player is in this room; with an empty code in none."""
    after = _copy(record)
    after.room_code = code
    return after


def out_of_room(record: PlayerRecord) -> PlayerRecord:
    """The player has left its room."""
    after = in_room(record, "")
    after.left_room_code = record.room_code
    return after


def claimed(record: PlayerRecord, claim_id: str, ready_by_ms: int) -> PlayerRecord:
    """The ticket belongs to a claim; with ``ready_by_ms`` its player is asked first."""

    def change(ticket: Ticket) -> None:
        ticket.state = TICKET_STATE_READY_CHECK if ready_by_ms else TICKET_STATE_CLAIMED
        ticket.claim_id = claim_id
        ticket.ready_by_ms = ready_by_ms
        ticket.answer = READY_ANSWER_UNSPECIFIED

    return changed(record, change)


def ended(record: PlayerRecord, now_ms: int, refusal: str = "") -> PlayerRecord:
    """The ticket is over without a table."""

    def change(ticket: Ticket) -> None:
        ticket.state = TICKET_STATE_CANCELLED
        ticket.refusal = refusal
        ticket.ended_ms = now_ms
        _leave_claim(ticket)

    return changed(record, change)


def returned(record: PlayerRecord) -> PlayerRecord:
    """The ticket waits again, at the front and with its waiting time."""

    def change(ticket: Ticket) -> None:
        ticket.state = TICKET_STATE_WAITING
        ticket.returns += 1
        _leave_claim(ticket)

    return changed(record, change)


def dodged(record: PlayerRecord, now_ms: int, terms: Terms) -> PlayerRecord:
    """The player was not ready: the ticket ends, and a pause begins that grows with every time in a day."""
    after = ended(record, now_ms, "match/not_ready")
    _keep_day(after, now_ms)
    after.dodged_ms.append(now_ms)
    pause = terms.first_pause_ms * _GROWTH ** min(len(after.dodged_ms) - 1, 8)
    after.paused_until_ms = now_ms + min(pause, max(_LONGEST_PAUSE_MS, terms.first_pause_ms))
    after.ticket.paused_until_ms = after.paused_until_ms
    return after


def freed(record: PlayerRecord, now_ms: int, has_forfeited: bool) -> PlayerRecord:
    """The player's seat is given up: the table is over, or was left for good (逃跑)."""

    def change(ticket: Ticket) -> None:
        ticket.is_over = True
        ticket.ended_ms = now_ms

    after = changed(record, change)
    _keep_day(after, now_ms)
    if has_forfeited:
        after.forfeited_ms.append(now_ms)
    return after


def pause_of(record: PlayerRecord, now_ms: int) -> int:
    """For how many more milliseconds the player may not queue."""
    return max(0, record.paused_until_ms - now_ms)


def ranked_pause_of(record: PlayerRecord, now_ms: int) -> int:
    """For how many more milliseconds the player may not queue for ranked play."""
    recent = sorted(at_ms for at_ms in record.forfeited_ms if at_ms > now_ms - DAY_MS)
    return recent[-FORFEITS_A_DAY] + DAY_MS - now_ms if len(recent) >= FORFEITS_A_DAY else 0


def write(record: PlayerRecord, expected: int, terms: Terms) -> Change:
    """The change that stores the record.

    One without ticket, seat, room and penalties vanishes after a while.
    """
    ttl = 0
    if not is_held(record) and not record.room_code:
        has_penalties = record.dodged_ms or record.forfeited_ms
        ttl = max(terms.ended_seconds, DAY_MS // 1000 if has_penalties else 0)
    return Change(player_key(record.player_id), record.SerializeToString(), expected, ttl)


def is_ready(ticket: Ticket) -> bool:
    """Whether the player need not be asked any more."""
    return ticket.state == TICKET_STATE_CLAIMED or ticket.answer == READY_ANSWER_READY


def _leave_claim(ticket: Ticket) -> None:
    ticket.claim_id = ""
    ticket.ready_by_ms = 0
    ticket.answer = READY_ANSWER_UNSPECIFIED


def _keep_day(record: PlayerRecord, now_ms: int) -> None:
    for moments in (record.dodged_ms, record.forfeited_ms):
        recent = [at_ms for at_ms in moments if at_ms > now_ms - DAY_MS]
        del moments[:]
        moments.extend(recent)


def _copy(record: PlayerRecord) -> PlayerRecord:
    after = PlayerRecord()
    after.CopyFrom(record)
    return after
