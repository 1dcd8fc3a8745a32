"""What a ticket can ask for, and what happens to it, through real processes."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import grpc
import pytest

from kit.queueing import Club, Player, leave_for_good, refused
from kit.service_process import Launcher, ServiceProcess, refusal_in
from kit.tickets import ticket_of
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus
from shuangkou.matchmaking.bucket import Bucket
from shuangkou.matchmaking.store import Change, player_key
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_BOTS,
    TICKET_MODE_CASUAL,
    TICKET_MODE_RANKED,
    TICKET_STATE_CANCELLED,
    TICKET_STATE_CLAIMED,
    TICKET_STATE_MATCHED,
    TICKET_STATE_READY_CHECK,
    TICKET_STATE_WAITING,
    Game,
    GetQueueStatsRequest,
    PlayerRecord,
    QueueStats,
    Ticket,
)
from shuangkou.v1.table_pb2 import ActRequest, GetTableRequest, SeatView
from shuangkou.v1.table_pb2_grpc import TableServiceStub


async def all_asked(players: list[Player]) -> list[Ticket]:
    """Everybody's ticket once all are asked whether they are ready."""
    return [await player.in_state(TICKET_STATE_READY_CHECK) for player in players]


async def all_seated(players: list[Player], ticket_id: str = "t") -> list[Ticket]:
    """Everybody's ticket once all have a table."""
    return [await player.in_state(TICKET_STATE_MATCHED, ticket_id) for player in players]


async def view_of(player: Player, ticket: Ticket, club: Club, engine: ServiceProcess) -> SeatView:
    """The ticket's table as its player sees it."""
    request = GetTableRequest(table_id=ticket.table_id, seat=ticket.seat)
    answer = await TableServiceStub(club.channel(engine)).GetTable(
        request, metadata=player.metadata, timeout=15
    )
    return answer.view


async def test_all_who_are_ready_are_seated(
    asking: ServiceProcess, engine: ServiceProcess, club: Club
) -> None:
    players = await club.players(4, asking)
    for player in players:
        await player.queue(people_only=True)
    asked = await all_asked(players)
    assert len({ticket.claim_id for ticket in asked}) == 1
    assert await refused(players[0].cancel()) == "match/not_waiting"
    assert await refused(players[0].queue("other")) == "match/already_queued"
    for player in players[:3]:
        answered = await player.answer()
        assert await player.answer() == answered
    assert await refused(players[0].answer(is_ready=False)) == "match/answered"
    async for update in players[3].updates():
        if update.ready_check.ready == 3:
            assert update.ready_check.asked == 4
            break
    await players[3].answer()
    seated = await all_seated(players)
    assert len({ticket.table_id for ticket in seated}) == 1
    assert (await players[3].answer()).state == TICKET_STATE_MATCHED
    await leave_for_good(players[3], seated[3].table_id, seated[3].seat, club.channel(engine))
    again = await players[3].rematch(seated[3].table_id)
    assert (again.state, again.ready_by_ms, again.answer) == (TICKET_STATE_WAITING, 0, 0)


async def test_who_declines_pauses_and_the_others_go_first(asking: ServiceProcess, club: Club) -> None:
    players = await club.players(5, asking)
    made = [await player.queue(people_only=True) for player in players[:4]]
    await all_asked(players[:4])
    await players[0].answer(is_ready=False)
    ended = await players[0].in_state(TICKET_STATE_CANCELLED)
    assert ended.refusal == "match/not_ready"
    # As long as the setting says, and a moment for the way.
    assert 0 < ended.paused_until_ms - ended.ended_ms <= 60_000
    assert await refused(players[0].queue("again")) == "match/paused"
    for player, before in zip(players[1:4], made[1:], strict=True):
        back = await player.in_state(TICKET_STATE_WAITING)
        assert (back.created_ms, back.returns, back.claim_id) == (before.created_ms, 1, "")
        assert await refused(player.answer()) == "match/not_asked"
    await players[4].queue(people_only=True)
    await all_asked(players[1:])
    for player in players[1:]:
        await player.answer()
    await all_seated(players[1:])


async def test_who_says_nothing_in_time_has_declined(
    launcher: Launcher, engine: ServiceProcess, club: Club
) -> None:
    settings = {"ready_check_seconds": "2", "unready_pause_seconds": "0.001"}
    replica = await launcher.start("matchmaking", engine_target=engine.target, **settings)
    players = await club.players(4, replica)
    for player in players:
        await player.queue(people_only=True)
    await all_asked(players)
    await asyncio.gather(*(player.answer() for player in players[:3]))
    assert (await players[3].in_state(TICKET_STATE_CANCELLED)).refusal == "match/not_ready"
    assert [(await player.in_state(TICKET_STATE_WAITING)).returns for player in players[:3]] == [1, 1, 1]
    await players[3].queue("late", people_only=True)


async def test_a_party_waits_for_both_and_sits_as_partners(matchmaking: ServiceProcess, club: Club) -> None:
    players = await club.players(4, matchmaking)
    await players[0].queue(people_only=True, partner_id="p1")
    async for update in players[0].updates():
        assert (update.waits_for_partner, update.position) == (True, 0)
        break
    for player in players[2:]:
        await player.queue(people_only=True)
    await players[1].queue(people_only=True, partner_id="p0")
    seats = [ticket.seat for ticket in await all_seated(players)]
    assert abs(seats[0] - seats[1]) == 2


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"ruleset_id": "zsy"}, r"qq \(turn_seconds=60, deals=1\), casual, no region"),
        ({"mode": TICKET_MODE_RANKED}, "casual"),
        ({"region": "cn-east"}, "no region"),
    ],
)
async def test_a_partner_who_wants_something_else_is_told_what_the_first_asked_for(
    matchmaking: ServiceProcess, club: Club, other: dict[str, Any], words: str
) -> None:
    ann, ben = await club.player("ann", matchmaking), await club.player("ben", matchmaking)
    await ann.queue(people_only=True, partner_id="ben", options={"turn_seconds": "60"})
    with pytest.raises(grpc.aio.AioRpcError, match=f"ann waits for you with .*{words}") as caught:
        await ben.queue(people_only=True, partner_id="ann", **other)
    assert refusal_in(caught.value) == (grpc.StatusCode.FAILED_PRECONDITION, "match/partner_differs")
    wish: dict[str, Any] = {
        "ruleset_id": "zsy",
        "or_games": [Game(ruleset_id="qq", options={"turn_seconds": "60"})],
    }
    await ben.queue(people_only=True, partner_id="ann", **wish)
    async for update in ben.updates():
        if not update.waits_for_partner:
            break


async def test_partners_who_asked_at_once_for_different_things_do_not_wait_for_ever(
    matchmaking: ServiceProcess, club: Club, bus: Bus
) -> None:
    """Neither saw the other: both tickets are stored."""
    bucket, now_ms = Bucket(bus), time.time_ns() // 1_000_000
    for name, partner, deals in (("ann", "ben", 1), ("ben", "ann", 2)):
        ticket = ticket_of(name, 1, ticket_id="t", partner_id=partner, deals=deals, created_ms=now_ms)
        record = PlayerRecord(player_id=name, ticket=ticket)
        await bucket.put([Change(player_key(name), record.SerializeToString(), 0)])
    ann, ben = await club.player("ann", matchmaking), await club.player("ben", matchmaking)
    assert (await ben.in_state(TICKET_STATE_CANCELLED)).refusal == "match/partner_differs"
    assert (await ann.ticket()).state == TICKET_STATE_WAITING


async def test_nobody_meets_whom_it_avoids(matchmaking: ServiceProcess, club: Club) -> None:
    players = await club.players(5, matchmaking)
    await players[0].queue(people_only=True, avoided=["p1"])
    for player in players[1:4]:
        await player.queue(people_only=True)
    assert (await players[0].ticket()).state == TICKET_STATE_WAITING
    await players[4].queue(people_only=True)
    tickets = [await player.ticket() for player in players[2:]]
    await all_seated(players[2:])
    waiting = {(await player.ticket()).state for player in players[:2]}
    assert waiting == {TICKET_STATE_WAITING, TICKET_STATE_MATCHED}, tickets


async def test_a_table_has_the_options_that_its_players_chose(
    matchmaking: ServiceProcess, engine: ServiceProcess, club: Club
) -> None:
    players = await club.players(4, matchmaking)
    options = {"turn_seconds": "60"}
    for player in players[:3]:
        await player.queue(people_only=True, options=options)
    wish: dict[str, Any] = {"or_games": [Game(ruleset_id="qq", options=options)]}
    await players[3].queue(ruleset_id="zsy", people_only=True, **wish)
    [*_, flexible] = await all_seated(players)
    assert (flexible.ruleset_id, dict(flexible.options)) == ("qq", options)
    # The same question still gets the same ticket.
    assert await players[3].queue(ruleset_id="zsy", people_only=True, **wish) == flexible
    assert dict((await view_of(players[3], flexible, club, engine)).options) == options


async def test_play_with_bots_starts_at_once(matchmaking: ServiceProcess, club: Club) -> None:
    players = await club.players(2, matchmaking)
    for player in players:
        await player.queue(bots_after_ms=None, mode=TICKET_MODE_BOTS)
    one, other = await all_seated(players)
    assert one.table_id != other.table_id
    assert sum(name.startswith("bot:") for name in one.players) == 3


async def test_a_seat_is_free_when_its_table_is_over_and_the_four_play_again(
    matchmaking: ServiceProcess, engine: ServiceProcess, club: Club
) -> None:
    players = await club.players(4, matchmaking)
    for player in players:
        await player.queue(people_only=True)
    tickets = await all_seated(players)
    table_id = tickets[0].table_id
    assert (await players[0].ticket("")).table_id == table_id
    with pytest.raises(grpc.aio.AioRpcError, match=f"shuangkou play --table {table_id} --name"):
        await players[0].queue("next")
    assert await refused(players[0].queue("next")) == "match/already_seated"
    assert await refused(players[0].rematch(table_id)) == "match/still_played"
    assert await refused(players[0].rematch("none")) == "match/unknown_table"
    for player, ticket in zip(players, tickets, strict=True):
        # Whoever leaves for good is free; when all have, the match is over.
        await leave_for_good(player, ticket.table_id, ticket.seat, club.channel(engine))
    for player in players[:3]:
        assert (await player.rematch(table_id)).state == TICKET_STATE_WAITING
    await players[3].rematch(table_id)
    again = await all_seated(players, "again")
    assert len({ticket.table_id for ticket in again} | {table_id}) == 2
    assert [ticket.seat for ticket in again] == [ticket.seat for ticket in tickets]


async def test_a_rematch_to_which_not_all_come_lapses(
    launcher: Launcher, engine: ServiceProcess, club: Club
) -> None:
    settings = {"ready_check_seconds": "0", "rematch_seconds": "1"}
    replica = await launcher.start("matchmaking", engine_target=engine.target, **settings)
    players = await club.players(4, replica)
    for player in players:
        await player.queue(people_only=True)
    first = (await all_seated(players))[0]
    await leave_for_good(players[0], first.table_id, first.seat, club.channel(engine))
    await players[0].rematch(first.table_id)
    assert (await players[0].in_state(TICKET_STATE_CANCELLED, "again")).refusal == "match/lapsed"


async def test_who_leaves_three_tables_for_good_in_a_day_pauses_from_ranked_play(
    matchmaking: ServiceProcess, engine: ServiceProcess, club: Club, bus: Bus
) -> None:
    alice = await club.player("alice", matchmaking)
    for number in range(3):
        await alice.queue(f"t{number}", bots_after_ms=None, mode=TICKET_MODE_BOTS)
        seated = await alice.in_state(TICKET_STATE_MATCHED, f"t{number}")
        await leave_for_good(alice, seated.table_id, seated.seat, club.channel(engine))
    assert await refused(alice.queue("ranked", mode=TICKET_MODE_RANKED)) == "match/ranked_paused"
    await alice.queue("casual", people_only=True)
    record = PlayerRecord.FromString((await Bucket(bus).get(player_key("alice"))).value)
    assert len(record.forfeited_ms) == 3


async def test_the_end_of_a_table_frees_its_players_without_their_asking(
    launcher: Launcher, matchmaking: ServiceProcess, engine: ServiceProcess, club: Club
) -> None:
    await launcher.start("ai_player", engine_target=engine.target)
    alice = await club.player("alice", matchmaking)
    await alice.queue(bots_after_ms=None, mode=TICKET_MODE_BOTS, deals=1)
    seated = await alice.in_state(TICKET_STATE_MATCHED)
    act = ActRequest(table_id=seated.table_id, seat=seated.seat, command_id="host")
    act.host_seat.SetInParent()
    await TableServiceStub(club.channel(engine)).Act(act, metadata=alice.metadata, timeout=15)

    async def free() -> bool:
        return (await alice.ticket()).is_over

    await eventually(free, within=60)


async def test_a_watcher_is_told_its_place_and_the_queues_can_be_seen(
    matchmaking: ServiceProcess, club: Club
) -> None:
    players = await club.players(7, matchmaking)
    for player in players[:6]:
        await player.queue(people_only=True)
    await all_seated(players[:4])
    async for update in players[5].updates():
        if (update.position, update.waiting) == (2, 2):
            # Four waits of next to nothing tell nothing of somebody who waits longer.
            assert not update.HasField("estimated_wait_ms")
            break

    async def queues() -> list[QueueStats]:
        answer = await players[6].stub.GetQueueStats(
            GetQueueStatsRequest(ruleset_id="qq"), metadata=players[6].metadata, timeout=15
        )
        return list(answer.queues)

    [stats] = await queues()
    assert (stats.ruleset_id, stats.mode, stats.waiting) == ("qq", TICKET_MODE_CASUAL, 2)

    async def are_waits_told() -> bool:
        return (await queues())[0].HasField("usual_wait_ms")

    await eventually(are_waits_told, within=30)


async def test_who_waits_is_told_how_long_others_like_it_waited(
    matchmaking: ServiceProcess, club: Club
) -> None:
    """Four were seated with bots after seconds; nobody is told that it will be sooner than now."""
    players = await club.players(5, matchmaking)
    for number, player in enumerate(players[:4]):
        await player.queue(bots_after_ms=8_000, region=f"r{number}")
    seated = await all_seated(players[:4])
    longest_ms = max(ticket.ended_ms - ticket.created_ms for ticket in seated)
    await players[4].queue(bots_after_ms=600_000, region="r9")
    async for update in players[4].updates():
        assert update.ticket.state == TICKET_STATE_WAITING
        if update.HasField("estimated_wait_ms"):
            assert 0 < update.estimated_wait_ms <= longest_ms
            break


async def test_reads_see_what_was_written_through_another_replica(
    launcher: Launcher, engine: ServiceProcess, club: Club
) -> None:
    replicas = await launcher.start_all("matchmaking", 2, engine_target=engine.target)
    here, there = [await club.player("alice", replica) for replica in replicas]
    for number in range(20):
        made = await here.queue(f"t{number}", people_only=True)
        assert await there.ticket(f"t{number}") == made
        assert await there.queue(f"t{number}", people_only=True) == made
        cancelled = await there.cancel(f"t{number}")
        assert await here.ticket(f"t{number}") == cancelled


async def test_bad_wishes_are_refused_each_with_its_code(matchmaking: ServiceProcess, club: Club) -> None:
    alice = await club.player("alice", matchmaking)
    bad: list[tuple[str, dict[str, Any]]] = [
        ("match/unknown_mode", {"mode": 99}),
        ("match/ranked_options", {"mode": TICKET_MODE_RANKED, "options": {"turn_seconds": "60"}}),
        ("match/no_people", {"mode": TICKET_MODE_BOTS, "people_only": True}),
        ("ruleset/bad_option", {"options": {"turn_seconds": "x"}}),
        ("ruleset/bad_option", {"options": {"nope": "1"}}),
        ("ruleset/unknown", {"or_games": [Game(ruleset_id="nope")]}),
        ("match/bad_deals", {"or_games": [Game(ruleset_id="qq", deals=101)]}),
        ("match/too_many_games", {"or_games": [Game(ruleset_id="qq")] * 9}),
        ("match/bad_partner", {"partner_id": "alice"}),
        ("match/bad_partner", {"partner_id": "阿明"}),
        ("match/no_partners", {"partner_id": "bob", "ruleset_id": "duel52"}),
        ("match/too_many_avoided", {"avoided": [f"p{n}" for n in range(51)]}),
        ("match/bad_avoided", {"avoided": ["a b"]}),
        ("match/bad_avoided", {"avoided": ["bob"], "partner_id": "bob"}),
        ("match/bad_region", {"region": "Mars!"}),
        ("match/rematch_only", {"rematch_of": "x"}),
    ]
    for code, wish in bad:
        assert await refused(alice.queue(**wish)) == code, wish
    assert await refused(alice.answer()) == "match/unknown_ticket"
    await alice.queue(people_only=True)
    assert await refused(alice.answer()) == "match/not_asked"


@pytest.mark.parametrize("is_engine_back_first", [True, False])
async def test_a_replica_killed_between_claim_and_table_leaves_its_players_seated_or_waiting(
    launcher: Launcher, engine: ServiceProcess, club: Club, is_engine_back_first: bool
) -> None:
    """The engine says nothing while the claim is made; another replica takes up what is left."""
    settings = {"engine_target": engine.target, "ready_check_seconds": "0"}
    victim = await launcher.start("matchmaking", **settings)
    players = await club.players(4, victim)
    made = [await player.queue(people_only=True) for player in players[:3]]
    with engine.frozen():
        made.append(await players[3].queue(people_only=True))

        async def claimed() -> bool:
            ticket = await players[0].ticket()
            return ticket.state == TICKET_STATE_CLAIMED or ticket.returns > 0

        await eventually(claimed, within=30)
        victim.kill()
        survivor = None if is_engine_back_first else await launcher.start("matchmaking", **settings)
    survivor = survivor or await launcher.start("matchmaking", **settings)
    players = await club.players(4, survivor)
    tickets = await all_seated(players)
    assert len({ticket.table_id for ticket in tickets}) == 1
    assert [ticket.created_ms for ticket in tickets] == [ticket.created_ms for ticket in made]
    for player, ticket in zip(players, tickets, strict=True):
        view = await view_of(player, ticket, club, engine)
        assert view.seats[ticket.seat].occupant.player_id == player.name
