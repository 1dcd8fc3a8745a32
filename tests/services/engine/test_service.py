"""Tables over gRPC, from their opening to the settlement."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from kit.engines import Engines, stored_commits
from kit.table_clients import (
    PEOPLE,
    Caller,
    Clients,
    decline,
    is_dealt,
    lowest_act,
    new_command_id,
    play,
    play_one,
    play_until,
    refused,
    turn_of,
)
from shuangkou.chassis.nats import Bus
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS
from shuangkou.v1.table_pb2 import (
    TABLE_PHASE_BETWEEN_DEALS,
    TABLE_PHASE_FINISHED,
    TABLE_PHASE_SEATING,
    ActRequest,
    GetRulesetRequest,
    GetTableRequest,
    HostSeat,
    ListRulesetsRequest,
    ReclaimSeat,
    TakeSeat,
)
from shuangkou.wire.cards import cards_from_wire
from shuangkou.wire.families import codec_for
from shuangkou.wire.rulesets import ruleset_to_wire

TIMEOUT = 20.0


@pytest.fixture
async def table_id(clients: Clients) -> str:
    """A table of four persons whose deal has started."""
    made = await clients.service().create(*PEOPLE)
    await play_until(clients.people(), made, is_dealt)
    return made


async def test_a_table_is_played_from_its_opening_to_the_settlement(
    clients: Clients, engines: Engines
) -> None:
    people = clients.people()
    table_id = await clients.service().create(*PEOPLE)
    view = await play_until(people, table_id, lambda view: view.phase == TABLE_PHASE_FINISHED)
    settlement = view.last_settlement
    assert list(settlement.players) == list(PEOPLE)
    assert list(settlement.scores) == list(settlement.totals) == [seat.total for seat in view.seats]
    assert sorted(settlement.climbing.finish_order) == [0, 1, 2, 3]
    assert sum(settlement.scores) == 0
    assert not view.next.seats
    assert engines.errors() == []


async def test_a_match_of_three_deals_goes_on_by_itself(clients: Clients, engines_bus: Bus) -> None:
    bots = dict.fromkeys(range(4), clients.service())
    table_id = await clients.service().create(*["bot:plain"] * 4, deals=3)
    view = await play_until(bots, table_id, lambda view: view.phase == TABLE_PHASE_FINISHED)
    assert (view.deal_number, view.deals) == (3, 3)
    commits = await stored_commits(engines_bus, table_id)
    assert [commit.version for commit in commits] == list(range(1, view.version + 1))
    kinds = [event.WhichOneof("event") for commit in commits for event in commit.events]
    assert [kinds.count(kind) for kind in ("deal_started", "deal_settled", "match_finished")] == [3, 3, 1]


@pytest.mark.parametrize(("ruleset_id", "deals"), [("qq", 1), ("duel52", 100), ("multi2", 100)])
async def test_a_match_of_which_nobody_says_the_length_is_as_long_as_its_game(
    clients: Clients, ruleset_id: str, deals: int
) -> None:
    players = load(ruleset_id).options.players
    table_id = await clients.service().create(*PEOPLE[:players], ruleset_id=ruleset_id, deals=0)
    assert (await clients.player("zoe").view(table_id)).deals == deals


async def test_a_pause_between_deals_lasts_as_long_as_asked_for(clients: Clients) -> None:
    bots = dict.fromkeys(range(4), clients.service())
    table_id = await clients.service().create(*["bot:plain"] * 4, deals=2, deal_pause_ms=600_000)
    view = await play_until(
        bots, table_id, lambda view: view.phase == TABLE_PHASE_BETWEEN_DEALS and view.version > 1
    )
    assert not view.next.seats
    assert view.next.deadline_ms > 0
    assert view.deal_number == 1


# What another engine has done meanwhile


async def test_an_engine_that_lags_behind_decides_on_what_the_log_says(
    clients: Clients, table_id: str
) -> None:
    here, there = clients.people(0), clients.people(1)
    await there[0].view(table_id)
    view = await here[0].view(table_id)
    await play_one(here, table_id, view)
    view = await here[0].view(table_id)
    seat = turn_of(view)
    assert seat is not None
    # The other engine still believes that it is the turn of the seat before.
    request = await lowest_act(here[seat], table_id, seat)
    assert await there[seat].act(request) == view.version + 1


async def test_a_seat_taken_on_one_engine_is_known_to_the_other(clients: Clients) -> None:
    table_id = await clients.player("alice").create("alice", "bot:plain", "", "bot:plain")
    there = clients.player("carol", 1)
    assert (await there.view(table_id)).phase == TABLE_PHASE_SEATING
    here = clients.player("carol", 0)
    await here.act(ActRequest(table_id=table_id, seat=2, command_id=new_command_id(), take_seat=TakeSeat()))
    watching = there.watch(table_id, seat=2)
    first = await anext(aiter(watching))
    assert first.snapshot.seats[2].occupant.player_id == "carol"
    watching.cancel()
    await there.act(ActRequest(table_id=table_id, seat=2, command_id=new_command_id(), host_seat=HostSeat()))


# Views


async def test_every_seat_sees_its_own_hand_and_nobody_elses(clients: Clients, table_id: str) -> None:
    people = clients.people()
    hands = [(await people[seat].view(table_id, seat)).hand for seat in SEATS]
    assert [len(hand) for hand in hands] == [27] * 4
    cards = sorted(card for hand in hands for card in cards_from_wire(hand))
    assert cards == sorted([*range(54)] * 2)
    for seat in SEATS:
        for other in SEATS:
            if other != seat:
                request = GetTableRequest(table_id=table_id, seat=other)
                status, refusal = await people[seat].refused("GetTable", request)
                assert (status, refusal.code) == (grpc.StatusCode.PERMISSION_DENIED, "seat/not_yours")


async def test_a_spectator_sees_no_hand(clients: Clients, table_id: str) -> None:
    view = await clients.player("zoe").view(table_id)
    assert not view.hand
    assert [seat.hand_size for seat in view.seats] == [27] * 4
    assert len(view.seed_hash) == 32


async def test_a_service_sees_the_seats_that_bots_play_and_no_others(clients: Clients) -> None:
    service = clients.service()
    table_id = await service.create("alice", "bot:plain", "carol", "bot:plain")
    await play_until(dict.fromkeys(range(4), service), table_id, is_dealt)
    assert len((await service.view(table_id, 1)).hand) == 27
    status, refusal = await service.refused("GetTable", GetTableRequest(table_id=table_id, seat=0))
    assert (status, refusal.code) == (grpc.StatusCode.PERMISSION_DENIED, "seat/not_yours")
    alice = clients.player("alice")
    await alice.act(ActRequest(table_id=table_id, seat=0, command_id=new_command_id(), host_seat=HostSeat()))
    assert len((await service.view(table_id, 0)).hand) == 27
    await alice.act(
        ActRequest(table_id=table_id, seat=0, command_id=new_command_id(), reclaim_seat=ReclaimSeat())
    )
    assert (await service.refused("GetTable", GetTableRequest(table_id=table_id, seat=0)))[1].code == (
        "seat/not_yours"
    )


async def test_a_view_is_at_least_as_new_as_asked_for(clients: Clients, table_id: str) -> None:
    here, there = clients.people(0), clients.people(1)
    await there[0].view(table_id)
    for _ in range(5):
        version = await play_one(here, table_id, await here[0].view(table_id))
        assert (await there[0].view(table_id, at_least=version)).version >= version
    request = GetTableRequest(table_id=table_id, at_least_version=version + 1)
    status, refusal = await there[0].refused("GetTable", request)
    assert (status, refusal.code) == (grpc.StatusCode.ABORTED, "state/version_ahead")


async def test_every_listed_act_is_accepted_and_has_the_announced_combination(
    clients: Clients, table_id: str
) -> None:
    people = clients.people()
    for turn in range(30):
        view = await people[0].view(table_id)
        seat = turn_of(view)
        assert seat is not None
        legal = await people[seat].legal(table_id, seat, limit=2000)
        assert (legal.version, legal.total_count) == (view.version, len(legal.plays))
        assert legal.may_pass == bool(view.climbing.trick)
        if legal.plays and turn % 3:
            chosen = legal.plays[turn * 7 % len(legal.plays)]
            await people[seat].act(play(table_id, seat, chosen.cards, expected_version=legal.version))
            history = (await people[seat].view(table_id)).climbing.history
            assert history[-1].combination == chosen.combination
        else:
            await play_one(people, table_id, view)


async def test_a_seat_that_is_not_to_act_has_no_legal_acts(clients: Clients, table_id: str) -> None:
    people = clients.people()
    seat = turn_of(await people[0].view(table_id))
    assert seat is not None
    other = (seat + 1) % 4
    legal = await people[other].legal(table_id, other)
    assert (legal.may_pass, list(legal.plays), legal.total_count) == (False, [], 0)


async def test_no_more_acts_are_listed_than_asked_for(clients: Clients, table_id: str) -> None:
    people = clients.people()
    seat = turn_of(await people[0].view(table_id))
    assert seat is not None
    legal = await people[seat].legal(table_id, seat, limit=3)
    assert len(legal.plays) == 3
    assert legal.total_count > 3


# Hosting


async def act_as(caller: Caller, table_id: str, seat: int, **command: Any) -> int:
    return await caller.act(ActRequest(table_id=table_id, seat=seat, command_id=new_command_id(), **command))


async def test_only_its_person_hosts_and_reclaims_a_seat(clients: Clients, table_id: str) -> None:
    alice, bob, service = clients.player("alice"), clients.player("bob"), clients.service()

    async def code(caller: Caller, **command: Any) -> str:
        request = ActRequest(table_id=table_id, seat=0, command_id=new_command_id(), **command)
        return (await caller.refused("Act", request))[1].code

    assert await code(bob, host_seat=HostSeat()) == "seat/not_yours"
    assert await code(service, host_seat=HostSeat()) == "seat/not_yours"
    await act_as(alice, table_id, 0, host_seat=HostSeat())
    assert (await bob.view(table_id)).seats[0].hosted
    assert await code(bob, reclaim_seat=ReclaimSeat()) == "seat/not_yours"
    assert await code(service, reclaim_seat=ReclaimSeat()) == "seat/not_yours"
    await act_as(alice, table_id, 0, reclaim_seat=ReclaimSeat())
    assert not (await bob.view(table_id)).seats[0].hosted


async def test_a_service_plays_a_hosted_seat_until_its_person_acts(clients: Clients, table_id: str) -> None:
    people, service = clients.people(), clients.service()
    seat = turn_of(await people[0].view(table_id))
    assert seat is not None
    await act_as(people[seat], table_id, seat, host_seat=HostSeat())
    await service.act(await lowest_act(service, table_id, seat))
    assert (await service.view(table_id)).seats[seat].hosted
    await play_until(people, table_id, lambda view: turn_of(view) == seat)
    await people[seat].act(await lowest_act(people[seat], table_id, seat))
    assert not (await service.view(table_id)).seats[seat].hosted


async def test_a_service_may_not_act_for_a_person(clients: Clients, table_id: str) -> None:
    seat = turn_of(await clients.service().view(table_id))
    assert seat is not None
    _, refusal = await clients.service().refused("Act", decline(table_id, seat))
    assert refusal.code == "seat/not_yours"


# Rulesets


async def test_rulesets_are_listed_with_all_their_options(clients: Clients) -> None:
    caller = clients.player("alice")
    answer = await caller.stub.ListRulesets(ListRulesetsRequest(), metadata=caller.metadata, timeout=TIMEOUT)
    assert ruleset_to_wire(load("qq")) in answer.rulesets
    assert [ruleset.id for ruleset in answer.rulesets] == sorted(ruleset.id for ruleset in answer.rulesets)


async def test_one_ruleset_can_be_asked_for(clients: Clients) -> None:
    caller = clients.player("alice")
    request = GetRulesetRequest(ruleset_id="qq")
    answer = await caller.stub.GetRuleset(request, metadata=caller.metadata, timeout=TIMEOUT)
    whole = ruleset_to_wire(load("qq"))
    codec_for(load("qq")).put_rulebook(whole, load("qq"))
    assert answer.ruleset == whole
    assert [row.name.zh for row in answer.ruleset.ladder][:4] == ["单张", "对子", "三张", "顺子"]
    assert answer.ruleset.scoring[0].value == "+4 +4 -4 -4"
    status, refusal = await caller.refused("GetRuleset", GetRulesetRequest(ruleset_id="nobody"))
    assert (status, refusal.code) == (grpc.StatusCode.NOT_FOUND, "ruleset/unknown")


async def test_the_table_plays_by_its_own_options(clients: Clients) -> None:
    alice = clients.player("alice")
    table_id = await alice.create(
        "alice", *["bot:plain"] * 3, options={"joker_bomb_mult": "4", "turn_seconds": "60"}
    )
    assert dict((await alice.view(table_id)).options) == {"joker_bomb_mult": "4", "turn_seconds": "60"}


async def test_a_call_without_a_token_is_refused(clients: Clients) -> None:
    stub = clients.player("alice").stub
    status, refusal = await refused(stub.ListRulesets(ListRulesetsRequest(), timeout=TIMEOUT))
    assert (status, refusal.code) == (grpc.StatusCode.UNAUTHENTICATED, "auth/missing_token")
