"""Players who queue at matchmaking processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Awaitable
from dataclasses import dataclass
from typing import Any

import grpc
import pytest

from kit.keys import Keys
from kit.service_process import ServiceProcess, refusal_in
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, read
from shuangkou.v1.events_pb2 import EventTerms, TableMatched
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_CASUAL,
    AnswerReadyCheckRequest,
    CancelTicketRequest,
    CreateTicketRequest,
    GetTicketRequest,
    Ticket,
    TicketState,
    WatchTicketRequest,
    WatchTicketResponse,
)
from shuangkou.v1.matchmaking_pb2_grpc import MatchmakingServiceStub
from shuangkou.v1.table_pb2 import TABLE_PHASE_FINISHED, ActRequest, Forfeit, GetTableRequest
from shuangkou.v1.table_pb2_grpc import TableServiceStub

_SECONDS = 15.0
_LONG_MS = 60_000
"""Where bots may come at all they come when a test is long over."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player with a connection to one replica."""

    name: str
    stub: MatchmakingServiceStub
    metadata: tuple[tuple[str, str], ...]

    async def queue(
        self,
        ticket_id: str = "t",
        ruleset_id: str = "qq",
        deals: int = 0,
        bots_after_ms: int | None = _LONG_MS,
        people_only: bool = False,
        event: EventTerms | None = None,
        **more: Any,
    ) -> Ticket:
        """Ask for a ticket; ``more`` are other fields of the request."""
        if people_only or more.get("mode", TICKET_MODE_CASUAL) != TICKET_MODE_CASUAL:
            bots_after_ms = None if bots_after_ms == _LONG_MS else bots_after_ms
        request = CreateTicketRequest(
            ticket_id=ticket_id,
            ruleset_id=ruleset_id,
            deals=deals,
            bots_after_ms=bots_after_ms,
            people_only=people_only,
            event=event,
            **more,
        )
        answer = await self.stub.CreateTicket(request, metadata=self.metadata, timeout=_SECONDS)
        return answer.ticket

    async def ticket(self, ticket_id: str = "t") -> Ticket:
        """The ticket as it is now."""
        request = GetTicketRequest(ticket_id=ticket_id)
        return (await self.stub.GetTicket(request, metadata=self.metadata, timeout=_SECONDS)).ticket

    async def cancel(self, ticket_id: str = "t") -> Ticket:
        """Take the ticket back."""
        request = CancelTicketRequest(ticket_id=ticket_id)
        return (await self.stub.CancelTicket(request, metadata=self.metadata, timeout=_SECONDS)).ticket

    async def rematch(self, table_id: str, ticket_id: str = "again") -> Ticket:
        """Ask to play a table again."""
        request = CreateTicketRequest(ticket_id=ticket_id, rematch_of=table_id)
        return (await self.stub.CreateTicket(request, metadata=self.metadata, timeout=_SECONDS)).ticket

    async def answer(self, is_ready: bool = True, ticket_id: str = "t") -> Ticket:
        """Answer the ready check."""
        request = AnswerReadyCheckRequest(ticket_id=ticket_id, is_ready=is_ready)
        answer = await self.stub.AnswerReadyCheck(request, metadata=self.metadata, timeout=_SECONDS)
        return answer.ticket

    async def watch(self, ticket_id: str = "t") -> list[Ticket]:
        """Everything that is shown of the ticket until it ends."""
        return [shown.ticket async for shown in self.updates(ticket_id)]

    def updates(self, ticket_id: str = "t") -> AsyncIterable[WatchTicketResponse]:
        """The ticket's stream."""
        request = WatchTicketRequest(ticket_id=ticket_id)
        return self.stub.WatchTicket(request, metadata=self.metadata, timeout=4 * _SECONDS)

    async def in_state(self, state: TicketState.ValueType, ticket_id: str = "t") -> Ticket:
        """The ticket once it is in this state."""

        async def ticket() -> Ticket | None:
            found = await self.ticket(ticket_id)
            return found if found.state == state else None

        found: Ticket = await eventually(ticket, within=30)
        return found


class Club:
    """Lets players in."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._channels: dict[str, grpc.aio.Channel] = {}

    async def player(self, name: str, at: ServiceProcess, token: str = "") -> Player:
        """A player who talks to this replica."""
        metadata = (("authorization", f"Bearer {token or self._keys.player(name)}"),)
        return Player(name, MatchmakingServiceStub(self.channel(at)), metadata)

    def channel(self, at: ServiceProcess) -> grpc.aio.Channel:
        """The way to a process, closed when everybody goes home."""
        if at.target not in self._channels:
            self._channels[at.target] = grpc.aio.insecure_channel(at.target)
        return self._channels[at.target]

    async def players(self, count: int, *replicas: ServiceProcess) -> list[Player]:
        """So many players, spread over the replicas."""
        return [await self.player(f"p{n}", replicas[n % len(replicas)]) for n in range(count)]

    async def close(self) -> None:
        """Everybody goes home."""
        await asyncio.gather(*(channel.close() for channel in self._channels.values()))


async def leave_for_good(player: Player, table_id: str, seat: int, engine: grpc.aio.Channel) -> None:
    """Forfeit the seat (逃跑), in the next deal where none is played now, unless the match ends before."""
    tables = TableServiceStub(engine)
    act = ActRequest(table_id=table_id, seat=seat, command_id=f"leave-{table_id}", forfeit=Forfeit())
    look = GetTableRequest(table_id=table_id, seat=seat)

    async def has_left() -> bool:
        view = (await tables.GetTable(look, metadata=player.metadata, timeout=_SECONDS)).view
        if view.phase == TABLE_PHASE_FINISHED:
            return True
        try:
            await tables.Act(act, metadata=player.metadata, timeout=_SECONDS)
        except grpc.aio.AioRpcError as error:
            if refusal_in(error)[1] != "state/no_deal_in_progress":
                raise
            return False
        return True

    await eventually(has_left, within=30)


async def refused(call: Awaitable[object]) -> str:
    """The code with which an awaited call is refused."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return refusal_in(caught.value)[1]


async def matches_published(bus: Bus) -> list[TableMatched]:
    """Everything in MATCHES."""
    return [TableMatched.FromString(message.payload) async for message in read(bus, "MATCHES", "match.>")]
