"""Whatever is wrong with a request to matchmaking has a code of its own: every rpc, every field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from kit.keys import Keys
from kit.queueing import Club
from kit.service_process import ServiceProcess, refusal_in
from shuangkou.v1 import matchmaking_pb2, rooms_pb2
from shuangkou.v1.events_pb2 import EventTerms
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_BOTS,
    TICKET_MODE_RANKED,
    CreateTicketRequest,
    Game,
    GetQueueStatsRequest,
)
from shuangkou.v1.rooms_pb2 import (
    AddRoomBot,
    ArrangeRoomRequest,
    CreateRoomRequest,
    JoinRoomRequest,
    SayInRoomRequest,
    SwapRoomSeats,
)

_ROOM = "123456"
_QQ: dict[str, Any] = {"ticket_id": "t", "ruleset_id": "qq"}
_HUGE = 2**32 - 1
_ANY_VALUE = {("CreateRoomRequest", "allows_spectators")}
"""Fields with no bad value."""

INVALID, NOT_FOUND = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND
Case = tuple[str, Message, str, grpc.StatusCode, str]
"""An rpc, a request, the field that is wrong, and the answer."""

GAMES: list[tuple[str, dict[str, Any], grpc.StatusCode, str]] = [
    ("ruleset_id", {"ruleset_id": ""}, NOT_FOUND, "ruleset/unknown"),
    ("ruleset_id", {"ruleset_id": "q" * 30_000}, NOT_FOUND, "ruleset/unknown"),
    ("options", {"options": {"nope": "1"}}, INVALID, "ruleset/bad_option"),
    ("options", {"options": {"turn_seconds": "-1"}}, INVALID, "ruleset/bad_option"),
    ("options", {"options": {"": ""}}, INVALID, "ruleset/bad_option"),
    ("deals", {"deals": 101}, INVALID, "match/bad_deals"),
    ("deals", {"deals": _HUGE}, INVALID, "match/bad_deals"),
    ("event", {"event": EventTerms()}, NOT_FOUND, "event/unknown"),
    ("event", {"event": EventTerms(event_id="ev_x")}, NOT_FOUND, "event/unknown"),
    (
        "event",
        {"event": EventTerms(event_id="ev_swiss", options={"round": "x"})},
        INVALID,
        "event/bad_option",
    ),
]

WISHES: list[tuple[str, dict[str, Any], str]] = [
    *(
        ("ticket_id", {"ticket_id": text}, "match/bad_ticket_id")
        for text in ("", "a b", "x" * 65, "牌", "\0")
    ),
    ("bots_after_ms", {"bots_after_ms": 3_600_001}, "match/bad_wait"),
    ("bots_after_ms", {"bots_after_ms": _HUGE}, "match/bad_wait"),
    ("bots_after_ms", {"bots_after_ms": 0, "people_only": True}, "match/no_bots"),
    ("people_only", {"people_only": True, "mode": TICKET_MODE_BOTS}, "match/no_people"),
    ("or_games", {"or_games": [Game(ruleset_id="qq")] * 9}, "match/too_many_games"),
    ("mode", {"mode": 99}, "match/unknown_mode"),
    ("mode", {"mode": -1}, "match/unknown_mode"),
    ("options", {"mode": TICKET_MODE_RANKED, "options": {"turn_seconds": "60"}}, "match/ranked_options"),
    ("partner_id", {"partner_id": "alice"}, "match/bad_partner"),
    ("partner_id", {"partner_id": "bot:plain"}, "match/bad_partner"),
    ("partner_id", {"partner_id": "x" * 30_000}, "match/bad_partner"),
    ("avoided", {"avoided": ["a b"]}, "match/bad_avoided"),
    ("avoided", {"avoided": [""]}, "match/bad_avoided"),
    ("avoided", {"avoided": ["bob"], "partner_id": "bob"}, "match/bad_avoided"),
    ("avoided", {"avoided": [f"p{n}" for n in range(51)]}, "match/too_many_avoided"),
    ("region", {"region": "Mars!"}, "match/bad_region"),
    *(
        ("region", {"region": text}, "match/bad_region")
        for text in ("x" * 33, "-", "cn-", "-cn", "cn--east", "cn-east\n")
    ),
    ("rematch_of", {"rematch_of": "x"}, "match/rematch_only"),
]


def bad_tickets() -> Iterator[Case]:
    """Of CreateTicket."""
    for field, wish, code in WISHES:
        yield "CreateTicket", CreateTicketRequest(**(_QQ | wish)), field, INVALID, code
    for field, wish, status, code in GAMES:
        yield "CreateTicket", CreateTicketRequest(**(_QQ | wish)), field, status, code
        other = Game(**({"ruleset_id": "qq"} | wish))
        yield "CreateTicket", CreateTicketRequest(**_QQ, or_games=[other]), "or_games", status, code
    unknown = CreateTicketRequest(ticket_id="t", rematch_of="x" * 30_000)
    yield "CreateTicket", unknown, "rematch_of", NOT_FOUND, "match/unknown_table"
    for name in ("GetTicket", "CancelTicket", "AnswerReadyCheck", "WatchTicket"):
        request = getattr(matchmaking_pb2, f"{name}Request")
        for text in ("", "*", "x" * 30_000)[name == "GetTicket" :]:
            yield name, request(ticket_id=text), "ticket_id", INVALID, "match/bad_ticket_id"
        beside: dict[str, Any] = {"is_ready": True} if name == "AnswerReadyCheck" else {}
        yield name, request(ticket_id="none", **beside), "ticket_id", NOT_FOUND, "match/unknown_ticket"
    yield "GetTicket", matchmaking_pb2.GetTicketRequest(), "ticket_id", NOT_FOUND, "match/unknown_ticket"
    unsaid = matchmaking_pb2.AnswerReadyCheckRequest(ticket_id="none")
    yield "AnswerReadyCheck", unsaid, "is_ready", INVALID, "match/no_answer"
    stats = GetQueueStatsRequest(ruleset_id="nope")
    yield "GetQueueStats", stats, "ruleset_id", NOT_FOUND, "ruleset/unknown"


def bad_rooms(code: str) -> Iterator[Case]:
    """Of all rpcs of rooms; ``code`` is a room of the caller's own."""
    for text in ("", "a b", "x" * 65, "牌"):
        request = CreateRoomRequest(command_id=text, game=Game(ruleset_id="qq"))
        yield "CreateRoom", request, "command_id", INVALID, "request/bad_command_id"
    yield "CreateRoom", CreateRoomRequest(command_id="x"), "game", NOT_FOUND, "ruleset/unknown"
    for _, wish, status, refusal in GAMES:
        game = Game(**({"ruleset_id": "qq"} | wish))
        yield "CreateRoom", CreateRoomRequest(command_id="x", game=game), "game", status, refusal
    for name in ("JoinRoom", "GetRoom", "LeaveRoom", "ArrangeRoom", "StartRoom", "SayInRoom", "WatchRoom"):
        request_type = getattr(rooms_pb2, f"{name}Request")
        for text in ("", "12345", "1234567", "１２３４５６", "12345\n", "x" * 30_000):
            yield name, request_type(code=text), "code", INVALID, "room/bad_code"
        yield name, request_type(code=_ROOM), "code", NOT_FOUND, "room/unknown"
    for seat in (4, _HUGE):
        acts: list[dict[str, Any]] = [
            {"swap": SwapRoomSeats(one=seat, other=0)},
            {"swap": SwapRoomSeats(one=0, other=seat)},
            {"add_bot": AddRoomBot(seat=seat, persona="plain")},
            {"remove_bot_seat": seat},
        ]
        for act in acts:
            wrong = ArrangeRoomRequest(code=code, **act)
            yield "ArrangeRoom", wrong, next(iter(act)), INVALID, "request/no_such_seat"
    nobody = ArrangeRoomRequest(code=code, add_bot=AddRoomBot(seat=1, persona=""))
    yield "ArrangeRoom", nobody, "add_bot", INVALID, "seat/unknown_persona"
    unnamed = ArrangeRoomRequest(code=code, kick_player_id="")
    yield "ArrangeRoom", unnamed, "kick_player_id", NOT_FOUND, "room/unknown_player"
    yield "ArrangeRoom", ArrangeRoomRequest(code=code), "", INVALID, "request/no_act"
    for text in ("", "damn", "x" * 30_000):
        said = SayInRoomRequest(code=code, phrase_id=text)
        yield "SayInRoom", said, "phrase_id", NOT_FOUND, "room/unknown_phrase"


def bad_seats(code: str) -> Iterator[Case]:
    """Of JoinRoom, for somebody who is not in the room."""
    for seat in (4, _HUGE):
        request = JoinRoomRequest(code=code, seat=seat)
        yield "JoinRoom", request, "seat", INVALID, "request/no_such_seat"


METHODS: dict[str, MethodDescriptor] = {
    method.name: method
    for file in (matchmaking_pb2.DESCRIPTOR, rooms_pb2.DESCRIPTOR)
    for service in file.services_by_name.values()
    for method in service.methods
}


class Knocker:
    """Sends bytes to any rpc of a matchmaking process."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    async def refusal(self, rpc: str, raw: bytes, token: str) -> tuple[grpc.StatusCode, str]:
        """The status and the code with which the call is refused."""
        method = METHODS[rpc]
        path = f"/{method.containing_service.full_name}/{rpc}"
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        kind: Any = self._channel.unary_stream if method.server_streaming else self._channel.unary_unary
        call = kind(path)(raw, metadata=metadata, timeout=30)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await (call.read() if method.server_streaming else call)
        return refusal_in(caught.value)


async def test_every_field_of_every_rpc_is_checked_each_with_its_code(
    matchmaking: ServiceProcess, club: Club, keys: Keys
) -> None:
    alice, bob = keys.player("alice"), keys.player("bob")
    channel = club.channel(matchmaking)
    knocker = Knocker(channel)
    create = channel.unary_unary(
        "/shuangkou.v1.RoomService/CreateRoom",
        request_serializer=CreateRoomRequest.SerializeToString,
        response_deserializer=rooms_pb2.CreateRoomResponse.FromString,
    )
    tried: set[tuple[str, str]] = set()
    for rpc, request, field, status, code in bad_tickets():
        assert await knocker.refusal(rpc, request.SerializeToString(), alice) == (status, code), request
        tried.add((METHODS[rpc].input_type.name, field))
    made = await create(
        CreateRoomRequest(command_id="one", game=Game(ruleset_id="qq")),
        metadata=(("authorization", f"Bearer {alice}"),),
        timeout=30,
    )
    cases = [(alice, case) for case in bad_rooms(made.room.code)]
    cases += [(bob, case) for case in bad_seats(made.room.code)]
    for token, (rpc, request, field, status, code) in cases:
        assert await knocker.refusal(rpc, request.SerializeToString(), token) == (status, code), request
        tried.add((METHODS[rpc].input_type.name, field))
    fields = {
        (method.input_type.name, field.name)
        for method in METHODS.values()
        for field in method.input_type.fields
    }
    assert fields - tried == _ANY_VALUE


async def test_no_rpc_answers_strangers_services_or_bytes_that_are_no_request(
    matchmaking: ServiceProcess, club: Club, keys: Keys
) -> None:
    knocker = Knocker(club.channel(matchmaking))
    for rpc in METHODS:
        for token in ("", "x", keys.player("alice", ttl_seconds=-600)):
            status, code = await knocker.refusal(rpc, b"", token)
            assert (status, code.partition("/")[0]) == (grpc.StatusCode.UNAUTHENTICATED, "auth"), rpc
        if METHODS[rpc].input_type.fields:
            for raw in (b"\xff", b"\x0a\xff\xff\xff\xff\x0f", b"\x0a\x02\xff\xfe"):
                status, _ = await knocker.refusal(rpc, raw, keys.player("alice"))
                assert status is INVALID, (rpc, raw)
        answer = await knocker.refusal(rpc, bytes(100_000), keys.player("alice"))
        assert answer == (grpc.StatusCode.RESOURCE_EXHAUSTED, "request/too_big"), rpc
        if rpc not in ("GetQueueStats", "ListPhrases"):
            answer = await knocker.refusal(rpc, b"", keys.service("scoring"))
            assert answer == (grpc.StatusCode.PERMISSION_DENIED, "match/players_only"), rpc
