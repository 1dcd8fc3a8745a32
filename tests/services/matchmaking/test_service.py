"""The process `python -m shuangkou.matchmaking`, from ticket to table."""

from __future__ import annotations

import asyncio
from urllib.request import urlopen

import grpc
import pytest

from kit.keys import Keys
from kit.queueing import Club, Player, matches_published, refused
from kit.service_process import Launcher, ServiceProcess
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus
from shuangkou.matchmaking.bucket import Bucket
from shuangkou.matchmaking.store import Change, player_key
from shuangkou.v1.events_pb2 import EventTerms
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_STATE_CANCELLED,
    TICKET_STATE_CLAIMED,
    TICKET_STATE_MATCHED,
    TICKET_STATE_WAITING,
    PlayerRecord,
    Ticket,
)
from shuangkou.v1.table_pb2 import GetTableRequest, SeatView
from shuangkou.v1.table_pb2_grpc import TableServiceStub


async def table_seen_by(player: Player, ticket: Ticket, engine: ServiceProcess) -> SeatView:
    """The ticket's table as its player sees it."""
    async with grpc.aio.insecure_channel(engine.target) as channel:
        request = GetTableRequest(table_id=ticket.table_id, seat=ticket.seat)
        answer = await TableServiceStub(channel).GetTable(request, metadata=player.metadata, timeout=10)
        return answer.view


def names_at(view: SeatView) -> list[str]:
    """Who sits at a table, in seat order."""
    return [seat.occupant.player_id or f"bot:{seat.occupant.persona}" for seat in view.seats]


async def test_four_players_become_a_table(
    matchmaking: ServiceProcess, engine: ServiceProcess, club: Club, bus: Bus
) -> None:
    players = await club.players(4, matchmaking)
    for player in players[:3]:
        assert (await player.queue(deals=2)).state == TICKET_STATE_WAITING
    histories = [asyncio.create_task(player.watch()) for player in players[:3]]
    await players[3].queue(deals=2)
    for player, shown in zip(players[:3], await asyncio.gather(*histories), strict=True):
        states = list(dict.fromkeys(ticket.state for ticket in shown))
        assert states == sorted(states)
        assert (states[0], states[-1]) in {
            (TICKET_STATE_WAITING, TICKET_STATE_MATCHED),
            (TICKET_STATE_CLAIMED, TICKET_STATE_MATCHED),
            (TICKET_STATE_MATCHED, TICKET_STATE_MATCHED),
        }
        assert shown[-1] == await player.ticket()
    tickets = {player.name: (await player.watch())[-1] for player in players}
    assert sorted(ticket.seat for ticket in tickets.values()) == [0, 1, 2, 3]
    view = await table_seen_by(players[0], tickets["p0"], engine)
    assert (view.deals, len(view.hand)) == (2, 27)
    assert names_at(view) == sorted(tickets, key=lambda name: tickets[name].seat)
    [matched] = await matches_published(bus)
    assert (matched.table_id, list(matched.players)) == (view.table_id, names_at(view))
    assert len(matched.waited_ms) == 4


async def test_bots_fill_the_table_when_the_time_has_come(
    matchmaking: ServiceProcess, engine: ServiceProcess, club: Club, bus: Bus
) -> None:
    early, late = await club.player("early", matchmaking), await club.player("late", matchmaking)
    waits = await early.queue(people_only=True)
    assert waits.bots_at_ms == 0
    ticket = await late.queue(bots_after_ms=300)
    assert ticket.bots_at_ms == ticket.created_ms + 300
    seated = (await late.watch())[-1]
    names = names_at(await table_seen_by(late, seated, engine))
    assert names[seated.seat] == "late"
    assert sum(name.startswith("bot:") for name in names) == 3
    [matched] = await matches_published(bus)
    assert matched.waited_ms[0] >= 300
    assert (await early.ticket()).state == TICKET_STATE_WAITING


async def test_who_asks_for_bots_at_once_gets_them(matchmaking: ServiceProcess, club: Club) -> None:
    for number in range(3):
        alice = await club.player(f"alice{number}", matchmaking)
        await alice.queue(bots_after_ms=0)
        assert (await alice.watch())[-1].state == TICKET_STATE_MATCHED
        assert await refused(alice.queue("another", bots_after_ms=0)) == "match/already_seated"


async def test_players_of_one_event_become_a_table_of_it(
    matchmaking: ServiceProcess, engine: ServiceProcess, club: Club, bus: Bus
) -> None:
    second = EventTerms(event_id="ev_swiss", options={"round": "2"})
    written_out = EventTerms(event_id="ev_swiss", options={"round": "2", "max_deals": "100"})
    outsider = await club.player("outsider", matchmaking)
    await outsider.queue()
    players = await club.players(4, matchmaking)
    for player, event in zip(players, (second, written_out) * 2, strict=True):
        ticket = await player.queue(event=event)
        assert (ticket.event, ticket.deals) == (second, 0)
        # The fourth may be matched between two looks at it.
        assert (await player.queue(event=event)).created_ms == ticket.created_ms
    matched = (await players[0].watch())[-1]
    assert matched.state == TICKET_STATE_MATCHED
    view = await table_seen_by(players[0], matched, engine)
    assert view.event.terms == second
    assert sorted(names_at(view)) == ["p0", "p1", "p2", "p3"]
    [told] = await matches_published(bus)
    assert told.event == second
    assert (await outsider.ticket()).state == TICKET_STATE_WAITING
    assert await refused(outsider.queue(event=second)) == "match/ticket_id_reused"


async def test_an_event_that_cannot_be_is_refused_before_anybody_waits_for_it(
    matchmaking: ServiceProcess, club: Club
) -> None:
    alice = await club.player("alice", matchmaking)
    elder, wrong = EventTerms(event_id="ev_elder"), EventTerms(event_id="ev_elder", options={"round": "2"})
    assert await refused(alice.queue(event=EventTerms(event_id="ev_other"))) == "event/unknown"
    assert await refused(alice.queue(event=EventTerms())) == "event/unknown"
    assert await refused(alice.queue(event=wrong)) == "event/bad_option"
    assert await refused(alice.queue(ruleset_id="jj", event=elder)) == "event/unsuitable_ruleset"
    assert await refused(alice.queue(deals=1, event=elder)) == "event/counts_deals"
    assert await refused(alice.queue(ruleset_id="nope", event=elder)) == "ruleset/unknown"
    assert await refused(alice.ticket()) == "match/unknown_ticket"


async def test_what_makes_no_sense_is_refused(matchmaking: ServiceProcess, club: Club, keys: Keys) -> None:
    alice = await club.player("alice", matchmaking)
    bob = await club.player("bob", matchmaking)
    assert await refused(alice.queue(ruleset_id="nope")) == "ruleset/unknown"
    assert await refused(alice.queue(ruleset_id="\0" * 5000)) == "ruleset/unknown"
    for ticket_id in ("", "a b", "a.b", "牌", "x" * 65, "*", ">"):
        assert await refused(alice.queue(ticket_id)) == "match/bad_ticket_id"
        # Without an id it is asked which ticket is held.
        expected = "match/bad_ticket_id" if ticket_id else "match/unknown_ticket"
        assert await refused(alice.ticket(ticket_id)) == expected
    assert await refused(alice.queue(deals=101)) == "match/bad_deals"
    await alice.queue("mine")
    assert await refused(alice.queue("other")) == "match/already_queued"
    for call in (bob.ticket("mine"), bob.cancel("mine"), bob.watch("mine"), alice.ticket("other")):
        assert await refused(call) == "match/unknown_ticket"
    for name in ("阿明", "bot:plain", " ", "a\n\x1b[31mb", "x" * 500, "engine", "scoring"):
        strange = await club.player(name, matchmaking)
        for call in (strange.queue(), strange.ticket(), strange.cancel(), strange.watch()):
            assert await refused(call) == "auth/bad_name"
    service = await club.player("scoring", matchmaking, keys.service("scoring"))
    assert await refused(service.queue()) == "match/players_only"


async def test_a_ticket_is_made_once_and_taken_back_once(matchmaking: ServiceProcess, club: Club) -> None:
    alice = await club.player("alice", matchmaking)
    first = await alice.queue("one")
    assert await alice.queue("one") == first
    others = (
        alice.queue("one", deals=7),
        alice.queue("one", bots_after_ms=1),
        alice.queue("one", people_only=True),
    )
    for other in others:
        assert await refused(other) == "match/ticket_id_reused"
    watching = asyncio.create_task(alice.watch("one"))
    cancelled = await alice.cancel("one")
    assert cancelled.state == TICKET_STATE_CANCELLED
    assert await alice.cancel("one") == cancelled
    assert (await watching)[-1] == cancelled
    assert await alice.queue("one") == cancelled
    await alice.queue("two", bots_after_ms=0)
    await alice.watch("two")
    assert await refused(alice.cancel("two")) == "match/not_waiting"


async def test_ended_tickets_vanish_and_their_ids_are_free_again(
    launcher: Launcher, engine: ServiceProcess, club: Club
) -> None:
    replica = await launcher.start("matchmaking", engine_target=engine.target, ended_ticket_seconds="1")
    alice = await club.player("alice", replica)
    await alice.queue()
    await alice.cancel()

    async def gone() -> bool:
        try:
            await alice.ticket()
        except grpc.aio.AioRpcError as error:
            return error.code() is grpc.StatusCode.NOT_FOUND
        return False

    await eventually(gone)
    assert (await alice.queue()).state == TICKET_STATE_WAITING


async def test_a_table_that_the_engine_refuses_ends_its_tickets_with_the_reason(
    matchmaking: ServiceProcess, club: Club, bus: Bus
) -> None:
    """A ruleset that was withdrawn while the ticket waited."""
    alice = await club.player("alice", matchmaking)
    ticket = Ticket(
        ticket_id="old",
        player_id="alice",
        ruleset_id="withdrawn",
        deals=1,
        state=TICKET_STATE_WAITING,
        created_ms=1,
        bots_at_ms=2,
    )
    record = PlayerRecord(player_id="alice", ticket=ticket)
    await Bucket(bus).put([Change(player_key("alice"), record.SerializeToString(), 0)])
    ended = (await alice.watch("old"))[-1]
    assert (ended.state, ended.refusal) == (TICKET_STATE_CANCELLED, "ruleset/unknown")
    assert (await alice.queue("new")).state == TICKET_STATE_WAITING


async def test_its_metrics_say_how_long_the_queue_is(matchmaking: ServiceProcess, club: Club) -> None:
    players = await club.players(6, matchmaking)
    for player in players:
        await player.queue()

    def scraped() -> bool:
        with urlopen(f"http://127.0.0.1:{matchmaking.metrics_port}/metrics") as page:
            text = page.read().decode()
        return (
            'shuangkou_matchmaking_waiting_tickets{ruleset="qq"} 2.0' in text
            and 'shuangkou_matchmaking_tables_total{bots="0"} 1.0' in text
            and "shuangkou_matchmaking_wait_seconds_count 4.0" in text
            and "shuangkou_matchmaking_quality_ratio_count 1.0" in text
        )

    await eventually(scraped)


@pytest.mark.parametrize("personas", ["", "plain,,tilt", "plain,nobody"])
async def test_a_bad_list_of_personas_is_told_in_one_line(launcher: Launcher, personas: str) -> None:
    with pytest.raises(RuntimeError, match=r"ended with 2:\n.*bad configuration: SHUANGKOU_PERSONAS"):
        await launcher.start("matchmaking", personas=personas)
