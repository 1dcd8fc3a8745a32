"""Players who queue at matchmaking processes."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import dataclass

import grpc
import pytest

from kit.keys import Keys
from kit.service_process import ServiceProcess, refusal_in
from shuangkou.chassis.nats import Bus, read
from shuangkou.v1.events_pb2 import EventTerms, TableMatched
from shuangkou.v1.matchmaking_pb2 import (
    CancelTicketRequest,
    CreateTicketRequest,
    GetTicketRequest,
    Ticket,
    WatchTicketRequest,
)
from shuangkou.v1.matchmaking_pb2_grpc import MatchmakingServiceStub

_SECONDS = 15.0


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
        bots_after_ms: int | None = 60_000,
        people_only: bool = False,
        event: EventTerms | None = None,
    ) -> Ticket:
        """Ask for a ticket."""
        request = CreateTicketRequest(
            ticket_id=ticket_id,
            ruleset_id=ruleset_id,
            deals=deals,
            bots_after_ms=bots_after_ms,
            people_only=people_only,
            event=event,
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

    async def watch(self, ticket_id: str = "t") -> list[Ticket]:
        """Everything that is shown of the ticket until it ends."""
        request = WatchTicketRequest(ticket_id=ticket_id)
        stream = self.stub.WatchTicket(request, metadata=self.metadata, timeout=4 * _SECONDS)
        return [shown.ticket async for shown in stream]


class Club:
    """Lets players in."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._channels: dict[str, grpc.aio.Channel] = {}
        self._open = AsyncExitStack()

    async def player(self, name: str, at: ServiceProcess, token: str = "") -> Player:
        """A player who talks to this replica."""
        if at.target not in self._channels:
            channel = await self._open.enter_async_context(grpc.aio.insecure_channel(at.target))
            self._channels[at.target] = channel
        metadata = (("authorization", f"Bearer {token or self._keys.player(name)}"),)
        return Player(name, MatchmakingServiceStub(self._channels[at.target]), metadata)

    async def players(self, count: int, *replicas: ServiceProcess) -> list[Player]:
        """So many players, spread over the replicas."""
        return [await self.player(f"p{n}", replicas[n % len(replicas)]) for n in range(count)]

    async def close(self) -> None:
        """Everybody goes home."""
        await self._open.aclose()


async def refused(call: Awaitable[object]) -> str:
    """The code with which an awaited call is refused."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return refusal_in(caught.value)[1]


async def matches_published(bus: Bus) -> list[TableMatched]:
    """Everything in MATCHES."""
    return [TableMatched.FromString(message.payload) async for message in read(bus, "MATCHES", "match.>")]
