"""Tables under fire, from their opening or the tickets of their people to the end of the match."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random

from kit.chaos.callers import Suite
from kit.chaos.history import Seated
from kit.chaos.persons import Habits, Person, is_over
from kit.chaos.watching import Watch
from kit.table_clients import seated
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_STATE_CANCELLED,
    TICKET_STATE_MATCHED,
    CreateTicketRequest,
    GetTicketRequest,
    Ticket,
)
from shuangkou.v1.table_pb2 import CreateTableRequest

RULESET = "qq"
_POLL_SECONDS = 0.1
_TICKETS_EVERY = 4


@dataclass(frozen=True, slots=True)
class TableUnderFire:
    """With no, one or two bots by its ``number``; every fourth comes from tickets.

    Its people may find themselves at tables with those of others then. TimeoutError or AioRpcError where
    something takes longer than its patience or is refused.
    """

    suite: Suite
    number: int
    seed: int
    habits: Habits

    async def run(self) -> None:
        """From nothing to the last commit, of which everyone has been told."""
        bots = self.number % 3
        people = [self._person(seat) for seat in range(4 - bots)]
        async with asyncio.TaskGroup() as tasks:
            if self.number % _TICKETS_EVERY == _TICKETS_EVERY - 1:
                for person in people:
                    tasks.create_task(self._queue_and_play(person, bots))
                return
            table_id = await self._open([person.name for person in people], bots)
            tasks.create_task(self._spectate(table_id))
            for seat, person in enumerate(people):
                tasks.create_task(person.play(table_id, seat))

    def _person(self, seat: int) -> Person:
        chance = Random(f"{self.seed}-{self.number}-{seat}")
        return Person(self.suite, f"p{self.number}-{seat}", chance, self.habits)

    async def _open(self, names: list[str], bots: int) -> str:
        request = CreateTableRequest(
            command_id=f"open-{self.number}",
            ruleset_id=RULESET,
            seats=seated(*names, *["bot:plain"] * bots),
            deals=1,
            deal_pause_ms=0,
        )
        metadata = self.suite.service_metadata()
        answer = await self.suite.answer(
            lambda seconds: self.suite.tables.CreateTable(request, metadata=metadata, timeout=seconds),
            self.habits.patience_seconds,
        )
        self.suite.history.tables.append(answer.table_id)
        return answer.table_id

    async def _spectate(self, table_id: str) -> None:
        watch = Watch(self.suite, "zoe", table_id, None)
        watching = asyncio.create_task(watch.run())
        try:
            while not is_over(watch.latest):
                if not await watch.reached(watch.version + 1, self.habits.patience_seconds):
                    raise TimeoutError
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def _queue_and_play(self, person: Person, bots: int) -> None:
        ticket = await self._matched(person.name, 300 if bots else 2000)
        history = self.suite.history
        history.tickets.append(Seated(person.name, ticket.ticket_id, ticket.table_id, ticket.seat))
        async with asyncio.TaskGroup() as tasks:
            if ticket.table_id not in history.tables:
                history.tables.append(ticket.table_id)
                tasks.create_task(self._spectate(ticket.table_id))
            tasks.create_task(person.play(ticket.table_id, ticket.seat))

    async def _matched(self, name: str, bots_after_ms: int) -> Ticket:
        metadata, tickets = self.suite.metadata(name), self.suite.tickets
        asked = CreateTicketRequest(
            ticket_id=f"t-{name}", ruleset_id=RULESET, deals=1, bots_after_ms=bots_after_ms
        )
        made = await self.suite.answer(
            lambda seconds: tickets.CreateTicket(asked, metadata=metadata, timeout=seconds),
            self.habits.patience_seconds,
        )
        looked = GetTicketRequest(ticket_id=made.ticket.ticket_id)
        async with asyncio.timeout(self.habits.patience_seconds):
            while True:
                answer = await self.suite.answer(
                    lambda seconds: tickets.GetTicket(looked, metadata=metadata, timeout=seconds),
                    self.habits.patience_seconds,
                )
                if answer.ticket.state == TICKET_STATE_MATCHED:
                    return answer.ticket
                if answer.ticket.state == TICKET_STATE_CANCELLED:
                    self.suite.history.absurd.append(("", f"ticket of {name}: {answer.ticket.refusal}"))
                    raise TimeoutError
                await asyncio.sleep(_POLL_SECONDS)
