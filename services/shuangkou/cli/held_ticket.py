"""The ticket that a player holds: made, taken up again when its terminal is gone, or taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shuangkou.cli.clients import Clients, Refused
from shuangkou.cli.match_words import as_typed
from shuangkou.cli.problem import Problem
from shuangkou.cli.terminal import Terminal
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_STATE_MATCHED,
    TICKET_STATE_READY_CHECK,
    AnswerReadyCheckRequest,
    CancelTicketRequest,
    CreateTicketRequest,
    GetTicketRequest,
    Ticket,
)

_ALREADY_QUEUED: Final = "match/already_queued"
_OTHER_WISHES: Final = "match/ticket_id_reused"
_NO_TICKET: Final = "match/unknown_ticket"

Suggest = Callable[[str], str]
"""A command of the same player as a line to type."""


async def take_ticket(
    clients: Clients, request: CreateTicketRequest | None, suggest: Suggest, terminal: Terminal
) -> Ticket:
    """A ticket for what is asked, or the one held for the same already; with None the one held, whatever for.

    Problem for somebody who waits for something else, or with None holds no ticket.
    """
    if request is None:
        held = await _held(clients)
        if held is None:
            raise Problem(f"you hold no ticket 没有在排队; queue with: {suggest('queue')}")
    else:
        try:
            return (await clients.ask(clients.tickets.CreateTicket, request)).ticket
        except Refused as why:
            if why.refusal.code != _ALREADY_QUEUED:
                raise as_typed(why) from None
            held = await _held_for_the_same(clients, request, why, suggest)
    terminal.say("You hold this ticket already, and go on with it 继续排队.")
    return held


async def take_back(clients: Clients, suggest: Suggest, terminal: Terminal) -> None:
    """Take the player's ticket back, or decline the table that is ready; Problem for who is seated."""
    ticket = await _held(clients)
    if ticket is None:
        terminal.say("You hold no ticket 没有在排队.")
        return
    if ticket.state == TICKET_STATE_MATCHED:
        way = suggest(f"play --table {ticket.table_id}")
        raise Problem(f"you have a seat at table {ticket.table_id} 已入座; go back to it: {way}")
    if ticket.state == TICKET_STATE_READY_CHECK:
        answer = AnswerReadyCheckRequest(ticket_id=ticket.ticket_id, is_ready=False)
        await clients.ask(clients.tickets.AnswerReadyCheck, answer)
        terminal.say("You have declined the table that was ready 已拒绝, and pause for a while.")
        return
    await clients.ask(clients.tickets.CancelTicket, CancelTicketRequest(ticket_id=ticket.ticket_id))
    terminal.say("The ticket is taken back 已取消排队.")


def wanted(ticket: Ticket) -> str:
    """What the ticket waits for."""
    if not ticket.rematch_of:
        games = dict.fromkeys((ticket.ruleset_id, *(game.ruleset_id for game in ticket.or_games)))
        return f"a table of {' or '.join(games)}"
    others = [name for name in ticket.players if name != ticket.player_id and not name.startswith("bot:")]
    return f"a rematch 再来一局 with {', '.join(others) or 'the same bots'}"


async def _held(clients: Clients) -> Ticket | None:
    try:
        return (await clients.ask(clients.tickets.GetTicket, GetTicketRequest())).ticket
    except Refused as why:
        if why.refusal.code != _NO_TICKET:
            raise
        return None


async def _held_for_the_same(
    clients: Clients, request: CreateTicketRequest, why: Refused, suggest: Suggest
) -> Ticket:
    held = await _held(clients)
    if held is None or held.room_code:
        raise why
    same = CreateTicketRequest()
    same.CopyFrom(request)
    same.ticket_id = held.ticket_id
    try:
        # Under one id only one question is answered, so the suite itself says whether it is the same.
        return (await clients.ask(clients.tickets.CreateTicket, same)).ticket
    except Refused as other:
        if other.refusal.code != _OTHER_WISHES:
            raise
    raise Problem(
        f"you wait already 已在排队, for {wanted(held)}, with other wishes; go on waiting 继续: "
        f"{suggest('queue --resume')}; take it back 取消: {suggest('queue --cancel')}"
    )
