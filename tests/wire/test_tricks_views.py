"""Views and acts of trick-taking games on the wire: a client reads exactly what the rules said."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from kit.effort import effort
from kit.pure_table import PureTable, opened
from kit.tricks_table import RULESETS, paced
from shuangkou.ai_player.personas import PLAIN
from shuangkou.ai_player.tricks.mind import MIND
from shuangkou.ai_player.unanswerable import ImplausibleView, NotToAct
from shuangkou.engine.table import Phase
from shuangkou.engine.views import seat_view
from shuangkou.rules.commands import BuryKitty, Pass, PlayCards
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.legal_acts import LegalActs, legal_acts_in_view
from shuangkou.v1 import ai_pb2, table_pb2
from shuangkou.v1.table_pb2 import ActRequest, Play, SeatView
from shuangkou.wire.cards import cards_from_wire
from shuangkou.wire.commands import SeatAct, act_of, put_act
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.tricks.legal_acts import legal_acts_to_wire
from shuangkou.wire.tricks.views import seat_view_from_wire
from shuangkou.wire.views import ruleset_of_view

RULESET = st.sampled_from(RULESETS)
SEED = st.binary(min_size=32, max_size=32)
VIEWERS: tuple[Seat | None, ...] = (*SEATS, None)


def sent(pure: PureTable, seat: Seat | None) -> SeatView:
    """The view as a client receives it."""
    return SeatView.FromString(seat_view(pure.table, seat).SerializeToString())


def check(pure: PureTable) -> None:
    """Every viewer reads what was observed."""
    table = pure.table
    for seat in VIEWERS:
        message = sent(pure, seat)
        observed = decider_for(table.ruleset).observe(table.match, seat)
        assert seat_view_from_wire(message, ruleset_of_view(message)) == observed


@given(ruleset_id=RULESET, seed=SEED)
@effort(6)
def test_every_view_of_a_match_is_read_back_as_it_was_observed(ruleset_id: str, seed: bytes) -> None:
    rng = Random(seed)
    pure = opened(deals=2, ruleset=paced(ruleset_id) if rng.random() < 0.5 else load(ruleset_id))
    while pure.table.phase is not Phase.FINISHED:
        if pure.table.version % 7 == 0 or pure.table.phase is Phase.BETWEEN_DEALS:
            check(pure)
        pure.go_on(rng)
    check(pure)


@given(ruleset_id=RULESET, seed=SEED)
@effort(6)
def test_a_client_finds_the_legal_acts_that_the_engine_knows(ruleset_id: str, seed: bytes) -> None:
    rng = Random(seed)
    pure = opened(ruleset=load(ruleset_id))
    while pure.table.phase is not Phase.FINISHED:
        if pure.table.phase is Phase.DEAL and rng.random() < 0.2:
            for seat in SEATS:
                message = sent(pure, seat)
                ruleset = ruleset_of_view(message)
                acts = legal_acts_in_view(ruleset.options, seat_view_from_wire(message, ruleset))
                truth = decider_for(ruleset).legal_acts(pure.table.match, seat)
                assert (list(acts), acts.may_pass, acts.others) == (
                    list(truth),
                    truth.may_pass,
                    truth.others,
                )
        pure.go_on(rng)


def acts_and_answers(seed: bytes) -> list[tuple[LegalActs, table_pb2.ListLegalActsResponse]]:
    """What seats may do in a deal, as the rules and as the wire say it."""
    rng = Random(seed)
    pure = opened(ruleset=load(rng.choice(RULESETS)))
    told = []
    while pure.table.phase is not Phase.FINISHED:
        for seat in pure.table.actors:
            acts = decider_for(pure.table.ruleset).legal_acts(pure.table.match, seat)
            told.append((acts, legal_acts_to_wire(acts, 200)))
        pure.go_on(rng)
    return told


@given(seed=SEED)
@effort(3)
def test_what_is_listed_is_legal_and_what_is_owed_is_said(seed: bytes) -> None:
    for acts, answer in acts_and_answers(seed):
        position = acts.position
        assert position is not None
        plays = [act for act in acts if isinstance(act, PlayCards)]
        listed = [list(play.cards) for play in answer.plays]
        assert sorted(listed) == sorted([card + 1 for card in play.cards] for play in plays)
        assert answer.may_pass == acts.may_pass
        assert [read_act(message, position.seat) for message in answer.before_play] == [
            act for act in acts if not isinstance(act, PlayCards | Pass)
        ]
        duty = answer.duty
        if answer.plays and acts.leads is None:
            for play in answer.plays:
                assert len(play.cards) == duty.size
                assert not set(play.cards) - {*duty.forced, *duty.free}
        if any(act.HasField("bury_kitty") for act in answer.before_play):
            chosen = cards_from_wire(duty.free[-duty.size :])
            assert BuryKitty(position.seat, chosen) in acts
        assert answer.HasField("duty") == ((bool(answer.plays) and acts.leads is None) or bool(acts.free))


def read_act(message: table_pb2.LegalAct, seat: Seat) -> SeatAct:
    """The act that is listed."""
    act = act_of(message, seat)
    assert act is not None
    return act


@given(seed=SEED)
@effort(3)
def test_every_act_survives_every_message_that_carries_it(seed: bytes) -> None:
    for acts, _ in acts_and_answers(seed):
        for act in acts:
            for carrier in (ActRequest(), ai_pb2.SuggestActResponse()):
                put_act(carrier, act)
                again = type(carrier).FromString(carrier.SerializeToString())
                assert act_of(again, act.seat) == act


def tables_in_play(steps: int) -> PureTable:
    """A table with two deals to play, so many steps after its opening."""
    rng = Random(5)
    pure = opened(deals=2, ruleset=load("sheng_joker"))
    for _ in range(steps):
        pure.go_on(rng)
    return pure


def bad_views() -> dict[str, SeatView]:
    """Views that no engine sends."""
    pure = tables_in_play(40)
    views: dict[str, SeatView] = {}

    def fault(name: str, make: Callable[[SeatView], object]) -> None:
        views[name] = sent(pure, pure.table.actors[0])
        make(views[name])

    fault("viewer", lambda view: setattr(view, "seat", 4))
    fault("turn", lambda view: setattr(view.tricks, "turn", 9))
    fault("leader", lambda view: setattr(view.tricks, "leader", 4))
    fault("declarer", lambda view: setattr(view.tricks, "declarer", 4))
    fault("attackers", lambda view: setattr(view.tricks, "attackers", 2))
    fault("level", lambda view: setattr(view.tricks, "level", 1))
    fault("trump", lambda view: setattr(view.tricks, "trump", 77))
    fault("phase", lambda view: setattr(view.tricks, "phase", 4))
    fault("kitty owner", lambda view: setattr(view.tricks, "kitty_owner", 4))
    fault("history seat", lambda view: setattr(view.tricks.history[0], "seat", 4))
    fault("history cards", lambda view: view.tricks.history[0].cards.extend(view.hand))
    fault("pass in the history", lambda view: view.tricks.history[0].ClearField("cards"))
    fault("trick", lambda view: view.tricks.trick.append(Play(seat=1, cards=view.hand[:1])))
    fault("opening", lambda view: view.tricks.opening.add().match_finished.SetInParent())
    fault("played opening", lambda view: view.tricks.opening.add().trick_ended.SetInParent())
    fault("points", lambda view: view.tricks.taken.append(6))
    fault("fines", lambda view: view.tricks.ClearField("fines"))
    fault("coins", lambda view: view.tricks.coins.append(6))
    fault("levels", lambda view: view.tricks.handover.tricks.levels.append(2))  # type: ignore[arg-type]  # a plain number
    fault("decided", lambda view: view.tricks.handover.tricks.decided.SetInParent())
    fault("card", lambda view: view.hand.append(99))  # type: ignore[arg-type]  # no such card
    fault("many cards", lambda view: view.hand.extend(list(view.hand) * 9))
    fault("hand size", lambda view: view.hand.pop())
    fault("three seats", lambda view: view.seats.pop())
    fault("family", lambda view: view.climbing.SetInParent())
    fault("settlement", lambda view: view.last_settlement.SetInParent())
    return views


BAD_VIEWS = bad_views()


@pytest.mark.parametrize("fault", BAD_VIEWS)
def test_a_view_that_no_engine_sends_is_malformed(fault: str) -> None:
    with pytest.raises(MalformedMessage):
        seat_view_from_wire(BAD_VIEWS[fault], load("sheng_joker"))


def views_of_a_match(ruleset_id: str) -> list[bytes]:
    """Now and then a view of a match of two deals, mostly of the seat to act."""
    pure, rng, views = opened(deals=2, ruleset=load(ruleset_id)), Random(3), []
    while pure.table.phase is not Phase.FINISHED:
        seat = pure.table.actors[0] if pure.table.actors else None
        views.append(seat_view(pure.table, seat).SerializeToString())
        pure.go_on(rng)
    return views


GOOD = {id: views_of_a_match(id) for id in ("sheng_joker", "tian5", "sixteen_deals")}


@given(st.sampled_from(sorted(GOOD)), st.randoms(use_true_random=False), st.integers(1, 4))
@effort(150)
def test_damaged_bytes_are_played_or_refused(ruleset_id: str, rng: Random, damages: int) -> None:
    data = bytearray(rng.choice(GOOD[ruleset_id]))
    for _ in range(damages):
        data[rng.randrange(len(data))] = rng.randrange(256)
    try:
        message = SeatView.FromString(bytes(data))
        ruleset = ruleset_of_view(message)
        if ruleset.family != "tricks":
            return
        view = seat_view_from_wire(message, ruleset)
        MIND.check_plausible(ruleset.options, view)
        MIND.act(ruleset.options, view, PLAIN)
    except (DecodeError, MalformedMessage, ImplausibleView, NotToAct):
        return
