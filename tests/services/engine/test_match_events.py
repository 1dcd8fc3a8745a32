"""Matches in events (docs/rules/climbing.md, "Events"); time passes only when the test says so."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.effort import effort
from kit.pure_table import PEOPLE, PureTable, folded, opened
from shuangkou.engine.decider import decide, due_command
from shuangkou.engine.events import Event, MatchFinished
from shuangkou.engine.table import Phase
from shuangkou.engine.views import seat_view
from shuangkou.rules.climbing.events import DealSettled, DealStarted
from shuangkou.rules.commands import Forfeit, Whistle
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.events import DealVoided, VoidReason
from shuangkou.rules.match_events import MatchEvent, load_event
from shuangkou.rules.meeting import Outcome, Reason
from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SEATS, side_of
from shuangkou.v1.events_pb2 import EVENT_REASON_THINKING, VOID_REASON_TIME_UP

ELDERS = load_event("ev_elder")
BLITZ = ELDERS.with_options({"deal_seconds": "5"})
ROUND = load_event("ev_swiss").with_options({"round": "2", "round_seconds": "1:5 2:5 3:5"})
PAUSE_MS = 3_000
DRAWN = bytes([7]) * 32


def seeds(start: int = 0) -> Iterator[bytes]:
    return (number.to_bytes(32, "big") for number in count(start))


def begun(event: MatchEvent, seed: bytes = bytes(32), names: tuple[str, ...] = PEOPLE) -> PureTable:
    """A table of the event whose first deal has just started."""
    pure = opened(*names, event=event)
    pure.let_time_pass(seed)
    return pure


def play_deal(pure: PureTable) -> tuple[Event, ...]:
    """Play the running deal to its end, a second for each act; the events of its last commit."""
    events: tuple[Event, ...] = ()
    while pure.table.phase is Phase.DEAL:
        events = pure.play_lowest()
    return events


def settled_in(events: tuple[Event, ...]) -> DealSettled:
    return next(event for event in events if isinstance(event, DealSettled))


def outcome_in(events: tuple[Event, ...]) -> Outcome | None:
    """How the match ended, if it ended with these."""
    finished = [event for event in events if isinstance(event, MatchFinished)]
    assert finished == list(events[-1:] if finished else ())
    return finished[0].outcome if finished else None


def take_until_bell(pure: PureTable, act_ms: int) -> tuple[Event, ...]:
    """Acts that take so long, until the bell rings; what it does."""
    while pure.table.deadline_ms - pure.now_ms > act_ms:
        pure.now_ms += act_ms - 1000
        pure.play_lowest()
    assert due_command(pure.table, pure.table.deadline_ms, bytes(32)) == Whistle()
    return pure.let_time_pass()


def test_the_event_is_in_the_opening_and_in_every_view() -> None:
    pure = opened(event=ROUND)
    created = pure.log[0].commit.events[0].table_created
    assert (created.deals, created.event.event_id) == (0, "ev_swiss")
    assert dict(created.event.options) == {"round": "2", "round_seconds": "1:5 2:5 3:5"}
    for seat in (None, SEATS[0]):
        view = seat_view(pure.table, seat)
        assert view.event.terms == created.event
        assert (view.deals, view.next.bell_ms) == (0, 0)
    pure.let_time_pass()
    assert seat_view(pure.table, None).next.bell_ms == pure.now_ms + 5_000
    assert not seat_view(opened().table, None).HasField("event")


def test_a_deal_that_one_side_wins_decides_and_a_draw_is_played_again() -> None:
    """Events 1."""
    for seed in seeds():
        pure = begun(ELDERS, seed)
        outcome, drawn = None, 0
        while outcome is None:
            events = play_deal(pure)
            settled, outcome = settled_in(events), outcome_in(events)
            if outcome is None:
                drawn += 1
                assert settled.winning_side is None
                assert pure.table.phase is Phase.BETWEEN_DEALS
                assert seat_view(pure.table, None).event.drawn_deals == drawn
                pure.let_time_pass(bytes([drawn]) + seed[1:])
        assert pure.table.phase is Phase.FINISHED
        assert (pure.table.deadline_ms, pure.table.outcome) == (0, outcome)
        if drawn and drawn < 3:
            assert (outcome.winner, outcome.reason) == (side_of(settled.finish_order[0]), Reason.DEAL)
            assert outcome.drawn == drawn
            return


def test_the_bell_ends_a_deal_for_the_side_that_thought_less() -> None:
    """Events 1, §9.5."""
    pure = begun(BLITZ)
    leader = pure.table.actors[0]
    pure.now_ms += 2_000
    pure.play_lowest()
    assert pure.table.deadline_ms == pure.now_ms + 2_000, "no act has more time than the deal"
    pure.now_ms += 500
    assert pure.table.meeting is not None
    voided, finished = pure.let_time_pass()
    assert isinstance(voided, DealVoided)
    assert voided.reason is VoidReason.TIME_UP
    assert voided.scores == (0, 0, 0, 0)
    assert isinstance(finished, MatchFinished)
    assert finished.outcome is not None
    assert (finished.outcome.winner, finished.outcome.reason) == (1 - side_of(leader), Reason.THINKING)
    assert finished.outcome.think_ms[leader] == 3_000
    assert sum(finished.outcome.think_ms) == 5_000
    stored = pure.log[-1]
    assert (stored.route, stored.commit.actor) == ("score", "someone")
    told, end = (event for event in stored.commit.events)
    assert told.deal_voided.reason == VOID_REASON_TIME_UP
    assert end.match_finished.event.reason == EVENT_REASON_THINKING
    assert end.match_finished.event.terms.event_id == "ev_elder"
    assert seat_view(pure.table, None).event.outcome == end.match_finished.event


def test_equal_times_at_the_bell_are_a_draw_and_three_of_them_a_lot() -> None:
    """Events 1: turns go from side to side, so that four acts of the same time are equal."""
    pure = begun(BLITZ)
    for number in range(1, 4):
        events = take_until_bell(pure, 1_250)
        assert isinstance(events[0], DealVoided)
        outcome = outcome_in(events)
        assert (outcome is None) == (number < 3)
        if outcome is None:
            [started, *_] = pure.let_time_pass(bytes([number]) * 32)
            assert isinstance(started, DealStarted)
            assert started.number == number + 1
    assert outcome is not None
    assert (outcome.reason, outcome.drawn, outcome.think_ms) == (Reason.LOT, 3, (1250,) * 4)


def test_a_late_act_is_forestalled_by_nothing_but_the_log() -> None:
    """An act that is decided after the bell stands, and the bell rings at once after it."""
    pure = begun(BLITZ)
    pure.now_ms += 6_000
    pure.play_lowest()
    assert pure.table.deadline_ms < pure.now_ms
    assert isinstance(pure.let_time_pass()[0], DealVoided)


def test_no_bell_rings_between_deals_or_without_an_event() -> None:
    for pure in (opened(event=BLITZ), opened()):
        with pytest.raises(IllegalCommand, match="no deal to end"):
            decide(pure.table, Whistle())
    pure = opened()
    pure.let_time_pass()
    assert due_command(pure.table, pure.table.deadline_ms, bytes(32)) != Whistle()
    assert not any(stored.commit.next.bell_ms for stored in pure.log)


def test_a_deal_at_the_bell_of_a_round_is_completed_and_level_rounds_take_another() -> None:
    """Events 2."""
    for seed in seeds():
        pure = begun(ROUND, seed)
        rings_ms = seat_view(pure.table, None).next.bell_ms
        outcome, deals = None, 0
        while outcome is None:
            events = play_deal(pure)
            deals, outcome = deals + 1, outcome_in(events)
            assert pure.now_ms > rings_ms, "every act takes a second"
            totals = pure.table.match.standing.totals
            margin = totals[0] + totals[2] - totals[1] - totals[3]
            assert (outcome is None) == (margin == 0)
            if outcome is None:
                pure.let_time_pass(bytes([deals]) + seed[1:])
                assert seat_view(pure.table, None).next.bell_ms == rings_ms
        assert (outcome.winner, outcome.reason) == (int(margin < 0), Reason.TOTALS)
        assert outcome.side_totals == (totals[0] + totals[2], totals[1] + totals[3])
        if deals > 1:
            return


@pytest.mark.parametrize(("left_ms", "goes_on"), [(PAUSE_MS + 1, True), (PAUSE_MS, False)])
def test_a_deal_that_could_not_begin_before_the_bell_is_not_played(left_ms: int, goes_on: bool) -> None:
    """Events 2."""
    for seed in seeds():
        pure = begun(load_event("ev_swiss"), seed)
        rings_ms = seat_view(pure.table, None).next.bell_ms
        while pure.table.phase is Phase.DEAL:
            pure.now_ms = rings_ms - left_ms - 1000
            pure.play_lowest()
        if pure.table.match.standing.totals != (0, 0, 0, 0):
            assert (pure.table.outcome is None) == goes_on
            assert pure.table.phase is (Phase.BETWEEN_DEALS if goes_on else Phase.FINISHED)
            return


def test_a_round_ends_after_its_most_deals() -> None:
    """Events 2."""
    most = load_event("ev_swiss").with_options({"max_deals": "2"})
    for start in count(step=100):
        pure = opened(event=most)
        pure.play_out(seeds(start))
        assert pure.table.match.standing.deals_played >= 2
        if pure.table.match.standing.deals_played == 2:
            return


def test_a_deal_void_for_another_reason_decides_nothing() -> None:
    """Events 1, §9.2: two forfeits; the fines count in the totals all the same."""
    pure = begun(ELDERS)
    for seat in SEATS[:2]:
        events = pure.perform(Forfeit(seat))
    assert isinstance(events[-1], DealVoided)
    assert pure.table.phase is Phase.BETWEEN_DEALS
    assert pure.table.meeting is not None
    assert pure.table.meeting.drawn == 0
    pure.play_out(seeds(5))
    assert pure.table.outcome is not None


@given(st.integers(0, 10**6), st.sampled_from((ELDERS, BLITZ, ROUND)), st.integers(1, 4000))
@effort(12)
def test_whoever_reads_the_log_knows_the_same(start: int, event: MatchEvent, act_ms: int) -> None:
    """From the opening and from the start of every deal."""
    pure, deal_seeds, starts = opened(event=event), seeds(start), [0]
    while pure.table.phase is not Phase.FINISHED:
        if pure.table.phase is Phase.BETWEEN_DEALS:
            starts.append(len(pure.log))
            pure.let_time_pass(next(deal_seeds))
        elif pure.now_ms + act_ms >= pure.table.deadline_ms:
            pure.let_time_pass()
        else:
            pure.now_ms += act_ms - 1000
            pure.play_lowest()
    for first in starts:
        assert folded(pure.log[first:]).table == pure.table


@pytest.mark.parametrize("ruleset_id", ["zsy", "jipai", "landlord52", "bid52"])
def test_the_overlay_is_the_same_on_every_ruleset_that_it_fits(ruleset_id: str) -> None:
    ruleset = load(ruleset_id)
    for event in (ELDERS, ROUND):
        pure = opened(ruleset=ruleset, event=event.on(ruleset))
        pure.play_out(seeds())
        assert pure.table.outcome is not None
        assert folded(pure.log).table == pure.table
