"""A seat is played, and its cards are seen, by its own player alone, whatever call somebody else tries."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, MethodDescriptor

from kit.table_clients import PEOPLE, Clients, is_dealt, new_command_id, play_until, told
from shuangkou.v1 import ai_pb2, matchmaking_pb2, scoring_pb2, table_pb2
from shuangkou.v1.cards_pb2 import Card
from shuangkou.v1.table_pb2 import TABLE_PHASE_FINISHED, ActRequest, HostSeat, ReclaimSeat, SeatView

DENIED = grpc.StatusCode.PERMISSION_DENIED
COMMANDS = [field.name for field in ActRequest.DESCRIPTOR.oneofs_by_name["command"].fields]
OF_A_PERSON = [name for name in COMMANDS if name != "take_seat"]
EMPTY_IS_MALFORMED = ("mark_card", "name_shape")
HIDDEN = frozenset(("hand", "own_hand", "partner_hand", "own_face_down", "discarded", "mark"))


def all_methods() -> Iterator[MethodDescriptor]:
    for module in (table_pb2, matchmaking_pb2, ai_pb2, scoring_pb2):
        for service in module.DESCRIPTOR.services_by_name.values():
            yield from service.methods


def messages_in(descriptor: Descriptor, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """All messages that a message may hold, at any depth."""
    if descriptor.full_name in seen:
        return seen
    seen |= {descriptor.full_name}
    for field in descriptor.fields:
        if field.message_type is not None:
            seen |= messages_in(field.message_type, seen)
    return seen


def test_only_two_calls_answer_with_what_a_seat_sees() -> None:
    """A new one belongs into the tests below."""
    showing = {"shuangkou.v1.SeatView", "shuangkou.v1.TableUpdate", "shuangkou.v1.SecretCommit"}
    found = {method.name for method in all_methods() if showing & messages_in(method.output_type)}
    assert found == {"GetTable", "WatchTable"}


async def test_a_spectator_is_shown_no_hidden_card_in_a_whole_deal(clients: Clients) -> None:
    service, zoe = clients.service(), clients.player("zoe", 1)
    table_id = await service.create(*("bot:plain",) * 4)
    bots = dict.fromkeys(range(4), service)
    await play_until(bots, table_id, is_dealt)
    assert not hidden_in(await zoe.view(table_id))
    view = await play_until(bots, table_id, lambda view: view.phase == TABLE_PHASE_FINISHED)
    watching = zoe.watch(table_id, after=0)
    async for response in watching:
        assert not hidden_in(response.snapshot)
        update = response.commit
        assert not [*update.own_hand, *update.partner_hand, *update.kitty]
        if update.commit.version >= view.version:
            break
    watching.cancel()


def hidden_in(view: SeatView) -> set[str]:
    """Fields of the view, or of its game's part, that only a seat may have."""
    parts = [view, view.climbing, view.tricks]
    return {field.name for part in parts for field, _ in part.ListFields() if field.name in HIDDEN}


@pytest.mark.parametrize("engine", [0, 1])
async def test_nobody_else_takes_over_a_hosted_seat(clients: Clients, engine: int) -> None:
    table_id = await clients.service().create(*PEOPLE)
    alice = clients.player("alice")
    await play_until(clients.people(), table_id, is_dealt)
    host = ActRequest(table_id=table_id, seat=0, command_id=new_command_id(), host_seat=HostSeat())
    version = await alice.act(host)
    for name in ("bob", "zoe"):
        for command in OF_A_PERSON:
            request = ActRequest(table_id=table_id, seat=0, command_id=new_command_id())
            act = getattr(request, command)
            act.SetInParent()
            if "cards" in act.DESCRIPTOR.fields_by_name:
                act.cards.append(Card.values()[1])
            answer = told(await clients.player(name, engine).refused("Act", request))
            if command not in EMPTY_IS_MALFORMED:
                assert answer == (DENIED, "seat/not_yours"), command
        request = ActRequest(table_id=table_id, seat=0, command_id=new_command_id())
        request.take_seat.SetInParent()
        assert told(await clients.player("zoe", engine).refused("Act", request))[1] == "seat/taken"
    for command in ("reclaim_seat", "host_seat", "forfeit"):
        request = ActRequest(table_id=table_id, seat=0, command_id=new_command_id())
        getattr(request, command).SetInParent()
        answer = told(await clients.service(engine=engine).refused("Act", request))
        assert answer == (DENIED, "seat/not_yours")
    view = await clients.player("alice", engine).view(table_id, seat=0)
    assert (view.version, view.seats[0].hosted) == (version, True)
    back = ActRequest(table_id=table_id, seat=0, command_id=new_command_id(), reclaim_seat=ReclaimSeat())
    await clients.player("alice", engine).act(back)
    assert not (await alice.view(table_id, seat=0)).seats[0].hosted
