"""Whatever act the wire knows, both families answer it: the other family's are refused with a code."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from kit import climbing_table, tricks_table
from shuangkou.rules.decider import decider_for
from shuangkou.rules.errors import CODES, NO_SUCH_ACT, IllegalCommand
from shuangkou.rules.match import Match
from shuangkou.rules.ruleset import AnyRuleSet, available, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.v1 import cards_pb2, table_pb2, tricks_pb2
from shuangkou.wire.commands import SeatAct, act_of

_CARDS = [cards_pb2.Card.Value("CARD_CLUB_3")]
REQUESTS = {
    "play_cards": table_pb2.ActRequest(play_cards=table_pb2.PlayCards(cards=_CARDS)),
    "pass_turn": table_pb2.ActRequest(pass_turn=table_pb2.Pass()),
    "bury_kitty": table_pb2.ActRequest(bury_kitty=table_pb2.BuryKitty(cards=_CARDS)),
    "declare_combination": table_pb2.ActRequest(
        declare_combination=table_pb2.DeclareCombination(cards=_CARDS)
    ),
    "bid": table_pb2.ActRequest(bid=table_pb2.Bid(points=1)),
    "call_landlord": table_pb2.ActRequest(call_landlord=table_pb2.CallLandlord()),
    "grab_landlord": table_pb2.ActRequest(grab_landlord=table_pb2.GrabLandlord()),
    "take_from_kitty": table_pb2.ActRequest(take_from_kitty=table_pb2.TakeFromKitty(cards=_CARDS)),
    "exchange_cards": table_pb2.ActRequest(exchange_cards=table_pb2.ExchangeCards(cards=_CARDS)),
    "mark_card": table_pb2.ActRequest(mark_card=table_pb2.MarkCard(card=_CARDS[0])),
    "declare_trump": table_pb2.ActRequest(declare_trump=table_pb2.DeclareTrump(cards=_CARDS)),
    "name_shape": table_pb2.ActRequest(
        name_shape=table_pb2.NameShape(shape=tricks_pb2.Shape(copies=1, length=1))
    ),
    "forfeit": table_pb2.ActRequest(forfeit=table_pb2.Forfeit()),
    "surrender": table_pb2.ActRequest(surrender=table_pb2.Surrender()),
    "vote_redeal": table_pb2.ActRequest(vote_redeal=table_pb2.VoteRedeal()),
}
"""Every act that the rules are asked for."""
OF_ALL_FAMILIES = {"play_cards", "pass_turn", "bury_kitty", "forfeit"}
OF_TRICKS = {"declare_trump", "name_shape"}
FOREIGN = {
    "climbing": OF_TRICKS,
    "tricks": REQUESTS.keys() - OF_ALL_FAMILIES - OF_TRICKS,
}


def act(kind: str, seat: Seat) -> SeatAct:
    made = act_of(REQUESTS[kind], seat)
    assert made is not None
    return made


def answer(ruleset: AnyRuleSet, match: Match, command: SeatAct) -> str:
    """The code of the refusal, nothing where the act is accepted; any other failure goes through."""
    try:
        decider_for(ruleset).decide(match, command)
    except IllegalCommand as refusal:
        return refusal.code if refusal.message else "no message"
    return ""


def positions(ruleset_id: str) -> Iterator[Match]:
    """Before the first deal, and somewhere in every phase of one."""
    ruleset = load(ruleset_id)
    decider = decider_for(ruleset)
    yield decider.new_match(ruleset)
    if ruleset.family == "tricks":
        yield tricks_table.new_deal(tricks_table.paced(ruleset_id))
        rng = Random(ruleset_id)
        steps = tricks_table.deal_steps(tricks_table.new_deal(ruleset), tricks_table.quick_policy(rng), rng)
        yield from {step.before.deal.phase: step.before for step in steps if step.before.deal}.values()
        return
    state = climbing_table.new_deal(ruleset=ruleset)
    steps_of_climbing = climbing_table.played_out(state, climbing_table.lowest_policy)
    yield from {before.deal.phase: before for before, _, _ in steps_of_climbing if before.deal}.values()


def test_every_act_of_the_wire_is_asked() -> None:
    oneof = table_pb2.ActRequest.DESCRIPTOR.oneofs_by_name["command"]
    of_the_table = {"take_seat", "host_seat", "reclaim_seat"}
    assert {field.name for field in oneof.fields} - of_the_table == REQUESTS.keys()


@pytest.mark.parametrize("ruleset_id", available())
def test_every_act_is_accepted_or_refused_with_a_code(ruleset_id: str) -> None:
    ruleset = load(ruleset_id)
    foreign = FOREIGN[ruleset.family]
    for match in positions(ruleset_id):
        for kind in REQUESTS:
            for seat in SEATS[: ruleset.options.players]:
                code = answer(ruleset, match, act(kind, seat))
                assert code in CODES | {""}
                assert (code == NO_SUCH_ACT) == (kind in foreign), (kind, code)


@pytest.mark.parametrize("ruleset_id", available())
def test_an_act_of_the_other_family_is_never_legal(ruleset_id: str) -> None:
    ruleset = load(ruleset_id)
    for match in positions(ruleset_id):
        for kind in FOREIGN[ruleset.family]:
            assert act(kind, SEATS[0]) not in decider_for(ruleset).legal_acts(match, SEATS[0])
