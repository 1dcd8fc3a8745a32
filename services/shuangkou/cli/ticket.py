"""A player's ticket, from the queue to a table."""

from __future__ import annotations

import asyncio
from typing import Final

import grpc
from rich.text import Text

from shuangkou.cli.clients import Clients, may_pass, refused
from shuangkou.cli.problem import Problem
from shuangkou.cli.terminal import Terminal
from shuangkou.v1 import matchmaking_pb2

_PAUSE_SECONDS: Final = 0.2


async def wait_for_table(
    clients: Clients, request: matchmaking_pb2.CreateTicketRequest, terminal: Terminal
) -> matchmaking_pb2.Ticket:
    """Queue and wait until the ticket has a table. When this is cancelled the ticket is taken back."""
    ticket = (await clients.ask(clients.tickets.CreateTicket, request)).ticket
    terminal.say(Text(f"Waiting for a table of {ticket.ruleset_id} 排队中; Ctrl-C takes you out.", "dim"))
    try:
        while ticket.state != matchmaking_pb2.TICKET_STATE_MATCHED:
            if ticket.state == matchmaking_pb2.TICKET_STATE_CANCELLED:
                raise Problem("the ticket was taken back")
            ticket = await _next_state(clients, ticket)
    except asyncio.CancelledError:
        cancel = matchmaking_pb2.CancelTicketRequest(ticket_id=ticket.ticket_id)
        await clients.ask(clients.tickets.CancelTicket, cancel)
        raise
    return ticket


async def _next_state(clients: Clients, ticket: matchmaking_pb2.Ticket) -> matchmaking_pb2.Ticket:
    """The ticket when it has changed, or as it was when the stream broke."""
    request = matchmaking_pb2.WatchTicketRequest(ticket_id=ticket.ticket_id)
    try:
        async for message in clients.tickets.WatchTicket(request, metadata=clients.metadata):
            if message.ticket.state != ticket.state:
                return message.ticket
    except grpc.aio.AioRpcError as error:
        if not may_pass(error):
            raise refused(error) from None
    clients.on_trouble()
    await asyncio.sleep(_PAUSE_SECONDS)
    return ticket
