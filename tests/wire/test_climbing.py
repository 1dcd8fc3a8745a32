"""Events of the climbing family on the wire: what goes out comes back equal."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.climbing_table import PRIVATE, QQ, lively_policy, new_deal, played_out
from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import (
    Act,
    CardsPlayed,
    ContributionBooked,
    DealSettled,
    Event,
    FaceCardShown,
    GroupRated,
    Opening,
    PhaseBegan,
    Result,
    SeatScore,
    SideSurrendered,
)
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.decider import decider_for
from shuangkou.rules.events import DealVoided, HandsDealt, Passed, SeatsSwapped, VoidReason
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import RuleSet
from shuangkou.rules.seats import SEATS, SIDES
from shuangkou.v1 import events_pb2
from shuangkou.wire.climbing import events as climbing
from shuangkou.wire.climbing.combinations import combination_from_wire, combination_to_wire, play_of
from shuangkou.wire.climbing.events import event_from_wire, event_to_wire, secret_from_wire, secret_to_wire
from shuangkou.wire.climbing.openings import SECRETS_TO_WIRE
from shuangkou.wire.refusals import MalformedMessage

TABLE = move_table(QQ.options)
SEED = st.binary(min_size=32, max_size=32)


def events_of(ruleset: RuleSet, seed: bytes, rng: Random) -> list[Event]:
    """Everything that happens in one deal of random legal acts, those out of turn included."""
    decider = decider_for(ruleset)
    started = decider.decide(decider.new_match(ruleset), StartDeal(seed))
    steps = played_out(new_deal(seed, ruleset), lively_policy(rng))
    return [*started, *(event for _, _, events in steps for event in events)]


@pytest.mark.parametrize("ruleset", PRIVATE.values(), ids=PRIVATE)
@given(seed=SEED)
@settings(max_examples=15)
def test_every_event_of_a_deal_comes_back_equal(ruleset: RuleSet, seed: bytes) -> None:
    table = move_table(ruleset.options)
    for position, event in enumerate(events_of(ruleset, seed, Random(seed))):
        if event.secret:
            sent = secret_to_wire(event, position).SerializeToString()
            assert secret_from_wire(events_pb2.SecretEvent.FromString(sent)) == event
        else:
            sent = event_to_wire(event).SerializeToString()
            assert event_from_wire(table, events_pb2.Event.FromString(sent)) == event


RARE_EVENTS: list[Event] = [
    PhaseBegan(Phase.PLAY, SEATS[3]),
    FaceCardShown(Card.H7, SEATS[1], SEATS[2]),
    SeatsSwapped((SEATS[2], SEATS[3])),
    GroupRated(SEATS[1], 3, 5),
    ContributionBooked(SEATS[2], 6, (-2, -2, 6, -2)),
    SideSurrendered(SIDES[1]),
    *(DealVoided(4, reason, (-12, 4, 4, 4), bytes(32), (SEATS[0],)) for reason in VoidReason),
    DealSettled(
        number=3,
        result=Result.WIN,
        finish_order=(SEATS[2],),
        winners=(SEATS[1],),
        multiplier=5,
        base=4,
        scores=(-8, 24, -8, -8),
        bombs=(),
        seed=bytes(32),
        breakdown=tuple(SeatScore(-4, 5, seat, -12) for seat in SEATS),
        forfeited=(SEATS[1], SEATS[0]),
        surrendered=SIDES[0],
    ),
]


@pytest.mark.parametrize("event", RARE_EVENTS, ids=lambda event: type(event).__name__)
def test_a_rare_event_comes_back_equal(event: Event) -> None:
    sent = event_to_wire(event).SerializeToString()
    assert event_from_wire(TABLE, events_pb2.Event.FromString(sent)) == event


def test_every_event_of_the_rules_has_a_form_on_the_wire() -> None:
    known = {*climbing._TO_WIRE, *SECRETS_TO_WIRE}
    assert known == set(get_args(Event)) | set(get_args(Opening)) | set(get_args(Act))
    fields = events_pb2.Event.DESCRIPTOR.fields_by_name
    assert {field for field, _ in climbing._TO_WIRE.values()} == set(climbing._FROM_WIRE)
    assert set(climbing._FROM_WIRE) <= set(fields)


def test_the_reading_of_wild_cards_travels_with_the_play() -> None:
    table = move_table(PRIVATE["jj"].options)
    play = play_of(table, SEATS[1], parse_cards("5s 6h 7c 8d BJ"))
    message = event_to_wire(play).cards_played
    assert list(message.wild_as) == [9]
    assert (message.combination.rank, message.combination.stars) == (9, 0)
    bomb = event_to_wire(play_of(table, SEATS[1], parse_cards("5s 5h 5c 5d BJ BJ"))).cards_played
    assert (bomb.combination.stars, list(bomb.wild_as)) == (6, [5, 5])


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


@pytest.mark.parametrize("ruleset", PRIVATE.values(), ids=PRIVATE)
def test_every_combination_that_a_settlement_names_comes_back_equal(ruleset: RuleSet) -> None:
    """Of two pairs, the only others that a row does not say all of, none is a bomb."""
    table = move_table(ruleset.options)
    for combination in table.combinations:
        if combination.kind is Kind.TWO_PAIR:
            continue
        assert combination_from_wire(table, combination_to_wire(combination)) == combination


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
    "swap of one": events_pb2.Event(seats_swapped=events_pb2.SeatsSwapped(seats=[1])),
    "face card": events_pb2.Event(face_card_shown=events_pb2.FaceCardShown(first=1)),
    "phase": events_pb2.Event(phase_began=events_pb2.PhaseBegan(turn=1)),
    "side": events_pb2.Event(side_surrendered=events_pb2.SideSurrendered(side=2)),
    "amounts": events_pb2.Event(contribution_booked=events_pb2.ContributionBooked(amounts=[6, -6])),
    "void for nothing": events_pb2.Event(deal_voided=events_pb2.DealVoided(scores=[0] * 4)),
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
