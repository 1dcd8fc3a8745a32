"""How long somebody is told to wait, and that all replicas say the same, also after they were stopped."""

from __future__ import annotations

from collections.abc import Awaitable
from random import Random
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.match_outside import NOTHING, LoggedStore
from kit.queueing import Club, Player
from kit.service_process import Launcher, ServiceProcess
from kit.stepping import Stepper
from kit.tickets import NOW, ticket_of
from kit.waiting import eventually
from shuangkou.chassis.nats import NatsFailure
from shuangkou.matchmaking.record import DAY_MS
from shuangkou.matchmaking.store import waits_key
from shuangkou.matchmaking.wait_notes import WaitNotes
from shuangkou.matchmaking.waits import Waits, with_waits
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_CASUAL,
    TICKET_MODE_RANKED,
    Claim,
    ClaimedSeat,
    GetQueueStatsRequest,
    QueueStats,
    QueueWaits,
    SeatedWait,
)

_QUEUE = ("qq", TICKET_MODE_CASUAL)
_LAST = st.lists(st.tuples(st.booleans(), st.integers(0, 100_000)), max_size=64)


def after(seated: list[tuple[bool, int]]) -> Waits:
    """What is known when so many were seated: whether bots would do, and how long they waited."""
    waits = Waits()
    new = [
        SeatedWait(seated_ms=NOW, waited_ms=waited_ms, takes_bots=takes_bots)
        for takes_bots, waited_ms in seated
    ]
    waits.take(with_waits(QueueWaits(), _QUEUE, new))
    return waits


@given(_LAST, st.booleans(), st.integers(0, 120_000))
def test_an_estimate_is_what_half_of_those_like_it_waited(
    seated: list[tuple[bool, int]], takes_bots: bool, waited_ms: int
) -> None:
    more_ms = after(seated).more_ms(_QUEUE, takes_bots, waited_ms, NOW)
    like_it = [waited for bots, waited in seated if bots == takes_bots and waited > waited_ms]
    if len(like_it) < 4:
        assert more_ms is None
    else:
        assert more_ms == int(median(like_it)) - waited_ms
        assert more_ms > 0


def test_nobody_is_told_what_others_waited_for_another_thing() -> None:
    waits = after([(True, 10_000)] * 8)
    assert waits.more_ms(_QUEUE, True, 4_000, NOW) == 6_000
    assert waits.more_ms(_QUEUE, False, 4_000, NOW) is None
    assert waits.more_ms(("qq", TICKET_MODE_RANKED), True, 4_000, NOW) is None
    assert waits.more_ms(_QUEUE, True, 10_000, NOW) is None
    assert waits.usual_ms(_QUEUE, NOW) == 10_000


def test_what_is_a_day_old_is_not_lately() -> None:
    waits = after([(True, 10_000)] * 8)
    assert waits.queues(NOW + DAY_MS - 1) == [_QUEUE]
    assert waits.queues(NOW + DAY_MS) == []
    assert waits.usual_ms(_QUEUE, NOW + DAY_MS) is None
    assert waits.more_ms(_QUEUE, True, 4_000, NOW + DAY_MS) is None


def claim_after(waited_ms: int, **fields: Any) -> Claim:
    """A claim of one ticket that waited so long."""
    ticket = ticket_of("p1", 1, created_ms=NOW - waited_ms, **fields)
    return Claim(ruleset_id="qq", claimed_ms=NOW, seats=[ClaimedSeat(ticket=ticket)])


@pytest.mark.parametrize("seed", range(10))
def test_what_several_replicas_note_at_once_is_remembered_once_each(seed: int) -> None:
    random = Random(seed)
    store = LoggedStore(lambda: False)
    replicas = [WaitNotes(store) for _ in range(3)]
    for number in range(60):
        replicas[number % 3].note(claim_after(number), NOW)
    failed: list[object] = []

    def write(replica: int) -> Stepper:
        return Stepper(replica, replicas[replica].write(), failed.append, (NatsFailure,))

    for _ in range(3):
        running = [write(replica) for replica in range(3)]
        while running:
            stepper = random.choice(running)
            stepper.step()
            running = [each for each in running if not each.is_over]
    assert set(failed) == {None}
    stored = QueueWaits.FromString(store.newest[waits_key(*_QUEUE)].value)
    assert sorted(wait.waited_ms for wait in stored.last) == list(range(60))


def test_rooms_and_rematches_tell_nothing_of_the_queue_and_only_the_last_count() -> None:
    store = LoggedStore(lambda: False)
    notes = WaitNotes(store)
    room = claim_after(5)
    room.room_code = "123456"
    notes.note(room, NOW)
    notes.note(claim_after(5, rematch_of="t"), NOW)
    run(notes.write())
    assert store.newest.get(waits_key(*_QUEUE), NOTHING) == NOTHING
    for number in range(100):
        notes.note(claim_after(number), NOW + number)
    run(notes.write())
    stored = QueueWaits.FromString(store.newest[waits_key(*_QUEUE)].value)
    assert [wait.waited_ms for wait in stored.last] == list(range(36, 100))


def run(work: Awaitable[None]) -> None:
    """To the end, with nobody else around."""
    steps = work.__await__()
    while next(steps, StopIteration) is not StopIteration:
        pass


async def queues_seen_by(player: Player) -> list[QueueStats]:
    """What the player's replica says of all queues."""
    request = GetQueueStatsRequest()
    answer = await player.stub.GetQueueStats(request, metadata=player.metadata, timeout=15)
    return list(answer.queues)


async def test_all_replicas_say_the_same_of_waits_also_those_that_start_later(
    launcher: Launcher, engine: ServiceProcess, club: Club
) -> None:
    settings = {"engine_target": engine.target, "ready_check_seconds": "0"}
    one, other = await launcher.start_all("matchmaking", 2, **settings)
    players = await club.players(4, one)
    for player in players:
        await player.queue(people_only=True)

    async def told_by(replica: ServiceProcess) -> QueueStats:
        async def told() -> QueueStats | None:
            found = await queues_seen_by(await club.player("eve", replica))
            return found[0] if found and found[0].HasField("usual_wait_ms") else None

        stats: QueueStats = await eventually(told, within=30)
        return stats

    seen = await told_by(one)
    assert (seen.waiting, await told_by(other)) == (0, seen)
    for replica in (one, other):
        replica.kill()
    assert await told_by(await launcher.start("matchmaking", **settings)) == seen
