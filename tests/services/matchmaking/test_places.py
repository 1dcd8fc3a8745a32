"""Rooms and the queue in all orders: nobody is in two rooms, or in a room that gathers and in the queue."""

from __future__ import annotations

from collections.abc import Coroutine
from random import Random
from typing import Any

import pytest

from kit.effort import rounds
from kit.match_world import Replica, World
from kit.stepping import Stepper
from shuangkou.chassis.errors import Refused
from shuangkou.chassis.nats import NatsFailure
from shuangkou.matchmaking import room as rooms
from shuangkou.matchmaking.record import is_held
from shuangkou.matchmaking.room_desk import RoomDesk
from shuangkou.matchmaking.tables import EngineOutOfReach
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_MATCHED, TICKET_STATE_WAITING, Game, Ticket
from shuangkou.v1.rooms_pb2 import ROOM_STATE_GATHERING, ArrangeRoomRequest, CreateRoomRequest, Room

_NAMES = "abcd"
_STEPS = 150
_DUEL = Game(ruleset_id="duel52", deals=1)


class Building:
    """The rooms of a world, and its people walking in and out."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.world = World(2, lambda: random.random() < 0.02)
        self.refusals: set[str] = set()
        self.tickets = 0

    def gathering(self) -> list[Room]:
        """The rooms that gather."""
        stored = self.world.store.newest.items()
        found = [Room.FromString(entry.value) for key, entry in stored if key.startswith("room.")]
        return [room for room in found if room.state == ROOM_STATE_GATHERING]

    def act(self) -> None:
        """Somebody does something."""
        replica = self.random.choice(self.world.replicas)
        desk = RoomDesk(self.world.store, replica.queue, self.world.engine, 60_000, "room/", lambda _: None)
        name, other = self.random.choice(_NAMES), self.random.choice(_NAMES)
        codes = [room.code for room in self.gathering()] or ["000000"]
        self._run(self._work(replica, desk, name, other, self.random.choice(codes)))

    def _work(
        self, replica: Replica, desk: RoomDesk, name: str, other: str, code: str
    ) -> Coroutine[Any, Any, object]:
        now_ms = self.world.now_ms
        match self.random.choices(range(7), (5, 8, 4, 2, 4, 3, 4))[0]:
            case 0:
                command = CreateRoomRequest(command_id=str(self.random.randrange(4)))
                return desk.open(rooms.new_room(command, name, _DUEL, 2), now_ms)
            case 1:
                return desk.change(code, lambda room: rooms.joined(room, name, None), now_ms, name)
            case 2:
                return desk.change(code, lambda room: rooms.left(room, name), now_ms)
            case 3:
                kick = ArrangeRoomRequest(kick_player_id=other)
                return desk.change(code, lambda room: rooms.arranged(room, kick, ()), now_ms)
            case 4:
                self.tickets += 1
                ticket = Ticket(ticket_id=f"t{self.tickets}", player_id=name, created_ms=now_ms)
                ticket.state = TICKET_STATE_WAITING
                return replica.queue.enter(ticket)
            case 5:
                return replica.queue.leave(name, self.world.record(name).ticket.ticket_id, now_ms)
            case _:
                return desk.start(code, name, now_ms)

    def _run(self, work: Coroutine[Any, Any, object]) -> None:
        faults = (Refused, NatsFailure, EngineOutOfReach)
        self.world.running.append(Stepper(0, work, self._heard, faults))

    def _heard(self, result: object) -> None:
        if isinstance(result, Refused):
            self.refusals.add(result.code)

    def check(self) -> None:
        """What must hold at every moment."""
        for name in _NAMES:
            record = self.world.record(name)
            places = [room.code for room in self.gathering() if name in rooms.people_in(room)]
            assert len(places) <= 1, f"{name} is in {places}"
            if places:
                assert record.room_code == places[0], f"{name} is in {places}, not where {record} says"
                is_over = record.ticket.table_id in self.world.engine.finished
                at_table = record.ticket.state == TICKET_STATE_MATCHED and is_over
                assert at_table or not is_held(record), f"{name} is in {places} and has {record.ticket}"


def walk(seed: int) -> Building:
    """One interleaving: what happens next, and who goes on, is drawn."""
    random = Random(seed)
    building = Building(random)
    world = building.world
    for _ in range(_STEPS):
        match random.choices(range(4), (40, 6, 2, 52))[0]:
            case 0:
                building.act()
            case 1:
                world.replicas[0].catch_up(99)
                world.finish(0)
            case 2:
                world.end_table(random.randrange(8))
                world.now_ms += 1_000
            case _:
                for _ in range(random.choice((1, 7, 60))):
                    world.step(random.randrange(1_000))
                    building.check()
    return building


@pytest.mark.timeout(3600)  # with the profile `thorough`
def test_no_order_of_events_gives_anybody_two_places() -> None:
    refusals: set[str] = set()
    tables = 0
    for seed in range(rounds(60, 50_000)):
        try:
            building = walk(seed)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
        refusals |= building.refusals
        tables += len(building.world.engine.claims)
        for stepper in building.world.running:
            stepper.crash()
    # A walk in which nothing happens proves nothing.
    assert {"match/already_in_room", "match/already_queued", "match/already_seated"} <= refusals
    assert tables


@pytest.mark.parametrize("seed", range(20))
def test_starts_at_once_all_answer_the_same_table(seed: int) -> None:
    random = Random(seed)
    world = World(2, lambda: False)
    told: list[object] = []
    desks = [
        RoomDesk(world.store, replica.queue, world.engine, 60_000, "room/", lambda _: None)
        for replica in world.replicas
    ]

    def run(*works: Coroutine[Any, Any, object]) -> None:
        running = [Stepper(0, work, told.append, (Refused, NatsFailure)) for work in works]
        while running:
            random.choice(running).step()
            running = [each for each in running if not each.is_over]

    run(desks[0].open(rooms.new_room(CreateRoomRequest(command_id="x"), "ann", _DUEL, 2), world.now_ms))
    [room] = told
    assert isinstance(room, Room)
    run(desks[0].change(room.code, lambda room: rooms.joined(room, "ben", None), world.now_ms, "ben"))
    told.clear()
    run(*(desks[number % 2].start(room.code, "ann", world.now_ms) for number in range(16)))
    assert [answer.tables if isinstance(answer, Room) else answer for answer in told] == [1] * 16
    assert len(world.open_claims) == 1
