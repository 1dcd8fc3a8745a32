"""Tables of trick-taking games: cards drawn at a pace, ends by time and by leaving, what stays hidden."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.effort import effort
from kit.pure_table import BOT_MS, PureTable, folded, opened
from kit.tricks_table import RULESETS
from shuangkou.engine.commands import HostSeat, MoveOn, NextDeal
from shuangkou.engine.decider import decide, due_command
from shuangkou.engine.events import DeadlinePassed, MatchFinished, SeatHosted
from shuangkou.engine.table import Expected, Phase
from shuangkou.engine.views import seat_view
from shuangkou.rules.commands import Forfeit, Pass, Whistle
from shuangkou.rules.decider import decider_for
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import DealVoided, SeatForfeited, VoidReason
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS
from shuangkou.rules.tricks.commands import DeclareTrump
from shuangkou.rules.tricks.events import CardsDrawn, DecidedBy, MatchDecided, TrumpDeclared
from shuangkou.rules.tricks.events import Phase as DealPhase
from shuangkou.rules.tricks.state import DealState, MatchState
from shuangkou.v1 import events_pb2

SEED = bytes(range(32))
PACE_MS = 250
ROUND_MS = 4 * PACE_MS
PACED = load("multi1").with_options({"draw_pace_ms": str(PACE_MS)})
TIMED = load("sheng30")
LIMIT_MS = TIMED.options.limit_minutes * 60_000


def dealt(*names: str, ruleset_id: str = "multi1", pace: bool = False, deals: int = 2) -> PureTable:
    """A table whose first deal has just started."""
    pure = opened(*names, deals=deals, ruleset=PACED if pace else load(ruleset_id))
    pure.let_time_pass(SEED)
    return pure


def deal_of(pure: PureTable) -> DealState:
    """The running deal."""
    assert isinstance(pure.table.match, MatchState)
    assert pure.table.match.deal is not None
    return pure.table.match.deal


def first_show(pure: PureTable) -> DeclareTrump:
    """Draws on until some seat may show cards for trump."""
    while True:
        for seat in SEATS:
            for act in decider_for(pure.table.ruleset).legal_acts(pure.table.match, seat):
                if isinstance(act, DeclareTrump):
                    return act
        pure.let_time_pass()


# Drawing at a pace


def test_cards_come_round_by_round_at_the_pace_of_the_table() -> None:
    pure = dealt(pace=True)
    began = pure.now_ms
    for drawn in range(PACED.options.hand_size):
        assert (pure.table.phase, pure.table.expected) == (Phase.DEAL, Expected.MOVE_ON)
        assert pure.table.actors == ()
        assert pure.table.deadline_ms == began + (drawn + 1) * ROUND_MS
        assert due_command(pure.table, pure.table.deadline_ms - 1, SEED) is None
        assert due_command(pure.table, pure.table.deadline_ms, SEED) == MoveOn()
        assert deal_of(pure).hand_sizes == (drawn,) * 4
        assert pure.let_time_pass()[0] == CardsDrawn(1)
    assert deal_of(pure).phase is DealPhase.CLOSING
    assert len(pure.table.actors) == 1
    assert not any(isinstance(stored.commit.events[-1], DeadlinePassed) for stored in pure.log)
    assert [holder.timeouts for holder in pure.table.holders] == [0] * 4


def test_nobody_is_routed_to_while_cards_are_drawn() -> None:
    pure = dealt("bot:plain", "bot:plain", "bot:plain", "dave", pace=True)
    message = pure.log[-1].commit.next
    assert (list(message.seats), message.kind) == ([], events_pb2.NEXT_KIND_MOVE_ON)
    assert pure.log[-1].route == "none"
    assert pure.table.deadline_ms == pure.now_ms + ROUND_MS


def test_a_seat_sees_what_it_has_drawn_and_no_more() -> None:
    pure = dealt(pace=True)
    dealt_hands = deal_of(pure).undrawn
    for drawn in range(1, 5):
        pure.let_time_pass()
        for seat in SEATS:
            view = seat_view(pure.table, seat)
            assert sorted(view.hand) == sorted(card + 1 for card in dealt_hands[seat][:drawn])
            assert view.tricks.undrawn == PACED.options.hand_size - drawn
            assert [state.hand_size for state in view.seats] == [drawn] * 4


def test_whoever_declares_while_cards_are_drawn_does_not_hold_them_up() -> None:
    pure = dealt(pace=True)
    show = first_show(pure)
    deadline = pure.table.deadline_ms
    pure.now_ms += 100
    event, *_ = pure.perform(show, by_person=True)
    assert isinstance(event, TrumpDeclared)
    assert pure.table.deadline_ms == deadline
    assert pure.log[-1].route == "none"
    assert isinstance(pure.let_time_pass()[0], CardsDrawn)
    assert folded(pure.log).table == pure.table


def test_only_the_clock_draws_on() -> None:
    pure = dealt()
    with pytest.raises(IllegalCommand) as caught:
        decide(pure.table, MoveOn())
    assert caught.value.code == "state/nothing_due"


def test_a_seat_hosted_while_cards_are_drawn_does_not_hold_them_up() -> None:
    pure = dealt(pace=True)
    deadline = pure.table.deadline_ms
    pure.now_ms += 100
    pure.perform(HostSeat(SEATS[2]))
    assert pure.table.deadline_ms == deadline


# Deadlines of seats


def test_who_is_asked_has_the_time_of_the_phase_and_the_fallback_after_it() -> None:
    pure = dealt()
    seat = pure.table.actors[0]
    options = pure.table.ruleset.options
    assert pure.table.expected is Expected.PHASE
    assert pure.table.clocks.turn_ms == pure.now_ms + 1000 * options.declare_seconds
    events = pure.let_time_pass()
    assert events[-1] == DeadlinePassed(seat, 1)
    assert pure.table.holders[seat].timeouts == 1


def test_a_seat_that_misses_two_deadlines_is_hosted_and_an_act_of_its_own_counts_anew() -> None:
    pure = dealt(ruleset_id="sheng_joker")
    seat = pure.table.actors[0]
    pure.let_time_pass()
    while pure.table.actors != (seat,):
        pure.go_on(Random(1))
    hosted = pure.let_time_pass()
    assert SeatHosted in map(type, hosted)
    assert pure.table.holders[seat].hosted


def test_a_bot_has_no_more_time_than_the_engine_gives_bots() -> None:
    pure = dealt(*["bot:plain"] * 4)
    assert pure.table.deadline_ms == pure.now_ms + BOT_MS
    assert pure.log[-1].route == "bot"


# The end by time


def test_the_whistle_voids_the_running_deal_and_ends_the_match() -> None:
    pure = opened(deals=9, ruleset=TIMED)
    pure.let_time_pass(SEED)
    began = pure.now_ms
    assert (pure.table.began_ms, pure.table.ends_ms) == (began, began + LIMIT_MS)
    pure.now_ms = began + LIMIT_MS - 5_000
    pure.perform(Pass(pure.table.actors[0]), by_person=True)
    assert pure.table.deadline_ms == began + LIMIT_MS
    assert due_command(pure.table, began + LIMIT_MS, SEED) == Whistle()
    events = pure.let_time_pass()
    decided, voided, finished = events
    assert isinstance(decided, MatchDecided)
    assert decided.by is DecidedBy.TIME
    assert isinstance(voided, DealVoided)
    assert voided.reason is VoidReason.TIME_UP
    assert isinstance(finished, MatchFinished)
    assert (pure.table.phase, pure.table.deadline_ms) == (Phase.FINISHED, 0)
    assert pure.log[-1].route == "score"


def test_no_deal_starts_after_the_time_and_the_match_is_decided() -> None:
    pure = opened(deals=9, ruleset=TIMED)
    pure.let_time_pass(SEED)
    rng = Random(2)
    while pure.table.phase is Phase.DEAL:
        pure.go_on(rng)
    pure.now_ms = pure.table.began_ms + LIMIT_MS
    assert due_command(pure.table, pure.now_ms, SEED) == NextDeal(SEED, LIMIT_MS // 1000)
    decided, finished = pure.let_time_pass(SEED)
    assert isinstance(decided, MatchDecided)
    assert isinstance(finished, MatchFinished)
    assert pure.table.phase is Phase.FINISHED
    assert pure.log[-1].route == "none"
    assert folded(pure.log).table == pure.table


def test_the_time_of_the_match_is_known_wherever_the_log_is_read_from() -> None:
    pure = opened(deals=9, ruleset=TIMED)
    pure.let_time_pass(SEED)
    began, rng = pure.table.began_ms, Random(2)
    while pure.table.match.standing.last_number == 0 or pure.table.phase is not Phase.DEAL:
        pure.go_on(rng)
    assert folded(pure.log[-1:]).table.began_ms == began


def test_a_game_without_a_limit_is_never_whistled_off() -> None:
    assert dealt().table.ends_ms == 0


# Leaving


def test_who_leaves_ends_the_match() -> None:
    pure = dealt()
    seat = pure.table.actors[0]
    forfeited, *_, voided, finished = pure.perform(Forfeit(seat), by_person=True)
    assert forfeited == SeatForfeited(seat)
    assert isinstance(voided, DealVoided)
    assert isinstance(finished, MatchFinished)
    assert pure.table.phase is Phase.FINISHED
    assert pure.table.holders[seat].forfeited


# What stays hidden


@given(st.sampled_from(RULESETS), st.binary(min_size=32, max_size=32))
@effort(6)
def test_the_seed_and_the_cards_of_others_stay_hidden_to_the_end_of_the_deal(id: str, seed: bytes) -> None:
    pure, rng = opened(ruleset=load(id)), Random(seed)
    pure.let_time_pass(seed)
    while pure.table.phase is Phase.DEAL:
        hands = deal_of(pure).hands
        for seat in (*SEATS, None):
            view = seat_view(pure.table, seat)
            assert seed not in view.SerializeToString()
            assert sorted(view.hand) == ([] if seat is None else sorted(card + 1 for card in hands[seat]))
            if seat is None or seat != deal_of(pure).kitty_owner:
                assert not view.tricks.kitty
        pure.go_on(rng)
    told = [stored for stored in pure.log if seed in stored.public]
    assert told == ([pure.log[-1]] if told else [])
    for stored in pure.log:
        for event in stored.commit.events:
            if event.HasField("trump_declared") and event.trump_declared.is_face_down:
                assert not event.trump_declared.cards
            assert event.WhichOneof("event") not in ("cards_buried", "hands_dealt")
