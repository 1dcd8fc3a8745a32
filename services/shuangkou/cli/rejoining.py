"""The way to a seat at a table that is there: an open one, or the own one that was left by whatever means."""

from __future__ import annotations

from dataclasses import dataclass

from shuangkou.cli.clients import Clients, Refused, new_id
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.tables import look_at
from shuangkou.cli.words import SEATS
from shuangkou.v1 import table_pb2


@dataclass(frozen=True, slots=True)
class Place:
    """A table where the player sits or would sit; a ``seat`` that is named must be its own or open."""

    table_id: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class Found:
    """The player's seat, and the version at which it was the player's own again; 0 when it is new."""

    seat: int
    version: int


async def take_up(clients: Clients, place: Place, player: str) -> Found:
    """Find the player's seat and take it back from a bot, or take an open one.

    Problem when there is no such table, no seat there for the player, or nothing left to play.
    """
    view = await look_at(clients, place.table_id)
    state = next((state for state in view.seats if state.occupant.player_id == player), None)
    if state is None and any(_is_open(each) for each in view.seats):
        return await _sit_down(clients, place, view)
    if state is None:
        people = ", ".join(each.occupant.player_id for each in view.seats if each.occupant.player_id)
        raise Problem(
            f"no seat at table {place.table_id} is that of {player!r}; people there: {people or 'none'};"
            f" say who you are with --name",
            BAD_INPUT,
        )
    if place.seat not in (None, state.seat):
        raise Problem(f"{player} sits on seat {state.seat}, {SEATS[state.seat]}", BAD_INPUT)
    if view.phase == table_pb2.TABLE_PHASE_FINISHED:
        raise Problem(f"the match at table {place.table_id} is over 终局")
    if state.forfeited:
        raise Problem(f"{player} has left table {place.table_id} for good 逃跑; there is no way back")
    version = await _reclaim(clients, place.table_id, state.seat) if state.hosted else view.version
    return Found(state.seat, max(version, view.version))


def _is_open(state: table_pb2.SeatState) -> bool:
    return state.occupant.WhichOneof("kind") is None


async def _sit_down(clients: Clients, place: Place, view: table_pb2.SeatView) -> Found:
    seats = [state.seat for state in view.seats if _is_open(state)]
    if place.seat not in (None, *seats):
        free = ", ".join(f"{seat} {SEATS[seat]}" for seat in seats)
        raise Problem(f"seat {place.seat} is not open; open are {free}", BAD_INPUT)
    seat = seats[0] if place.seat is None else place.seat
    request = table_pb2.ActRequest(
        table_id=place.table_id, seat=seat, command_id=new_id(), take_seat=table_pb2.TakeSeat()
    )
    await clients.ask(clients.tables.Act, request)
    return Found(seat, 0)


async def _reclaim(clients: Clients, table_id: str, seat: int) -> int:
    """The version with which the seat is back; 0 when nobody had it hosted any more."""
    request = table_pb2.ActRequest(
        table_id=table_id, seat=seat, command_id=new_id(), reclaim_seat=table_pb2.ReclaimSeat()
    )
    try:
        return (await clients.ask(clients.tables.Act, request)).version
    except Refused as refused:
        if refused.refusal.code != "seat/not_hosted":
            raise
    return 0
