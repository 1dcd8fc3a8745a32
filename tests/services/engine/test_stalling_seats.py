"""No seat ever stalls a table: whoever stays away is played for, and may come back."""

from __future__ import annotations

from collections.abc import Mapping

import grpc
import pytest

from kit.engines import stored_commits
from kit.table_clients import (
    PEOPLE,
    Caller,
    Clients,
    is_dealt,
    new_command_id,
    play_one,
    play_until,
    told,
    turn_of,
)
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus
from shuangkou.v1.events_pb2 import HOST_REASON_TIMEOUT, Commit
from shuangkou.v1.table_pb2 import (
    TABLE_PHASE_DEAL,
    TABLE_PHASE_FINISHED,
    ActRequest,
    Forfeit,
    ReclaimSeat,
    SeatView,
)

QUICK = {"turn_seconds": "5", "lead_seconds": "5", "time_bank_seconds": "0"}
ALICE_AND_BOTS = ("alice", "bot:plain", "bot:plain", "bot:plain")


def events(commits: list[Commit], kind: str) -> list[Commit]:
    """The commits that hold an event of this kind."""
    return [commit for commit in commits if any(event.HasField(kind) for event in commit.events)]  # type: ignore[arg-type]  # a name out of the oneof


async def play_others(callers: Mapping[int, Caller], table_id: str) -> SeatView:
    """Everyone but seat 0 plays on, until it is the turn of seat 0 or the deal is over."""
    return await play_until(
        callers, table_id, lambda view: turn_of(view) in (0, None) and view.deal_number == 1
    )


async def test_who_misses_two_deadlines_is_hosted_and_plays_on_when_it_is_back(
    clients: Clients, engines_bus: Bus
) -> None:
    alice, service = clients.player("alice"), clients.service()
    callers = dict.fromkeys(range(4), service)
    table_id = await service.create(*ALICE_AND_BOTS, options=QUICK)
    await play_until(callers, table_id, is_dealt)
    for missed in (1, 2):
        await play_others(callers, table_id)

        async def is_missed(times: int = missed) -> bool:
            return len(events(await stored_commits(engines_bus, table_id), "deadline_passed")) == times

        await eventually(is_missed, within=60)
    (hosted,) = events(await stored_commits(engines_bus, table_id), "seat_hosted")
    assert hosted.events[-1].seat_hosted.reason == HOST_REASON_TIMEOUT
    assert (await service.view(table_id)).seats[0].hosted
    # A bot plays the seat now, through the same calls as any bot.
    view = await play_others(callers, table_id)
    await play_one(callers, table_id, view)
    back = ActRequest(table_id=table_id, seat=0, command_id=new_command_id(), reclaim_seat=ReclaimSeat())
    await alice.act(back)
    view = await play_others(callers, table_id)
    assert not view.seats[0].hosted
    assert await play_one({0: alice}, table_id, view)


@pytest.mark.parametrize("ruleset_id", ["qq", "sheng_online"])
async def test_who_leaves_for_good_pays_and_holds_nobody_up(clients: Clients, ruleset_id: str) -> None:
    """Climbing §9.1: the deal goes on, the fine is shared. Tricks §12.2: the match is lost and paid for."""
    people, service = clients.people(), clients.service()
    table_id = await service.create(*PEOPLE, ruleset_id=ruleset_id, deal_pause_ms=0)
    await play_until(people, table_id, lambda view: view.phase == TABLE_PHASE_DEAL)
    leaving = ActRequest(table_id=table_id, seat=1, command_id=new_command_id(), forfeit=Forfeit())
    await people[1].act(leaving)
    view = await service.view(table_id)
    assert view.seats[1].forfeited
    if view.phase == TABLE_PHASE_DEAL:
        # A bot plays the seat to the end of the match.
        callers = people | {1: service}
        view = await play_until(callers, table_id, lambda view: view.phase == TABLE_PHASE_FINISHED)
        settled = view.last_settlement
        assert (settled.players[1], list(settled.forfeited)) == ("bob", [1])
        assert [score.fine for score in settled.climbing.breakdown] == [4, -12, 4, 4]
    else:
        assert view.phase == TABLE_PHASE_FINISHED
        assert list(view.last_void.forfeited) == [1]
        assert list(view.tricks.handover.tricks.coins) == [20, -60, 20, 20]
    back = ActRequest(table_id=table_id, seat=1, command_id=new_command_id(), reclaim_seat=ReclaimSeat())
    assert told(await people[1].refused("Act", back))[0] is grpc.StatusCode.FAILED_PRECONDITION
