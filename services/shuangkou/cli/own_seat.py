"""A person's own seat at a table, wherever a change of places (换位) has moved it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from shuangkou.cli.clients import Clients, Refused, new_id
from shuangkou.v1 import table_pb2

NOT_YOURS: Final = "seat/not_yours"

A = TypeVar("A")


class OwnSeat:
    """Calls for the seat that the player holds now; a call for an old seat is made again for the new one."""

    def __init__(self, clients: Clients, table_id: str, player: str, seat: int) -> None:
        self._clients = clients
        self._table_id = table_id
        self._player = player
        self.number = seat

    async def view(self, at_least_version: int) -> table_pb2.SeatView:
        """The table as this seat sees it."""

        async def look() -> table_pb2.SeatView:
            request = table_pb2.GetTableRequest(
                table_id=self._table_id, seat=self.number, at_least_version=at_least_version
            )
            return (await self._clients.ask(self._clients.tables.GetTable, request)).view

        return await self._for_own_seat(look)

    async def legal_acts(self) -> table_pb2.ListLegalActsResponse:
        """What the seat may do now."""

        async def ask() -> table_pb2.ListLegalActsResponse:
            request = table_pb2.ListLegalActsRequest(table_id=self._table_id, seat=self.number)
            return await self._clients.ask(self._clients.tables.ListLegalActs, request)

        return await self._for_own_seat(ask)

    async def act(self, request: table_pb2.ActRequest) -> None:
        """Perform the command under a new id; Refused when the table says no."""
        request.table_id, request.command_id = self._table_id, new_id()

        async def perform() -> None:
            request.seat = self.number
            await self._clients.ask(self._clients.tables.Act, request)

        await self._for_own_seat(perform)

    async def _for_own_seat(self, call: Callable[[], Awaitable[A]]) -> A:
        try:
            return await call()
        except Refused as refused:
            if refused.refusal.code != NOT_YOURS:
                raise
            found = await find_seat(self._clients, self._table_id, self._player)
            if found is None or found == self.number:
                raise
            self.number = found
        return await call()


async def find_seat(clients: Clients, table_id: str, player: str) -> int | None:
    """The seat that the player holds at the table now."""
    request = table_pb2.GetTableRequest(table_id=table_id)
    view = (await clients.ask(clients.tables.GetTable, request)).view
    return next((state.seat for state in view.seats if state.occupant.player_id == player), None)
