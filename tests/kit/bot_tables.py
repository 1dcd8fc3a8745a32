"""Tables at a real engine: opened, looked at, and read back from the log."""

from __future__ import annotations

from itertools import count

import grpc

from kit.keys import Keys
from kit.service_process import ServiceProcess
from shuangkou.chassis.nats import Bus, read
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import (
    TABLE_PHASE_FINISHED,
    ActRequest,
    CreateTableRequest,
    GetTableRequest,
    HostSeat,
    Occupant,
    SeatAssignment,
    SeatView,
)
from shuangkou.v1.table_pb2_grpc import TableServiceStub

_SECONDS = 15.0


class Tables:
    """Calls to one engine as the player `host`."""

    def __init__(self, engine: ServiceProcess, keys: Keys) -> None:
        self._channel = grpc.aio.insecure_channel(engine.target)
        self._stub = TableServiceStub(self._channel)
        self._metadata = (("authorization", f"Bearer {keys.player('host')}"),)
        self._numbers = count(1)

    async def open(self, *names: str, deals: int = 1) -> str:
        """Open a table; `host` is the player, any other name a persona, seats in turn order."""
        seats = [
            SeatAssignment(
                seat=seat, occupant=Occupant(player_id=name) if name == "host" else Occupant(persona=name)
            )
            for seat, name in enumerate(names)
        ]
        request = CreateTableRequest(
            command_id=f"table-{next(self._numbers)}",
            ruleset_id="qq",
            seats=seats,
            deals=deals,
            deal_pause_ms=0,
        )
        answer = await self._stub.CreateTable(request, metadata=self._metadata, timeout=_SECONDS)
        return answer.table_id

    async def host_seat(self, table_id: str, seat: int) -> None:
        """Let a bot play the host's seat, 托管."""
        request = ActRequest(table_id=table_id, seat=seat, command_id="host", host_seat=HostSeat())
        await self._stub.Act(request, metadata=self._metadata, timeout=_SECONDS)

    async def view(self, table_id: str, seat: int | None = None) -> SeatView:
        """The table as a spectator or the host sees it."""
        request = GetTableRequest(table_id=table_id, seat=seat)
        return (await self._stub.GetTable(request, metadata=self._metadata, timeout=_SECONDS)).view

    async def is_finished(self, table_id: str) -> bool:
        """The match is over."""
        return (await self.view(table_id)).phase == TABLE_PHASE_FINISHED

    async def close(self) -> None:
        """Hang up."""
        await self._channel.close()


async def commits_of(bus: Bus, table_id: str) -> list[Commit]:
    """The table's log."""
    subject = f"table.*.{table_id}.public.*"
    return [Commit.FromString(message.payload) async for message in read(bus, "TABLES", subject)]
