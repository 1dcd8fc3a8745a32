"""Events of the climbing family on the wire: what goes out comes back equal."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.climbing_table import QQ, new_deal, played_out, random_policy
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.commands import StartDeal
from shuangkou.rules.climbing.events import CardsPlayed, DealSettled, Event, HandsDealt, Passed, Result
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.decider import decider_for
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import events_pb2
from shuangkou.wire.climbing import (
    event_from_wire,
    event_to_wire,
    hands_from_wire,
    hands_to_wire,
)
from shuangkou.wire.combinations import combination_from_wire, combination_to_wire
from shuangkou.wire.refusals import MalformedMessage

TABLE = move_table(QQ.options)
SEED = st.binary(min_size=32, max_size=32)


def events_of(seed: bytes, rng: Random) -> list[Event]:
    """Everything that happens in one deal of random legal acts."""
    decider = decider_for(QQ)
    started = decider.decide(decider.new_match(QQ), StartDeal(seed))
    steps = played_out(new_deal(seed), random_policy(rng))
    return [*started, *(event for _, _, events in steps for event in events)]


@given(SEED, st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_every_event_of_a_deal_comes_back_equal(seed: bytes, rng: Random) -> None:
    for event in events_of(seed, rng):
        if isinstance(event, HandsDealt):
            sent = hands_to_wire(event).SerializeToString()
            assert hands_from_wire(events_pb2.HandsDealt.FromString(sent)) == event
        else:
            sent = event_to_wire(event).SerializeToString()
            assert event_from_wire(TABLE, events_pb2.Event.FromString(sent)) == event


@pytest.mark.parametrize("result", Result)
def test_every_result_of_a_deal_comes_back_equal(result: Result) -> None:
    event = DealSettled(
        number=3,
        result=result,
        finish_order=(SEATS[2], SEATS[0], SEATS[1], SEATS[3]),
        multiplier=5,
        base=4,
        scores=(20, -20, 20, -20),
        bombs=(),
        seed=bytes(32),
    )
    message = event_to_wire(event)
    name = events_pb2.DealResult.Name(message.deal_settled.climbing.result)
    assert name == f"DEAL_RESULT_{result.name}"
    assert event_from_wire(TABLE, message) == event


def test_the_hands_are_secret_and_have_no_public_form() -> None:
    with pytest.raises(ValueError, match="HandsDealt is secret"):
        event_to_wire(HandsDealt(bytes(32), ((), (), (), ())))


def test_every_combination_of_the_ruleset_comes_back_equal() -> None:
    for combination in TABLE.combinations:
        assert combination_from_wire(TABLE, combination_to_wire(combination)) == combination


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_its_name_on_the_wire(kind: Kind) -> None:
    message = combination_to_wire(Combination(kind, 4, 1, None, 0))
    assert events_pb2.CombinationKind.Name(message.kind) == f"COMBINATION_KIND_{kind.name}"


KIND_SINGLE = events_pb2.COMBINATION_KIND_SINGLE
NO_COMBINATIONS = {
    "nothing": events_pb2.Combination(),
    "no rank": events_pb2.Combination(kind=KIND_SINGLE, length=1, size=1),
    "unknown rank": events_pb2.Combination(kind=KIND_SINGLE, length=1, size=1, rank=1),  # type: ignore[arg-type]  # no such number
    "far rank": events_pb2.Combination(kind=KIND_SINGLE, length=1, size=1, rank=99),  # type: ignore[arg-type]  # no such number
    "unknown kind": events_pb2.Combination(kind=99, length=1, size=1, rank=3),  # type: ignore[arg-type]  # no such number
    "another size": events_pb2.Combination(kind=KIND_SINGLE, length=1, size=2, rank=3),  # type: ignore[arg-type]  # a plain number
    "another family": events_pb2.Combination(
        kind=events_pb2.COMBINATION_KIND_FLUSH,
        length=5,
        size=5,
        rank=9,  # type: ignore[arg-type]  # a plain number
    ),
}


@pytest.mark.parametrize("fault", NO_COMBINATIONS)
def test_what_is_no_combination_is_malformed(fault: str) -> None:
    with pytest.raises(MalformedMessage) as caught:
        combination_from_wire(TABLE, NO_COMBINATIONS[fault])
    assert caught.value.code == "request/no_such_combination"


NO_EVENTS = {
    "nothing": events_pb2.Event(),
    "of the table": events_pb2.Event(match_finished=events_pb2.MatchFinished()),
    "seat": events_pb2.Event(passed=events_pb2.Passed(seat=4)),
    "leader": events_pb2.Event(deal_started=events_pb2.DealStarted(leader=9)),
    "winner": events_pb2.Event(trick_ended=events_pb2.TrickEnded(winner=2**32 - 1)),
    "heir": events_pb2.Event(lead_inherited=events_pb2.LeadInherited(seat=1, from_seat=4)),
    "out": events_pb2.Event(seat_went_out=events_pb2.SeatWentOut(seat=4, place=1)),
    "no cards": events_pb2.Event(cards_played=events_pb2.CardsPlayed(seat=1)),
    "no combination": events_pb2.Event(cards_played=events_pb2.CardsPlayed(seat=1, cards=[1, 9])),  # type: ignore[list-item]  # plain numbers
    "no card": events_pb2.Event(cards_played=events_pb2.CardsPlayed(seat=1, cards=[0])),  # type: ignore[list-item]  # plain numbers
    "no outcome": events_pb2.Event(deal_settled=events_pb2.DealSettled(number=1)),
    "finish order": events_pb2.Event(
        deal_settled=events_pb2.DealSettled(
            climbing=events_pb2.ClimbingOutcome(result=events_pb2.DEAL_RESULT_DRAW, finish_order=[0, 7])
        )
    ),
}


@pytest.mark.parametrize("fault", NO_EVENTS)
def test_what_is_no_event_of_a_deal_is_malformed(fault: str) -> None:
    with pytest.raises(MalformedMessage):
        event_from_wire(TABLE, NO_EVENTS[fault])


def test_a_pass_and_a_play_are_told_apart() -> None:
    passed = event_from_wire(TABLE, events_pb2.Event(passed=events_pb2.Passed(seat=2)))
    assert passed == Passed(SEATS[2])
    played = event_from_wire(
        TABLE,
        events_pb2.Event(cards_played=events_pb2.CardsPlayed(seat=2, cards=[2])),  # type: ignore[list-item]  # a plain number
    )
    assert isinstance(played, CardsPlayed)
