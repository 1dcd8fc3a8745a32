"""Tables at which something in particular can be done."""

from __future__ import annotations

from dataclasses import dataclass

from kit.table_clients import PEOPLE, Caller, Clients, is_dealt, play, play_until, turn_of
from shuangkou.v1.table_pb2 import SeatView


@dataclass(frozen=True, slots=True)
class Position:
    """A table of four persons at which a seat is to act, with one play to beat."""

    table_id: str
    people: dict[int, Caller]
    view: SeatView

    @property
    def seat(self) -> int:
        """The seat to act."""
        seat = turn_of(self.view)
        assert seat is not None
        return seat

    @property
    def actor(self) -> Caller:
        """The person to act."""
        return self.people[self.seat]


async def position_of(clients: Clients, table_id: str) -> Position:
    """The table as the seat to act sees it."""
    people = clients.people()
    seat = turn_of(await people[0].view(table_id))
    assert seat is not None
    return Position(table_id, people, await people[seat].view(table_id, seat))


async def just_dealt(clients: Clients) -> Position:
    """Nobody has played yet."""
    table_id = await clients.service().create(*PEOPLE)
    await play_until(clients.people(), table_id, is_dealt)
    return await position_of(clients, table_id)


async def just_led(clients: Clients) -> Position:
    """The leader has played its highest single."""
    leader = await just_dealt(clients)
    await leader.actor.act(play(leader.table_id, leader.seat, [leader.view.hand[-1]]))
    return await position_of(clients, leader.table_id)
