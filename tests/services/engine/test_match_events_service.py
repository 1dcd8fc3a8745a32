"""Events (赛事) as clients of real engines use them: looked up, asked for, played to their end."""

from __future__ import annotations

from typing import Any

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
from shuangkou.rules.match_events import available_events, load_event, suitable_rulesets
from shuangkou.v1.events_pb2 import (
    EVENT_REASON_DEAL,
    EVENT_REASON_THINKING,
    EVENT_REASON_TOTALS,
    VOID_REASON_TIME_UP,
    EventTerms,
    MatchFinished,
)
from shuangkou.v1.table_pb2 import (
    TABLE_PHASE_FINISHED,
    CreateTableRequest,
    GetMatchEventRequest,
    ListMatchEventsRequest,
    SeatView,
)
from shuangkou.wire.match_events import match_event_to_wire

TIMEOUT = 20.0
ELDERS = EventTerms(event_id="ev_elder")
BLITZ = EventTerms(event_id="ev_elder", options={"deal_seconds": "5"})
ROUND = EventTerms(event_id="ev_swiss", options={"max_deals": "1"})
BOTS = ("bot:plain",) * 4


def is_over(view: SeatView) -> bool:
    return view.phase == TABLE_PHASE_FINISHED


async def match_end(bus: Bus, table_id: str) -> MatchFinished | None:
    """How the match ended, if it has."""
    for commit in await stored_commits(bus, table_id):
        for event in commit.events:
            if event.HasField("match_finished"):
                return event.match_finished
    return None


async def test_events_are_listed_and_shown(clients: Clients) -> None:
    alice = clients.player("alice")
    listed = await alice.stub.ListMatchEvents(
        ListMatchEventsRequest(), metadata=alice.metadata, timeout=TIMEOUT
    )
    assert [event.id for event in listed.events] == list(available_events())
    for event in listed.events:
        shown = await alice.stub.GetMatchEvent(
            GetMatchEventRequest(event_id=event.id), metadata=alice.metadata, timeout=TIMEOUT
        )
        assert shown.event == event == match_event_to_wire(load_event(event.id))
        assert tuple(event.suitable_ruleset_ids) == suitable_rulesets(load_event(event.id))
        assert event.description.zh
    request = GetMatchEventRequest(event_id="ev_other")
    assert told(await alice.refused("GetMatchEvent", request)) == (
        grpc.StatusCode.NOT_FOUND,
        "event/unknown",
    )


@pytest.mark.parametrize(
    ("terms", "status", "code"),
    [
        ({"event": EventTerms()}, grpc.StatusCode.NOT_FOUND, "event/unknown"),
        ({"event": EventTerms(event_id="ev_\0")}, grpc.StatusCode.NOT_FOUND, "event/unknown"),
        ({"event": ELDERS, "ruleset_id": "jj"}, grpc.StatusCode.INVALID_ARGUMENT, "event/unsuitable_ruleset"),
        ({"event": ELDERS, "deals": 2}, grpc.StatusCode.INVALID_ARGUMENT, "event/counts_deals"),
        (
            {"event": EventTerms(event_id="ev_swiss", options={"round": "4"})},
            grpc.StatusCode.INVALID_ARGUMENT,
            "event/bad_option",
        ),
        (
            {"event": EventTerms(event_id="ev_swiss", options={"牌": "4"})},
            grpc.StatusCode.INVALID_ARGUMENT,
            "event/bad_option",
        ),
    ],
)
async def test_an_event_that_a_table_cannot_be_in_is_refused(
    clients: Clients, terms: dict[str, Any], status: grpc.StatusCode, code: str
) -> None:
    request = CreateTableRequest(command_id=new_command_id(), **({"ruleset_id": "qq"} | terms))
    assert told(await clients.player("alice").refused("CreateTable", request)) == (status, code)


async def test_the_same_opening_in_another_event_is_another_opening(clients: Clients) -> None:
    alice, command_id = clients.player("alice"), new_command_id()
    table_id = await alice.create("alice", command_id=command_id, event=ROUND)
    assert await alice.create("alice", command_id=command_id, event=ROUND) == table_id
    for event in (None, ELDERS, EventTerms(event_id="ev_swiss")):
        request = CreateTableRequest(command_id=command_id, ruleset_id="qq", event=event)
        code = "request/command_id_reused"
        assert told(await alice.refused("CreateTable", request)) == (grpc.StatusCode.INVALID_ARGUMENT, code)


async def play_through(service: Caller, table_id: str) -> SeatView:
    return await play_until(dict.fromkeys(range(4), service), table_id, is_over)


@pytest.mark.parametrize(("terms", "reason"), [(ELDERS, EVENT_REASON_DEAL), (ROUND, EVENT_REASON_TOTALS)])
async def test_a_match_lasts_until_its_event_says_who_won(
    clients: Clients, engines_bus: Bus, terms: EventTerms, reason: int
) -> None:
    """Level deals are played again, on whichever engine."""
    here, there = clients.service(engine=0), clients.service(engine=1)
    table_id = await here.create(*BOTS, event=terms)
    view = await play_through(here, table_id)
    outcome = view.event.outcome
    assert view.event.terms == outcome.terms == terms
    assert (view.next.bell_ms, view.deals) == (0, 0)
    if outcome.drawn_deals < 3:
        assert outcome.reason == reason
    totals = [seat.total for seat in view.seats]
    assert list(outcome.side_totals) == [totals[0] + totals[2], totals[1] + totals[3]]
    finished = await match_end(engines_bus, table_id)
    assert finished is not None
    assert finished.event == outcome
    assert list(finished.totals) == totals
    commits = await stored_commits(engines_bus, table_id)
    kinds = [event.WhichOneof("event") for commit in commits for event in commit.events]
    assert kinds.count("deal_settled") == view.deal_number
    assert all(commit.next.bell_ms for commit in commits if "deal_started" in str(commit.events))
    assert (await there.view(table_id)).event == view.event


async def test_the_bell_rings_without_anybody_asking(clients: Clients, engines_bus: Bus) -> None:
    """Nobody plays, so that one seat alone has thought; a player of the other side wins."""
    people = clients.people()
    table_id = await clients.service().create(*PEOPLE, event=BLITZ, deal_pause_ms=0)
    view = await play_until(people, table_id, is_dealt)
    leader = turn_of(view)
    assert leader is not None
    assert view.next.deadline_ms == view.next.bell_ms

    async def ended() -> MatchFinished | None:
        return await match_end(engines_bus, table_id)

    finished = await eventually(ended, within=30)
    assert (finished.event.reason, finished.event.winner) == (EVENT_REASON_THINKING, 1 - leader % 2)
    assert finished.event.think_ms[leader] >= 5000
    last = (await stored_commits(engines_bus, table_id))[-1]
    assert (last.actor, last.events[0].deal_voided.reason) == ("engine", VOID_REASON_TIME_UP)
    assert last.time_ms >= view.next.bell_ms
    view = await people[0].view(table_id)
    assert (view.phase, view.last_void.reason) == (TABLE_PHASE_FINISHED, VOID_REASON_TIME_UP)


async def test_time_that_passes_on_another_engine_counts(clients: Clients) -> None:
    """Whoever reads the log knows who has thought how long."""
    here, there = clients.people(0), clients.people(1)
    table_id = await clients.service().create(*PEOPLE, event=ELDERS)
    view = await play_until(here, table_id, is_dealt)
    for callers in (there, here, there):
        await play_one(callers, table_id, await callers[0].view(table_id))
    view, other = await here[0].view(table_id), await there[0].view(table_id)
    assert view.event == other.event
    assert sum(view.event.think_ms) > 0
