"""Events of the trick-taking family on the wire: what goes out comes back equal."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.effort import effort
from kit.tricks_table import DECIDER, RULESETS, deal_steps, new_deal, paced, random_policy
from shuangkou.rules.cards import Card
from shuangkou.rules.commands import StartDeal
from shuangkou.rules.events import DealVoided, HandsDealt, SeatForfeited, VoidReason
from shuangkou.rules.ruleset import TricksRuleSet, load
from shuangkou.rules.seats import SEATS, SIDES
from shuangkou.rules.tricks.deal_end import Feat
from shuangkou.rules.tricks.events import (
    CardsReturned,
    DealSettled,
    DealStarted,
    DecidedBy,
    Event,
    FaceDownShown,
    ForfeitPaid,
    KittyCaptured,
    MatchDecided,
    Opening,
    Outcome,
    PairTopped,
    Phase,
    PhaseBegan,
    RevealedShow,
    ShapeNamed,
    ThrowFailed,
    TrumpDeclared,
    TrumpFixed,
    TrumpTurned,
    TurnedCard,
)
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import ShowKind
from shuangkou.rules.tricks.units import PAIR, SINGLE, Shape
from shuangkou.rules.tricks.view import Standing
from shuangkou.v1 import events_pb2, tricks_pb2
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.tricks.events import (
    FROM_WIRE,
    SECRETS_FROM_WIRE,
    SECRETS_TO_WIRE,
    TO_WIRE,
    event_from_wire,
    event_to_wire,
    secret_from_wire,
    secret_to_wire,
)
from shuangkou.wire.tricks.outcomes import handover_to_wire, standing_from_wire

SEED = st.binary(min_size=32, max_size=32)


def events_of(ruleset: TricksRuleSet, seed: bytes) -> list[Event]:
    """Everything that happens in one deal of random legal acts."""
    started = DECIDER.decide(DECIDER.new_match(ruleset), StartDeal(seed))
    rng = Random(seed)
    steps = deal_steps(new_deal(ruleset, seed), random_policy(rng), rng)
    return [*started, *(event for step in steps for event in step.events)]


def check_both_ways(event: Event, position: int = 0) -> None:
    """The event survives the wire."""
    if event.secret:
        sent = secret_to_wire(event, position).SerializeToString()
        assert secret_from_wire(events_pb2.SecretEvent.FromString(sent)) == event
    else:
        sent = event_to_wire(event).SerializeToString()
        assert event_from_wire(events_pb2.Event.FromString(sent)) == event


@pytest.mark.parametrize("ruleset_id", RULESETS)
@given(seed=SEED)
@effort(1)
def test_every_event_of_a_deal_comes_back_equal(ruleset_id: str, seed: bytes) -> None:
    ruleset = paced(ruleset_id) if seed[0] % 2 else load(ruleset_id)
    for position, event in enumerate(events_of(ruleset, seed)):
        check_both_ways(event, position)


OUTCOME = Outcome(
    declarer=SEATS[1],
    attackers=SIDES[0],
    trump=Trump.NONE,
    level=Level.NO_TRUMP,
    score=95,
    taken=(80, 120),
    fines=(0, 20),
    captured=40,
    kitty=(Card.S5, Card.HT),
    deal_passes=True,
    levels_before=(Level.TWO, Level.ACE),
    levels_after=(Level.THREE, Level.TEN),
    overturns=3,
    next_declarer=SEATS[2],
)


def settled(outcome: Outcome) -> DealSettled:
    """A deal that ended so."""
    return DealSettled(7, (0, 1, 0, 1), bytes(32), (SEATS[1], SEATS[3]), outcome, (-4, 4, -4, 4))


RARE_EVENTS: list[Event] = [
    DealStarted(3, bytes(32), SEATS[2], None, None, 27, 0, (TurnedCard(SEATS[1], Card.BIG_JOKER),)),
    *(PhaseBegan(phase, turn) for phase in Phase for turn in (None, *SEATS)),
    *(TrumpDeclared(SEATS[3], kind, (), 2, is_face_down=True, is_after_bury=True) for kind in ShowKind),
    PairTopped(SEATS[0], SEATS[3], (Card.S4, Card.S4)),
    CardsReturned(SEATS[0], SEATS[3], (Card.H5, Card.C6)),
    FaceDownShown(SEATS[0], (Card.H2, Card.H2)),
    *(TrumpTurned((Card.SMALL_JOKER, Card.D3), trump) for trump in Trump),
    TrumpFixed(
        Trump.HEARTS, (RevealedShow(SEATS[1], (Card.H2,)), RevealedShow(SEATS[2], (Card.H2, Card.H2)))
    ),
    ThrowFailed(SEATS[2], (Card.SK, Card.SA), (Card.SK,), 10, (3, -9, 3, 3), (SINGLE, PAIR)),
    ShapeNamed(SEATS[1], Shape(2, 4)),
    KittyCaptured(SEATS[1], (Card.SK,), 16, 160),
    SeatForfeited(SEATS[3]),
    ForfeitPaid(SEATS[2], (1, 1, -3, 1)),
    *(MatchDecided(winner, by) for winner in (None, *SIDES) for by in DecidedBy),
    *(DealVoided(4, reason, (0, 0, 0, 0), bytes(32), (SEATS[0],)) for reason in VoidReason),
    settled(OUTCOME),
]


@pytest.mark.parametrize("event", RARE_EVENTS, ids=lambda event: type(event).__name__)
def test_a_rare_event_comes_back_equal(event: Event) -> None:
    check_both_ways(event)


@pytest.mark.parametrize("feat", [None, *Feat])
@pytest.mark.parametrize("level", [None, *Level])
def test_an_outcome_comes_back_equal_whatever_the_level_and_the_last_trick(
    level: Level | None, feat: Feat | None
) -> None:
    levels = level, None
    check_both_ways(
        settled(
            Outcome(
                declarer=SEATS[0],
                attackers=SIDES[1],
                trump=Trump.SPADES,
                level=level,
                score=0,
                taken=(0, 0),
                fines=(0, 0),
                captured=0,
                kitty=(),
                deal_passes=False,
                levels_before=levels,
                levels_after=levels,
                overturns=0,
                next_declarer=None,
                feat=feat,
            )
        )
    )


def test_every_event_of_the_rules_has_a_form_on_the_wire() -> None:
    assert {*TO_WIRE, *SECRETS_TO_WIRE} == set(get_args(Event)) | set(get_args(Opening))
    assert {field for field, _ in TO_WIRE.values()} == set(FROM_WIRE)
    assert {field for field, _ in SECRETS_TO_WIRE.values()} == set(SECRETS_FROM_WIRE)
    assert set(FROM_WIRE) <= set(events_pb2.Event.DESCRIPTOR.fields_by_name)
    assert {event for event in get_args(Event) if event.secret} == set(SECRETS_TO_WIRE)


def test_the_hands_are_secret_and_have_no_public_form() -> None:
    with pytest.raises(ValueError, match="HandsDealt is secret"):
        event_to_wire(HandsDealt(bytes(32), ((), (), (), ())))


def test_a_face_down_show_has_no_card_on_the_wire() -> None:
    show = TrumpDeclared(SEATS[1], ShowKind.DECLARE, (), 1, is_face_down=True)
    message = event_to_wire(show).trump_declared
    assert (list(message.cards), message.size) == ([], 1)


STANDINGS = [
    Standing(),
    Standing(
        deals_played=5,
        totals=(3, -3, 3, -3),
        deals_voided=2,
        levels=(Level.JACK, Level.NO_TRUMP),
        reached_in=(4, 0),
        attacking_points=(310, 25),
        coins=(-8, 8, -8, 8),
        declarer=SEATS[0],
        last_first=SEATS[3],
        dealt_again=2,
        first_attackers=SIDES[0],
        decided=MatchDecided(SIDES[1], DecidedBy.TIME),
    ),
]


@pytest.mark.parametrize("standing", STANDINGS)
def test_a_standing_comes_back_equal(standing: Standing) -> None:
    sent = handover_to_wire(standing).SerializeToString()
    message = events_pb2.Handover.FromString(sent)
    assert standing_from_wire(message, standing.deals_played, standing.totals) == standing


def outcome(**changes: object) -> events_pb2.Event:
    """A settlement with these faults."""
    event = event_to_wire(settled(OUTCOME))
    for field, value in changes.items():
        event.deal_settled.tricks.ClearField(field)  # type: ignore[arg-type]  # the parameter is the point
        event.deal_settled.tricks.MergeFrom(tricks_pb2.TricksOutcome(**{field: value}))  # type: ignore[arg-type]  # likewise
    return event


NO_EVENTS = {
    "nothing": events_pb2.Event(),
    "of the table": events_pb2.Event(match_finished=events_pb2.MatchFinished()),
    "of the other family": events_pb2.Event(passed=events_pb2.Passed(seat=1)),
    "first drawer": events_pb2.Event(deal_started=events_pb2.DealStarted(dealt_from=4)),
    "declarer": events_pb2.Event(
        deal_started=events_pb2.DealStarted(tricks=tricks_pb2.TricksStart(declarer=9))
    ),
    "level": events_pb2.Event(
        declarer_named=tricks_pb2.DeclarerNamed(level=1)  # type: ignore[arg-type]  # no such number
    ),
    "trump": events_pb2.Event(trump_turned=tricks_pb2.TrumpTurned()),
    "phase": events_pb2.Event(phase_began=events_pb2.PhaseBegan(turn=1)),
    "phase of the other family": events_pb2.Event(
        phase_began=events_pb2.PhaseBegan(phase=events_pb2.DEAL_PHASE_AUCTION)
    ),
    "kind": events_pb2.Event(trump_declared=tricks_pb2.TrumpDeclared(seat=1)),
    "shape": events_pb2.Event(shape_named=tricks_pb2.ShapeNamed(seat=1)),
    "long shape": events_pb2.Event(
        shape_named=tricks_pb2.ShapeNamed(shape=tricks_pb2.Shape(copies=2, length=2**31))
    ),
    "coins": events_pb2.Event(throw_failed=tricks_pb2.ThrowFailed(coins=[1, -1])),
    "paid": events_pb2.Event(forfeit_paid=tricks_pb2.ForfeitPaid(seat=1)),
    "winner": events_pb2.Event(match_decided=tricks_pb2.MatchDecided(winner=2, by=1)),  # type: ignore[arg-type]  # a plain number
    "undecided": events_pb2.Event(match_decided=tricks_pb2.MatchDecided(winner=1)),
    "card": events_pb2.Event(cards_played=events_pb2.CardsPlayed(seat=1, cards=[0])),  # type: ignore[list-item]  # a plain number
    "no outcome": events_pb2.Event(deal_settled=events_pb2.DealSettled(scores=[0] * 4)),
    "other outcome": events_pb2.Event(
        deal_settled=events_pb2.DealSettled(scores=[0] * 4, climbing=events_pb2.ClimbingOutcome())
    ),
    "levels of one side": outcome(levels_after=[2]),
    "points of one side": outcome(taken=[100]),
    "attackers": outcome(attackers=2),
}


@pytest.mark.parametrize("fault", NO_EVENTS)
def test_what_is_no_event_of_a_deal_is_malformed(fault: str) -> None:
    with pytest.raises(MalformedMessage):
        event_from_wire(NO_EVENTS[fault])


def test_what_is_no_secret_event_is_malformed() -> None:
    for message in (events_pb2.SecretEvent(), events_pb2.SecretEvent(card_marked=events_pb2.CardMarked())):
        with pytest.raises(MalformedMessage):
            secret_from_wire(message)
