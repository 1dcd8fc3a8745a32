"""An act that the table's game does not know is the client's mistake, never the engine's."""

from __future__ import annotations

import grpc
import pytest

from kit.table_clients import PEOPLE, Clients, new_command_id, told
from kit.waiting import eventually
from shuangkou.v1 import cards_pb2, table_pb2

_CARDS = [cards_pb2.Card.Value("CARD_CLUB_3")]
FOREIGN = {
    "staff25": (
        {"declare_combination": table_pb2.DeclareCombination(cards=_CARDS)},
        {"bid": table_pb2.Bid(points=1)},
        {"call_landlord": table_pb2.CallLandlord()},
        {"grab_landlord": table_pb2.GrabLandlord()},
        {"take_from_kitty": table_pb2.TakeFromKitty(cards=_CARDS)},
        {"exchange_cards": table_pb2.ExchangeCards(cards=_CARDS)},
        {"mark_card": table_pb2.MarkCard(card=_CARDS[0])},
        {"surrender": table_pb2.Surrender()},
        {"vote_redeal": table_pb2.VoteRedeal()},
    ),
    "qq": (
        {"declare_trump": table_pb2.DeclareTrump(cards=_CARDS)},
        {"name_shape": table_pb2.NameShape()},
    ),
}


@pytest.mark.parametrize("ruleset_id", FOREIGN)
async def test_an_act_of_the_other_family_is_refused(clients: Clients, ruleset_id: str) -> None:
    people = clients.people()
    table_id = await clients.service().create(*PEOPLE, ruleset_id=ruleset_id)

    async def dealt() -> bool:
        return bool((await people[0].view(table_id)).next.seats)

    await eventually(dealt)
    for command in FOREIGN[ruleset_id]:
        request = table_pb2.ActRequest(table_id=table_id, seat=0, command_id=new_command_id(), **command)
        if "name_shape" in command:
            request.name_shape.shape.copies = request.name_shape.shape.length = 1
        answer = await people[0].refused("Act", request)
        assert told(answer) == (grpc.StatusCode.FAILED_PRECONDITION, "state/no_such_act")
