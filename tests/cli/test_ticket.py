"""What the player of a ticket is told at its end."""

from __future__ import annotations

from shuangkou.cli.ticket import why_ended
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_CANCELLED, Ticket


def test_who_was_not_ready_is_told_for_how_long_the_queue_is_closed() -> None:
    ticket = Ticket(state=TICKET_STATE_CANCELLED, refusal="match/not_ready", paused_until_ms=100_000)
    assert "you can queue again in 13 s" in why_ended(ticket, 87.2)
    assert "you can queue again in 0 s" in why_ended(ticket, 101.0)


def test_every_other_end_has_its_reason() -> None:
    assert "did not come" in why_ended(Ticket(refusal="match/lapsed"), 0.0)
    assert why_ended(Ticket(refusal="ruleset/unknown"), 0.0) == "the ticket was taken back ruleset/unknown"
    assert why_ended(Ticket(), 0.0) == "the ticket was taken back"
