"""Whatever a client sends that is wrong gets its own status and code, and changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import grpc
import pytest

from kit.keys import Keys
from kit.table_clients import (
    CALL_SECONDS,
    PEOPLE,
    Caller,
    Clients,
    decline,
    is_dealt,
    lowest_act,
    new_command_id,
    play,
    play_until,
    refused,
    seated,
    turn_of,
)
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.ruleset import load
from shuangkou.v1.errors_pb2 import Refusal
from shuangkou.v1.table_pb2 import (
    ActRequest,
    CreateTableRequest,
    GetRulesetRequest,
    GetTableRequest,
    HostSeat,
    ListLegalActsRequest,
    Occupant,
    ReclaimSeat,
    SeatAssignment,
    SeatView,
    TakeSeat,
    WatchTableRequest,
)
from shuangkou.wire.cards import cards_from_wire, cards_to_wire

INVALID = grpc.StatusCode.INVALID_ARGUMENT
FORBIDDEN = grpc.StatusCode.PERMISSION_DENIED
UNKNOWN = grpc.StatusCode.NOT_FOUND
AGAINST_RULES = grpc.StatusCode.FAILED_PRECONDITION
STALE = grpc.StatusCode.ABORTED
TOO_MUCH = grpc.StatusCode.RESOURCE_EXHAUSTED
NO_TABLE = "a" * 20


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


async def view_of_actor(clients: Clients, table_id: str) -> Position:
    people = clients.people()
    seat = turn_of(await people[0].view(table_id))
    assert seat is not None
    return Position(table_id, people, await people[seat].view(table_id, seat))


@pytest.fixture
async def leading(clients: Clients) -> AsyncIterator[Position]:
    """Nobody has played yet. Whatever the test does must leave the table as it is."""
    table_id = await clients.service().create(*PEOPLE)
    await play_until(clients.people(), table_id, is_dealt)
    position = await view_of_actor(clients, table_id)
    yield position
    assert await position.actor.view(table_id, position.seat) == position.view


@pytest.fixture
async def following(clients: Clients) -> AsyncIterator[Position]:
    """The leader has played its highest single. Whatever the test does must leave the table as it is."""
    table_id = await clients.service().create(*PEOPLE)
    await play_until(clients.people(), table_id, is_dealt)
    leader = await view_of_actor(clients, table_id)
    await leader.actor.act(play(table_id, leader.seat, [leader.view.hand[-1]]))
    position = await view_of_actor(clients, table_id)
    yield position
    assert await position.actor.view(table_id, position.seat) == position.view


async def act_refused(position: Position, request: ActRequest) -> tuple[grpc.StatusCode, Refusal]:
    return await position.actor.refused("Act", request)


def told(answer: tuple[grpc.StatusCode, Refusal]) -> tuple[grpc.StatusCode, str]:
    status, refusal = answer
    assert refusal.explanation
    return status, refusal.code


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
    answer = await act_refused(leading, request)
    assert told(answer) == (AGAINST_RULES, "cards/not_held")
    assert (list(answer[1].cards), answer[1].seat) == ([hand[0], missing], leading.seat)


async def test_playing_a_card_more_often_than_the_seat_holds_it(leading: Position) -> None:
    request = play(leading.table_id, leading.seat, [leading.view.hand[0]] * 3)
    assert told(await act_refused(leading, request)) == (AGAINST_RULES, "cards/not_held")


async def test_playing_cards_that_make_no_combination(leading: Position) -> None:
    cards = [leading.view.hand[0], leading.view.hand[-1]]
    answer = await act_refused(leading, play(leading.table_id, leading.seat, cards))
    assert told(answer) == (AGAINST_RULES, "climbing/no_such_combination")
    assert (list(answer[1].cards), answer[1].seat) == (cards, leading.seat)


async def test_playing_all_cards_at_once(leading: Position) -> None:
    answer = await act_refused(leading, play(leading.table_id, leading.seat, leading.view.hand))
    assert told(answer) == (AGAINST_RULES, "climbing/no_such_combination")


async def test_playing_what_does_not_beat_the_top_play(following: Position) -> None:
    lowest = following.view.hand[0]
    answer = await act_refused(following, play(following.table_id, following.seat, [lowest]))
    assert told(answer) == (AGAINST_RULES, "climbing/does_not_beat")
    assert (list(answer[1].cards), answer[1].seat) == ([lowest], following.seat)


async def test_playing_another_shape_than_the_top_play(following: Position) -> None:
    table = move_table(load("qq").options)
    hand = cards_from_wire(following.view.hand)
    pairs = [list(pair) for pair in pairwise(hand) if pair[0].rank == pair[1].rank]
    assert table.classify(pairs[0]) is not None
    request = play(following.table_id, following.seat, cards_to_wire(pairs[0]))
    assert told(await act_refused(following, request)) == (AGAINST_RULES, "climbing/does_not_beat")


async def test_passing_on_an_empty_trick(leading: Position) -> None:
    answer = await act_refused(leading, decline(leading.table_id, leading.seat))
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
    answer = await act_refused(following, request)
    assert told(answer) == (STALE, "state/stale_version")
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
    assert told(await act_refused(leading, request)) == (AGAINST_RULES, "seat/not_hosted")


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
    assert told(await leading.actor.refused("GetTable", request)) == (STALE, "state/version_ahead")


async def test_a_stream_from_a_version_to_come(leading: Position) -> None:
    watching = leading.actor.watch(leading.table_id, after=leading.view.version + 1)
    assert told(await refused(anext(aiter(watching)))) == (STALE, "state/version_ahead")


# Malformed acts


@pytest.mark.parametrize("command_id", ["", "x" * 65, "a b", "käse", "a\n", "命令", "a/b", "*"])
async def test_a_bad_command_id(leading: Position, command_id: str) -> None:
    answer = await act_refused(leading, decline(leading.table_id, leading.seat, command_id=command_id))
    assert told(answer) == (INVALID, "request/bad_command_id")


@pytest.mark.parametrize("seat", [4, 5, 2**32 - 1])
async def test_a_seat_out_of_range(leading: Position, seat: int) -> None:
    table_id, actor = leading.table_id, leading.actor
    for method, request in (
        ("Act", decline(table_id, seat)),
        ("GetTable", GetTableRequest(table_id=table_id, seat=seat)),
        ("ListLegalActs", ListLegalActsRequest(table_id=table_id, seat=seat)),
    ):
        assert told(await actor.refused(method, request)) == (INVALID, "request/no_such_seat")
    watching = actor.stub.WatchTable(WatchTableRequest(table_id=table_id, seat=seat), metadata=actor.metadata)
    assert told(await refused(anext(aiter(watching)))) == (INVALID, "request/no_such_seat")


async def test_no_command_at_all(leading: Position) -> None:
    request = ActRequest(table_id=leading.table_id, seat=leading.seat, command_id=new_command_id())
    assert told(await act_refused(leading, request)) == (INVALID, "request/no_command")


async def test_playing_no_card(leading: Position) -> None:
    answer = await act_refused(leading, play(leading.table_id, leading.seat, []))
    assert told(answer) == (INVALID, "request/no_cards")


async def test_playing_more_cards_than_two_packs_have(leading: Position) -> None:
    answer = await act_refused(leading, play(leading.table_id, leading.seat, leading.view.hand[:1] * 109))
    assert told(answer) == (INVALID, "request/too_many_cards")


@pytest.mark.parametrize("number", [0, 55, -1, 2**31 - 1])
async def test_playing_a_number_that_is_no_card(leading: Position, number: int) -> None:
    request = play(leading.table_id, leading.seat, [leading.view.hand[0], number])  # type: ignore[list-item]  # any number may come over the wire
    assert told(await act_refused(leading, request)) == (INVALID, "request/no_such_card")


# Malformed openings


def opening(**terms: Any) -> CreateTableRequest:
    defaults: dict[str, Any] = {"command_id": new_command_id(), "ruleset_id": "qq", "seats": seated("alice")}
    return CreateTableRequest(**(defaults | terms))


def assigned(seat: int, **occupant: str) -> SeatAssignment:
    return SeatAssignment(seat=seat, occupant=Occupant(**occupant))


OPENINGS: dict[str, tuple[Callable[[], CreateTableRequest], grpc.StatusCode, str]] = {
    "command id": (lambda: opening(command_id="a b"), INVALID, "request/bad_command_id"),
    "unknown option": (lambda: opening(options={"nothing": "1"}), INVALID, "ruleset/bad_option"),
    "option value": (lambda: opening(options={"turn_seconds": "7"}), INVALID, "ruleset/bad_option"),
    "option text": (lambda: opening(options={"turn_seconds": "表" * 99}), INVALID, "ruleset/bad_option"),
    "fixed option": (lambda: opening(options={"decks": "3"}), INVALID, "ruleset/bad_option"),
    "others seated": (lambda: opening(seats=seated("alice", "bob")), FORBIDDEN, "seat/others"),
    "seat": (lambda: opening(seats=[assigned(4, player_id="alice")]), INVALID, "request/no_such_seat"),
    "seat twice": (
        lambda: opening(seats=[assigned(1, player_id="alice"), assigned(1, persona="plain")]),
        INVALID,
        "request/seat_twice",
    ),
    "sitting twice": (lambda: opening(seats=seated("alice", "alice")), INVALID, "request/player_twice"),
    "nobody": (lambda: opening(seats=[SeatAssignment(seat=1)]), INVALID, "request/bad_occupant"),
    "empty player": (lambda: opening(seats=[assigned(1, player_id="")]), INVALID, "request/bad_occupant"),
    "odd persona": (lambda: opening(seats=[assigned(1, persona="a:b")]), INVALID, "request/bad_occupant"),
    "long persona": (lambda: opening(seats=[assigned(1, persona="p" * 65)]), INVALID, "request/bad_occupant"),
    "many seats": (lambda: opening(seats=seated("alice") * 500), INVALID, "request/seat_twice"),
    "deals": (lambda: opening(deals=101), INVALID, "request/bad_deals"),
    "most deals": (lambda: opening(deals=2**32 - 1), INVALID, "request/bad_deals"),
    "pause": (lambda: opening(deal_pause_ms=600_001), INVALID, "request/bad_pause"),
}


@pytest.mark.parametrize("fault", OPENINGS)
async def test_an_opening_with_a_bad(clients: Clients, fault: str) -> None:
    make, status, code = OPENINGS[fault]
    assert told(await clients.player("alice").refused("CreateTable", make())) == (status, code)


# The call itself


def raw(clients: Clients, method: str) -> grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]:
    """Sends bytes as they are."""
    return clients.channels[0].unary_unary(f"/shuangkou.v1.TableService/{method}")


@pytest.mark.parametrize("method", ["CreateTable", "Act", "GetTable", "ListLegalActs", "GetRuleset"])
@pytest.mark.parametrize("payload", [b"\xff\xff\xff", b"\x0a\xff", b"\x0a\x02\xc3\x28"])
async def test_bytes_that_are_no_message(clients: Clients, method: str, payload: bytes) -> None:
    alice = clients.player("alice")
    call = raw(clients, method)(payload, metadata=alice.metadata, timeout=CALL_SECONDS)
    assert told(await refused(call)) == (INVALID, "request/malformed")


async def test_a_message_that_is_too_big(clients: Clients) -> None:
    alice = clients.player("alice")
    for size in (70_000, 3_000_000):
        call = raw(clients, "Act")(b"\x0a" + bytes(size), metadata=alice.metadata, timeout=CALL_SECONDS)
        assert told(await refused(call)) == (TOO_MUCH, "request/too_big")


async def test_a_message_that_is_far_too_big(clients: Clients) -> None:
    call = raw(clients, "Act")(
        bytes(5_000_000), metadata=clients.player("alice").metadata, timeout=CALL_SECONDS
    )
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    assert caught.value.code() is TOO_MUCH


async def test_a_method_that_does_not_exist(clients: Clients) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await raw(clients, "Cheat")(b"", metadata=clients.player("alice").metadata, timeout=CALL_SECONDS)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_call_without_a_deadline(leading: Position) -> None:
    request = decline(leading.table_id, leading.seat)
    call = leading.actor.stub.Act(request, metadata=leading.actor.metadata)
    assert told(await refused(call)) == (INVALID, "request/missing_deadline")


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        ((), "auth/missing_token"),
        ((("authorization", "Basic alice"),), "auth/missing_token"),
        ((("authorization", "Bearer "),), "auth/bad_token"),
        ((("authorization", "Bearer a.b.c"),), "auth/bad_token"),
        ((("authorization", "Bearer " + "x" * 5000),), "auth/bad_token"),
    ],
    ids=["none", "another scheme", "empty", "nonsense", "endless"],
)
async def test_a_token_that_does_not_hold(
    leading: Position, metadata: tuple[tuple[str, str], ...], code: str
) -> None:
    request = decline(leading.table_id, leading.seat)
    stub = leading.actor.stub
    unauthenticated = grpc.StatusCode.UNAUTHENTICATED
    answer = await refused(stub.Act(request, metadata=metadata, timeout=CALL_SECONDS))
    assert told(answer) == (unauthenticated, code)
    watching = stub.WatchTable(WatchTableRequest(table_id=leading.table_id), metadata=metadata)
    assert told(await refused(anext(aiter(watching)))) == (unauthenticated, code)


async def test_a_token_that_has_expired(leading: Position, keys: Keys) -> None:
    metadata = (("authorization", f"Bearer {keys.player(leading.actor.name, ttl_seconds=-10)}"),)
    request = decline(leading.table_id, leading.seat)
    answer = await refused(leading.actor.stub.Act(request, metadata=metadata, timeout=CALL_SECONDS))
    assert told(answer) == (grpc.StatusCode.UNAUTHENTICATED, "auth/expired_token")


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
