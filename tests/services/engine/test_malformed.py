"""What means nothing is refused at the boundary, each fault with its own code, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest

from kit.keys import Keys
from kit.positions import Position
from kit.table_clients import (
    CALL_SECONDS,
    Clients,
    decline,
    new_command_id,
    play,
    refused,
    seated,
    told,
)
from shuangkou.v1.table_pb2 import (
    ActRequest,
    CreateTableRequest,
    GetTableRequest,
    HostSeat,
    ListLegalActsRequest,
    Occupant,
    Pass,
    ReclaimSeat,
    SeatAssignment,
    TakeSeat,
    WatchTableRequest,
)
from shuangkou.wire.names import PERSONAS, RESERVED_NAMES

INVALID = grpc.StatusCode.INVALID_ARGUMENT
FORBIDDEN = grpc.StatusCode.PERMISSION_DENIED
TOO_MUCH = grpc.StatusCode.RESOURCE_EXHAUSTED


# Malformed acts


@pytest.mark.parametrize("command_id", ["", "x" * 65, "a b", "käse", "a\n", "命令", "a/b", "*"])
async def test_a_bad_command_id(leading: Position, command_id: str) -> None:
    answer = await leading.actor.refused(
        "Act", decline(leading.table_id, leading.seat, command_id=command_id)
    )
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
    assert told(await leading.actor.refused("Act", request)) == (INVALID, "request/no_command")


async def test_playing_no_card(leading: Position) -> None:
    answer = await leading.actor.refused("Act", play(leading.table_id, leading.seat, []))
    assert told(answer) == (INVALID, "request/no_cards")


async def test_playing_more_cards_than_two_packs_have(leading: Position) -> None:
    answer = await leading.actor.refused(
        "Act", play(leading.table_id, leading.seat, leading.view.hand[:1] * 109)
    )
    assert told(answer) == (INVALID, "request/too_many_cards")


@pytest.mark.parametrize("number", [0, 55, -1, 2**31 - 1])
async def test_playing_a_number_that_is_no_card(leading: Position, number: int) -> None:
    request = play(leading.table_id, leading.seat, [leading.view.hand[0], number])  # type: ignore[list-item]  # any number may come over the wire
    assert told(await leading.actor.refused("Act", request)) == (INVALID, "request/no_such_card")


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
    "reserved player": (
        lambda: opening(seats=[assigned(1, player_id="engine")]),
        INVALID,
        "request/bad_occupant",
    ),
    "persona": (lambda: opening(seats=[assigned(1, persona="nobody")]), INVALID, "seat/unknown_persona"),
    "long persona": (lambda: opening(seats=[assigned(1, persona="p" * 65)]), INVALID, "seat/unknown_persona"),
    "empty persona": (lambda: opening(seats=[assigned(1, persona="")]), INVALID, "seat/unknown_persona"),
    "many seats": (lambda: opening(seats=seated("alice") * 500), INVALID, "request/seat_twice"),
    "deals": (lambda: opening(deals=101), INVALID, "request/bad_deals"),
    "odd deals": (lambda: opening(ruleset_id="tian5", deals=3), INVALID, "request/bad_deals"),
    "deals beyond the game": (
        lambda: opening(ruleset_id="sixteen_deals", deals=17),
        INVALID,
        "request/bad_deals",
    ),
    "most deals": (lambda: opening(deals=2**32 - 1), INVALID, "request/bad_deals"),
    "pause": (lambda: opening(deal_pause_ms=600_001), INVALID, "request/bad_pause"),
}


@pytest.mark.parametrize("fault", OPENINGS)
async def test_an_opening_with_a_bad(clients: Clients, fault: str) -> None:
    make, status, code = OPENINGS[fault]
    assert told(await clients.player("alice").refused("CreateTable", make())) == (status, code)


async def test_an_unknown_persona_is_told_the_known_ones(clients: Clients) -> None:
    _, refusal = await clients.player("alice").refused(
        "CreateTable", opening(seats=[assigned(1, persona="nobody")])
    )
    assert all(persona in refusal.explanation for persona in PERSONAS)
    assert refusal.seat == 1


# Who asks


@pytest.mark.parametrize(
    "name", ["bot:plain", " ", "阿明", "a\n\x1b[31mb", "x" * 500, *sorted(RESERVED_NAMES)]
)
async def test_nobody_acts_under_a_name_that_no_player_may_have(clients: Clients, name: str) -> None:
    """`engine` above all, which would use up the ids of the engine's own commands."""
    table_id = await clients.player("alice").create("alice")
    strange = clients.player(name)
    acts: tuple[dict[str, Any], ...] = (
        {"take_seat": TakeSeat()},
        {"host_seat": HostSeat()},
        {"reclaim_seat": ReclaimSeat()},
        {"pass_turn": Pass()},
    )
    for act in acts:
        request = ActRequest(table_id=table_id, seat=1, command_id="due:1", **act)
        assert told(await strange.refused("Act", request)) == (FORBIDDEN, "auth/bad_name")
    assert told(await strange.refused("CreateTable", opening())) == (FORBIDDEN, "auth/bad_name")
    assert (await clients.player("alice").view(table_id)).version == 1


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
