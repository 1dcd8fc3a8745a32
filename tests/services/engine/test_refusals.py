"""Whatever a client sends that is wrong gets its own status and code, and changes nothing."""

from __future__ import annotations

from itertools import pairwise

import grpc
import pytest

from kit.positions import Position
from kit.table_clients import (
    PEOPLE,
    Clients,
    decline,
    is_dealt,
    lowest_act,
    new_command_id,
    play,
    play_until,
    refused,
    seated,
    told,
    turn_of,
)
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.ruleset import load
from shuangkou.v1.table_pb2 import (
    ActRequest,
    CreateTableRequest,
    GetRulesetRequest,
    GetTableRequest,
    HostSeat,
    ListLegalActsRequest,
    ReclaimSeat,
    TakeSeat,
)
from shuangkou.wire.cards import cards_from_wire, cards_to_wire

FORBIDDEN = grpc.StatusCode.PERMISSION_DENIED
UNKNOWN = grpc.StatusCode.NOT_FOUND
AGAINST_RULES = grpc.StatusCode.FAILED_PRECONDITION
STALE = grpc.StatusCode.ABORTED
NO_TABLE = "a" * 20


# Against the rules, with the cards and the seat concerned


async def test_acting_out_of_turn(following: Position) -> None:
    other = (following.seat + 1) % 4
    answer = await following.people[other].refused("Act", decline(following.table_id, other))
    assert told(answer) == (AGAINST_RULES, "turn/not_your_turn")
    assert (answer[1].HasField("seat"), answer[1].seat) == (True, other)
    assert answer[1].head_version == following.view.version


async def test_playing_cards_that_the_seat_does_not_hold(leading: Position) -> None:
    hand = leading.view.hand
    missing = next(card for card in range(1, 55) if card not in hand)
    request = play(leading.table_id, leading.seat, [hand[0], missing])  # type: ignore[list-item]  # any number may come over the wire
    answer = await leading.actor.refused("Act", request)
    assert told(answer) == (AGAINST_RULES, "cards/not_held")
    assert (list(answer[1].cards), answer[1].seat) == ([missing], leading.seat)


async def test_playing_a_card_more_often_than_the_seat_holds_it(leading: Position) -> None:
    request = play(leading.table_id, leading.seat, [leading.view.hand[0]] * 3)
    assert told(await leading.actor.refused("Act", request)) == (AGAINST_RULES, "cards/not_held")


async def test_playing_cards_that_make_no_combination(leading: Position) -> None:
    cards = [leading.view.hand[0], leading.view.hand[-1]]
    answer = await leading.actor.refused("Act", play(leading.table_id, leading.seat, cards))
    assert told(answer) == (AGAINST_RULES, "climbing/no_such_combination")
    assert (list(answer[1].cards), answer[1].seat) == (cards, leading.seat)


async def test_playing_all_cards_at_once(leading: Position) -> None:
    answer = await leading.actor.refused("Act", play(leading.table_id, leading.seat, leading.view.hand))
    assert told(answer) == (AGAINST_RULES, "climbing/no_such_combination")


async def test_playing_what_does_not_beat_the_top_play(following: Position) -> None:
    lowest = following.view.hand[0]
    answer = await following.actor.refused("Act", play(following.table_id, following.seat, [lowest]))
    assert told(answer) == (AGAINST_RULES, "climbing/does_not_beat")
    assert (list(answer[1].cards), answer[1].seat) == ([lowest], following.seat)


async def test_playing_another_shape_than_the_top_play(following: Position) -> None:
    table = move_table(load("qq").options)
    hand = cards_from_wire(following.view.hand)
    pairs = [list(pair) for pair in pairwise(hand) if pair[0].rank == pair[1].rank]
    assert table.classify(pairs[0]) is not None
    request = play(following.table_id, following.seat, cards_to_wire(pairs[0]))
    assert told(await following.actor.refused("Act", request)) == (AGAINST_RULES, "climbing/does_not_beat")


async def test_passing_on_an_empty_trick(leading: Position) -> None:
    answer = await leading.actor.refused("Act", decline(leading.table_id, leading.seat))
    assert told(answer) == (AGAINST_RULES, "climbing/pass_on_empty_trick")
    assert (answer[1].HasField("seat"), answer[1].seat) == (True, leading.seat)


async def test_acting_before_the_first_deal(clients: Clients) -> None:
    alice = clients.player("alice")
    table_id = await alice.create("alice")
    answer = await alice.refused("Act", decline(table_id, 0))
    assert told(answer) == (AGAINST_RULES, "state/no_deal_in_progress")


@pytest.mark.parametrize("difference", [-1, 1, 1_000_000])
async def test_acting_on_another_version(following: Position, difference: int) -> None:
    head = following.view.version
    request = decline(following.table_id, following.seat, expected_version=head + difference)
    answer = await following.actor.refused("Act", request)
    assert told(answer) == (STALE, "state/version_ahead" if difference > 0 else "state/stale_version")
    assert answer[1].head_version == head


# Whose seat it is


async def test_acting_for_a_seat_of_somebody_else(following: Position) -> None:
    answer = await following.people[(following.seat + 2) % 4].refused(
        "Act", decline(following.table_id, following.seat)
    )
    assert told(answer) == (FORBIDDEN, "seat/not_yours")
    assert (answer[1].HasField("seat"), answer[1].seat) == (True, following.seat)


async def test_listing_the_acts_of_a_seat_of_somebody_else(following: Position) -> None:
    request = ListLegalActsRequest(table_id=following.table_id, seat=(following.seat + 1) % 4)
    assert told(await following.actor.refused("ListLegalActs", request)) == (FORBIDDEN, "seat/not_yours")


async def test_watching_as_a_seat_of_somebody_else(following: Position) -> None:
    watching = following.actor.watch(following.table_id, seat=(following.seat + 1) % 4)
    assert told(await refused(anext(aiter(watching)))) == (FORBIDDEN, "seat/not_yours")


async def test_a_token_for_nobody_owns_no_bots_seat(clients: Clients) -> None:
    table_id = await clients.service().create(*["bot:plain"] * 4)
    request = GetTableRequest(table_id=table_id, seat=0)
    _, refusal = await clients.player("").refused("GetTable", request)
    assert refusal.code in ("seat/not_yours", "auth/bad_token")


async def test_taking_a_taken_seat(clients: Clients, leading: Position) -> None:
    request = ActRequest(table_id=leading.table_id, seat=1, command_id="sit", take_seat=TakeSeat())
    answer = await clients.player("erin").refused("Act", request)
    assert told(answer) == (AGAINST_RULES, "seat/taken")
    assert answer[1].seat == 1


async def test_sitting_down_twice(clients: Clients) -> None:
    alice = clients.player("alice")
    table_id = await alice.create("alice")
    request = ActRequest(table_id=table_id, seat=1, command_id="sit", take_seat=TakeSeat())
    assert told(await alice.refused("Act", request)) == (AGAINST_RULES, "seat/already_seated")


async def test_a_service_sitting_down(clients: Clients) -> None:
    table_id = await clients.player("alice").create("alice")
    request = ActRequest(table_id=table_id, seat=1, command_id="sit", take_seat=TakeSeat())
    assert told(await clients.service().refused("Act", request)) == (FORBIDDEN, "seat/not_yours")


async def test_reclaiming_a_seat_that_is_not_hosted(leading: Position) -> None:
    request = ActRequest(
        table_id=leading.table_id, seat=leading.seat, command_id="back", reclaim_seat=ReclaimSeat()
    )
    assert told(await leading.actor.refused("Act", request)) == (AGAINST_RULES, "seat/not_hosted")


async def test_hosting_a_hosted_seat(clients: Clients) -> None:
    alice = clients.player("alice")
    table_id = await alice.create("alice")
    request = ActRequest(table_id=table_id, seat=0, command_id="away", host_seat=HostSeat())
    await alice.act(request)
    request.command_id = "away-again"
    assert told(await alice.refused("Act", request)) == (AGAINST_RULES, "seat/already_hosted")


# Unknown things


@pytest.mark.parametrize("table_id", ["", NO_TABLE, "A" * 20, "a" * 5000, "../../etc", "表", "a.*.>"])
async def test_a_table_that_does_not_exist(clients: Clients, table_id: str) -> None:
    alice = clients.player("alice")
    for method, request in (
        ("Act", decline(table_id, 0)),
        ("GetTable", GetTableRequest(table_id=table_id)),
        ("ListLegalActs", ListLegalActsRequest(table_id=table_id)),
    ):
        assert told(await alice.refused(method, request)) == (UNKNOWN, "table/unknown")
    watching = alice.watch(table_id)
    assert told(await refused(anext(aiter(watching)))) == (UNKNOWN, "table/unknown")


@pytest.mark.parametrize("ruleset_id", ["", "nobody", "../qq", "q" * 5000])
async def test_a_ruleset_that_does_not_exist(clients: Clients, ruleset_id: str) -> None:
    alice = clients.player("alice")
    request = CreateTableRequest(command_id=new_command_id(), ruleset_id=ruleset_id, seats=seated("alice"))
    assert told(await alice.refused("CreateTable", request)) == (UNKNOWN, "ruleset/unknown")
    asked = GetRulesetRequest(ruleset_id=ruleset_id)
    assert told(await alice.refused("GetRuleset", asked)) == (UNKNOWN, "ruleset/unknown")


async def test_a_view_of_a_version_to_come(leading: Position) -> None:
    request = GetTableRequest(table_id=leading.table_id, at_least_version=99)
    answer = await leading.actor.refused("GetTable", request)
    assert told(answer) == (STALE, "state/version_ahead")
    assert answer[1].head_version == leading.view.version


async def test_a_stream_from_a_version_to_come(leading: Position) -> None:
    watching = leading.actor.watch(leading.table_id, after=leading.view.version + 1)
    answer = await refused(anext(aiter(watching)))
    assert told(answer) == (STALE, "state/version_ahead")
    assert answer[1].head_version == leading.view.version


async def test_a_refused_command_does_not_use_up_its_id(clients: Clients) -> None:
    people = clients.people()
    table_id = await clients.service().create(*PEOPLE)
    seat = turn_of(await play_until(people, table_id, is_dealt))
    assert seat is not None
    follower = (seat + 1) % 4
    early = decline(table_id, follower)
    assert told(await people[follower].refused("Act", early)) == (AGAINST_RULES, "turn/not_your_turn")
    version = await people[seat].act(await lowest_act(people[seat], table_id, seat))
    assert await people[follower].act(early) == version + 1
