"""A player's ticket, from the queue to a table."""

from __future__ import annotations

import asyncio
import math
import sys
import time
from contextlib import suppress
from typing import Final

import grpc
from rich.text import Text

from shuangkou.cli.clients import Clients, Refused, may_pass, refused
from shuangkou.cli.held_ticket import Suggest, wanted
from shuangkou.cli.interruption import undisturbed
from shuangkou.cli.lines import TypedLines
from shuangkou.cli.match_words import ASK_AGAIN, read_answer, why_no_table
from shuangkou.cli.problem import Problem
from shuangkou.cli.terminal import Terminal
from shuangkou.v1.matchmaking_pb2 import (
    READY_ANSWER_UNSPECIFIED,
    TICKET_STATE_CANCELLED,
    TICKET_STATE_MATCHED,
    TICKET_STATE_READY_CHECK,
    TICKET_STATE_WAITING,
    AnswerReadyCheckRequest,
    CancelTicketRequest,
    Ticket,
    WatchTicketRequest,
    WatchTicketResponse,
)

_PAUSE_SECONDS: Final = 0.2
_FAREWELL_SECONDS: Final = 2.0
_LEAVE_SECONDS: Final = 6.0


async def wait_for_table(clients: Clients, ticket: Ticket, suggest: Suggest, terminal: Terminal) -> Ticket:
    """Wait until the ticket has a table. When this is cancelled the ticket is taken back."""
    if ticket.state == TICKET_STATE_MATCHED:
        return ticket
    terminal.say(Text(f"Waiting for {wanted(ticket)} 排队中; Ctrl-C takes you out.", "dim"))
    wait = _Wait(clients, ticket, terminal)
    lines = TypedLines(wait.on_line, lambda: None)
    # A pipe is left alone: its lines are for the table, and whoever wrote them is taken to be ready.
    if sys.stdin.isatty():
        lines.start()
    try:
        return await wait.run()
    except asyncio.CancelledError:
        if not await undisturbed(wait.give_up(), _LEAVE_SECONDS):
            terminal.say("The ticket could not be taken back now 未能取消; do that later with:")
            terminal.whole(f"  {suggest('queue --cancel')}")
        raise
    finally:
        lines.stop()


def why_ended(ticket: Ticket, now: float) -> str:
    """Why the ticket has ended without a table, as its player is told at ``now``, seconds since 1970 UTC."""
    if ticket.refusal == "match/not_ready":
        seconds = max(0, math.ceil(ticket.paused_until_ms / 1000 - now))
        return f"you were not ready when a table was 未就绪; you can queue again in {seconds} s 秒后可再排队"
    return why_no_table(ticket.refusal) or f"the ticket was taken back {ticket.refusal}".rstrip()


class _Wait:
    """One ticket and what its player is told of it."""

    def __init__(self, clients: Clients, ticket: Ticket, terminal: Terminal) -> None:
        self._clients = clients
        self._ticket = ticket
        self._terminal = terminal
        self._place = (-1, 0)
        self._asked_about = ""
        self._answering: asyncio.Task[None] | None = None

    def on_line(self, line: str) -> None:
        """A line typed while a table is ready: the player sits down, says no, or is asked again."""
        if self._ticket.state != TICKET_STATE_READY_CHECK or self._answering is not None:
            return
        is_ready = read_answer(line)
        if is_ready is None:
            self._terminal.say(Text(ASK_AGAIN, "bold"))
        else:
            self._answering = asyncio.ensure_future(self._answer(is_ready))

    async def run(self) -> Ticket:
        """The ticket once it has a table; Problem when it ends without one."""
        while self._ticket.state != TICKET_STATE_MATCHED:
            if self._ticket.state == TICKET_STATE_CANCELLED:
                raise Problem(why_ended(self._ticket, time.time()))
            await self._follow()
        return self._ticket

    async def give_up(self) -> None:
        """Take the ticket back, or decline the table that is ready."""
        with suppress(Refused):
            if self._ticket.state == TICKET_STATE_READY_CHECK:
                await self._answer(is_ready=False)
                await self._tell_pause()
            else:
                cancel = CancelTicketRequest(ticket_id=self._ticket.ticket_id)
                await self._clients.ask(self._clients.tickets.CancelTicket, cancel)

    async def _tell_pause(self) -> None:
        """Wait a moment for the end of the declined ticket, which tells what declining costs."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL_SECONDS):
                while self._ticket.state == TICKET_STATE_READY_CHECK:
                    await self._follow()
        if self._ticket.state == TICKET_STATE_CANCELLED:
            self._say(why_ended(self._ticket, time.time()))

    async def _follow(self) -> None:
        """Hear of the ticket until it ends or the stream breaks."""
        request = WatchTicketRequest(ticket_id=self._ticket.ticket_id)
        try:
            async for update in self._clients.tickets.WatchTicket(request, metadata=self._clients.metadata):
                self._clients.on_answer()
                self._hear(update)
                if self._ticket.state in (TICKET_STATE_MATCHED, TICKET_STATE_CANCELLED):
                    return
        except grpc.aio.AioRpcError as error:
            if not may_pass(error):
                raise refused(error) from None
        self._clients.on_trouble()
        await asyncio.sleep(_PAUSE_SECONDS)

    def _hear(self, update: WatchTicketResponse) -> None:
        before, self._ticket = self._ticket, update.ticket
        state = self._ticket.state
        if state == TICKET_STATE_WAITING:
            if self._ticket.returns > before.returns:
                self._say(
                    "Somebody was not ready 有人未就绪; you wait on, before all who were not asked 优先."
                )
            self._tell_place(update)
        if state == TICKET_STATE_READY_CHECK and self._ticket.claim_id != self._asked_about:
            self._asked_about = self._ticket.claim_id
            self._answering = None
            self._ask()

    def _ask(self) -> None:
        if self._ticket.answer != READY_ANSWER_UNSPECIFIED:
            return
        if not sys.stdin.isatty():
            self._answering = asyncio.ensure_future(self._answer(is_ready=True))
            return
        seconds = max(0, round(self._ticket.ready_by_ms / 1000 - time.time()))
        self._terminal.say(
            Text(f"A table is ready 已找到牌桌: press Enter within {seconds} s 按回车就座, or n", "bold")
        )

    async def _answer(self, is_ready: bool) -> None:
        request = AnswerReadyCheckRequest(ticket_id=self._ticket.ticket_id, is_ready=is_ready)
        # Too late or already settled: the stream says how it went on.
        with suppress(Refused):
            await self._clients.ask(self._clients.tickets.AnswerReadyCheck, request)
            self._say("You are ready 已就绪." if is_ready else "You have declined 已拒绝.")

    def _tell_place(self, update: WatchTicketResponse) -> None:
        place = (update.position, update.waiting)
        if update.waits_for_partner and place != self._place:
            self._say(f"Waiting for your partner {self._ticket.partner_id} 等待搭档 to queue, too.")
        elif update.position and not self._ticket.rematch_of and place != self._place:
            eta = ""
            if update.HasField("estimated_wait_ms"):
                eta = f", about {update.estimated_wait_ms // 1000} s more 预计"
            self._say(f"You are number {update.position} of {update.waiting} 排队第{update.position}位{eta}.")
        self._place = place

    def _say(self, sentence: str) -> None:
        self._terminal.say(Text(sentence, "dim"))
