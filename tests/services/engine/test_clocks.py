"""Time banks and credits: *Clocks and defaults* of docs/rules/climbing.md, and the same for tricks."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.effort import effort
from kit.pure_table import BOT_MS, PureTable, dealt, folded, opened
from shuangkou.engine.commands import Command, HostSeat, ReclaimSeat, TimeUp
from shuangkou.engine.deadlines import GRACE_MS, Moment, due_ms
from shuangkou.engine.decider import overdue
from shuangkou.engine.events import (
    DeadlinePassed,
    Event,
    SeatHosted,
    SeatReclaimed,
    TimeBankUsed,
    TimeCredited,
)
from shuangkou.engine.table import Phase, Table
from shuangkou.engine.views import seat_view
from shuangkou.rules.decider import decider_for
from shuangkou.rules.errors import IllegalCommand
from shuangkou.rules.ruleset import AnyRuleSet, available, load
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.v1.events_pb2 import Commit

BANK = {"turn_seconds": "5", "lead_seconds": "10", "time_bank_seconds": "15"}
QQ = load("qq").with_options(BANK)
SINGLE = load("single54").with_options(BANK)
RULESETS = st.sampled_from(("qq", "single54", "landlord52", "sheng_online"))


def until_play(pure: PureTable) -> Seat:
    """Let time pass until a seat leads or follows; that seat."""
    rng = Random(1)
    while pure.table.expected.value not in ("lead", "follow"):
        pure.go_on(rng)
    return pure.table.actors[0]


def leading(pure: PureTable) -> Seat:
    until_play(pure)
    assert pure.table.expected.value == "lead"
    return pure.table.actors[0]


def wait_into_bank(pure: PureTable, bank_ms: int) -> None:
    """Until so much of the bank of the seat to act has run down."""
    pure.now_ms = pure.table.clocks.turn_ms + bank_ms


def act(pure: PureTable) -> tuple[Event, ...]:
    """The seat to act does what is its default, now, by itself."""
    return pure.act_default()


# The time bank


@pytest.mark.parametrize("ruleset", [QQ, SINGLE], ids=["climbing", "tricks"])
def test_after_the_time_of_the_turn_the_time_bank_runs(ruleset: AnyRuleSet) -> None:
    pure = dealt(ruleset=ruleset)
    leading(pure)
    clocks, began = pure.table.clocks, pure.log[-1].commit.time_ms
    assert (clocks.turn_ms - began, clocks.deadline_ms - began) == (10_000, 25_000)
    act(pure)
    clocks, began = pure.table.clocks, pure.now_ms
    assert (clocks.turn_ms - began, clocks.deadline_ms - began) == (5_000, 20_000)


def test_an_act_within_the_time_of_the_turn_costs_no_bank() -> None:
    pure = dealt(ruleset=QQ)
    seat = pure.table.actors[0]
    pure.now_ms = pure.table.clocks.turn_ms
    assert not [event for event in act(pure) if isinstance(event, TimeBankUsed)]
    assert pure.table.clocks.banks_ms[seat] == 15_000


@pytest.mark.parametrize("ruleset", [QQ, SINGLE], ids=["climbing", "tricks"])
def test_what_was_used_of_the_bank_is_a_fact_of_the_log(ruleset: AnyRuleSet) -> None:
    pure = dealt(ruleset=ruleset)
    seat = leading(pure)
    wait_into_bank(pure, 4_000)
    assert act(pure)[0] == TimeBankUsed(seat, used_ms=4_000, left_ms=11_000)
    used = pure.log[-1].commit.events[0].time_bank_used
    assert (used.seat, used.used_ms, used.left_ms) == (seat, 4_000, 11_000)
    assert pure.table.clocks.banks_ms[seat] == 11_000
    assert folded(pure.log).table == pure.table


def test_the_bank_of_a_seat_shortens_its_next_deadline_and_nobody_elses() -> None:
    pure = dealt(ruleset=QQ)
    seat = pure.table.actors[0]
    wait_into_bank(pure, 4_000)
    act(pure)
    while pure.table.actors != (seat,):
        clocks = pure.table.clocks
        assert clocks.deadline_ms - clocks.turn_ms == 15_000
        act(pure)
    clocks = pure.table.clocks
    assert clocks.deadline_ms - clocks.turn_ms == 11_000


def test_a_missed_deadline_has_used_up_the_bank() -> None:
    pure = dealt(ruleset=QQ)
    seat = pure.table.actors[0]
    events = pure.let_time_pass()
    assert events[0] == TimeBankUsed(seat, used_ms=15_000, left_ms=0)
    assert DeadlinePassed(seat, 1) in events
    while pure.table.actors != (seat,):
        act(pure)
    clocks = pure.table.clocks
    assert clocks.deadline_ms == clocks.turn_ms
    assert not [event for event in pure.let_time_pass() if isinstance(event, TimeBankUsed)]


def test_every_deal_begins_with_full_banks() -> None:
    pure = dealt(deals=2, ruleset=QQ)
    pure.let_time_pass()
    while pure.table.phase is Phase.DEAL:
        pure.play_lowest()
    pure.let_time_pass()
    assert pure.table.clocks.banks_ms == (15_000,) * 4


def test_a_bot_has_no_time_bank() -> None:
    pure = dealt(*["bot:plain"] * 4, ruleset=QQ)
    assert pure.table.clocks.deadline_ms == pure.now_ms + BOT_MS
    assert not [event for event in pure.let_time_pass() if isinstance(event, TimeBankUsed)]


def test_who_hands_its_seat_to_a_bot_has_used_its_bank_until_then() -> None:
    pure = dealt(ruleset=QQ)
    seat, deadline = pure.table.actors[0], pure.table.deadline_ms
    wait_into_bank(pure, 2_000)
    assert pure.perform(HostSeat(seat))[0] == TimeBankUsed(seat, 2_000, 13_000)
    pure.now_ms += 1_000
    pure.perform(ReclaimSeat(seat), by_person=True)
    assert pure.table.deadline_ms == deadline
    pure.now_ms += 1_000
    assert act(pure)[0] == TimeBankUsed(seat, 2_000, 11_000)


def test_who_takes_its_seat_back_has_the_time_that_it_would_have_had() -> None:
    pure = dealt(ruleset=QQ)
    seat, deadline = pure.table.actors[0], pure.table.deadline_ms
    pure.perform(HostSeat(seat))
    assert pure.table.deadline_ms == pure.now_ms + BOT_MS
    pure.now_ms += 1_000
    pure.perform(ReclaimSeat(seat), by_person=True)
    assert pure.table.deadline_ms == deadline


def test_a_late_answer_does_not_make_an_act_late() -> None:
    """§8.4: time is judged when a request arrives, not when it is decided."""
    pure = dealt(ruleset=QQ)
    seat = pure.table.actors[0]
    arrived = pure.table.clocks.turn_ms - 1
    pure.now_ms = pure.table.deadline_ms + 500
    assert not [event for event in pure.act_default(arrived_ms=arrived) if isinstance(event, TimeBankUsed)]
    assert pure.table.clocks.banks_ms[seat] == 15_000


def test_what_arrives_after_its_deadline_comes_after_what_was_due() -> None:
    pure = dealt(ruleset=QQ)
    seat, deadline = pure.table.actors[0], pure.table.deadline_ms
    play = decider_for(QQ).fallback(pure.table.match, seat)
    decided = deadline + 900

    def first(command: Command, arrived_ms: int, lost_ms: int = 0) -> Command | None:
        return overdue(pure.table, command, Moment(decided, arrived_ms, lost_ms), bytes(32))

    assert first(play, deadline) == TimeUp(seat)
    assert first(play, deadline - 1) is None, "it was in time, however late it is decided"
    assert first(HostSeat(seat), deadline + 10) == TimeUp(seat)
    assert first(play, deadline + 10, lost_ms=100) is None, "nobody could be served then"
    assert first(HostSeat(SEATS[(seat + 1) % 4]), deadline + 10) is None, "it is not about that turn"


def test_the_engine_waits_a_moment_for_what_a_person_sent_in_time_and_not_for_bots() -> None:
    pure = dealt(ruleset=QQ)
    assert due_ms(pure.table) == pure.table.deadline_ms + GRACE_MS
    bots = dealt(*["bot:plain"] * 4, ruleset=QQ)
    assert due_ms(bots.table) == bots.table.deadline_ms
    assert due_ms(opened("alice", "", "", "").table) == 0


def test_views_show_the_banks_and_when_they_begin_to_run() -> None:
    pure = dealt(ruleset=QQ)
    seat = pure.table.actors[0]
    wait_into_bank(pure, 4_000)
    act(pure)
    view = seat_view(pure.table, None)
    assert [state.bank_ms for state in view.seats] == [11_000 if each == seat else 15_000 for each in SEATS]
    assert (view.next.turn_ms, view.next.deadline_ms) == (pure.now_ms + 5_000, pure.now_ms + 20_000)


# Credits


@pytest.mark.parametrize("ruleset", [QQ, SINGLE], ids=["climbing", "tricks"])
def test_a_credit_moves_the_clock_of_the_turn_and_costs_no_bank(ruleset: AnyRuleSet) -> None:
    """§8.4."""
    pure = dealt(ruleset=ruleset)
    seat = leading(pure)
    before = pure.table.clocks
    pure.now_ms = before.deadline_ms + 60_000
    events = pure.act_default(lost_ms=75_000)
    assert events[0] == TimeCredited(75_000)
    assert not [event for event in events if isinstance(event, TimeBankUsed)]
    assert pure.table.clocks.banks_ms[seat] == 15_000
    assert folded(pure.log).table == pure.table


def test_a_credit_alone_leaves_all_else_as_it_is() -> None:
    pure = dealt(ruleset=QQ)
    before = pure.table
    pure.now_ms = before.deadline_ms + 60_000
    assert pure.credit(70_000) == (TimeCredited(70_000),)
    after = pure.table
    assert after.clocks.deadline_ms == before.clocks.deadline_ms + 70_000
    assert after.clocks.turn_ms == before.clocks.turn_ms + 70_000
    assert (after.match, after.holders, after.actors) == (before.match, before.holders, before.actors)
    assert folded(pure.log).table == after


def test_a_bell_and_the_limit_of_a_match_are_credited_too() -> None:
    pure = dealt(ruleset=load("sheng_joker"))
    ends_ms = pure.table.ends_ms
    assert ends_ms
    pure.now_ms += 60_000
    pure.credit(60_000)
    assert pure.table.ends_ms == ends_ms + 60_000
    assert folded(pure.log).table == pure.table


def test_old_logs_without_turn_times_still_fold() -> None:
    """Commits of an engine that knew no time bank: the deadline was the end of the turn."""
    pure = dealt(ruleset=QQ)
    pure.play_lowest()
    old = [stored.with_public(_as_before_time_banks(stored.commit)) for stored in pure.log]
    table = folded(old).table
    assert table.clocks.turn_ms == table.deadline_ms == pure.table.deadline_ms
    assert table.match == pure.table.match


def _as_before_time_banks(commit: Commit) -> Commit:
    commit.next.ClearField("turn_ms")
    return commit


# Laws


def same_turn(before: Table, after: Table, events: tuple[Event, ...]) -> bool:
    """The same seat is asked for the same act, and a person is to do it all the while."""
    hosting = any(isinstance(event, SeatHosted | SeatReclaimed) for event in events)
    people = all(
        not table.holders[seat].is_played_by_bot for table in (before, after) for seat in before.actors
    )
    return bool(before.actors) and before.match is after.match and people and not hosting


@given(ruleset_id=RULESETS, seed=st.binary(min_size=32, max_size=32))
@effort(12)
def test_within_one_turn_no_deadline_moves_back(ruleset_id: str, seed: bytes) -> None:
    """Whatever happens, and whatever is credited; hosting by one's own wish apart."""
    rng = Random(seed)
    pure = opened("alice", "bob", "bot:plain", "dave", deals=2, ruleset=load(ruleset_id))
    for _ in range(120):
        if pure.table.phase is Phase.FINISHED:
            break
        before = pure.table
        events = _something(pure, rng)
        after = pure.table
        if same_turn(before, after, events):
            assert after.deadline_ms >= before.deadline_ms
            assert after.clocks.turn_ms >= before.clocks.turn_ms
        assert all(0 <= bank <= 15_000 for bank in after.clocks.banks_ms)
        assert after.clocks.time_ms >= before.clocks.time_ms
    assert folded(pure.log).table == pure.table


def _something(pure: PureTable, rng: Random) -> tuple[Event, ...]:
    pure.now_ms += rng.choice((0, 1, 700, 12_000))
    choice = rng.random()
    seat = rng.choice(SEATS)
    try:
        if choice < 0.15:
            return pure.perform(HostSeat(seat))
        if choice < 0.3:
            return pure.perform(ReclaimSeat(seat), by_person=True)
    except IllegalCommand:
        return ()
    if choice < 0.4 and pure.table.phase is Phase.DEAL:
        return pure.credit(rng.randrange(1, 50_000))
    if pure.now_ms >= pure.table.deadline_ms or choice < 0.5:
        return pure.let_time_pass(rng.randbytes(32))
    return pure.go_on(rng)


def test_every_ruleset_has_a_time_bank_and_no_shorter_time_to_lead() -> None:
    for ruleset_id in available():
        options = load(ruleset_id).options
        assert options.time_bank_seconds == 15
        assert options.lead_seconds >= options.turn_seconds


# What was decided before an outage


def test_a_credit_makes_no_decision_stale_and_anything_else_does() -> None:
    pure = dealt(ruleset=QQ)
    seat = until_play(pure)
    seen = pure.table.version
    assert not pure.warm.is_current(seen - 1)
    for _ in range(2):
        pure.credit(lost_ms=2_000)
        for warm in (pure.warm, folded(pure.log)):
            assert [warm.is_current(seen + more) for more in (-1, 0, pure.table.version - seen)] == [
                False,
                True,
                True,
            ]
            assert not warm.is_current(pure.table.version + 1)
    pure.perform(HostSeat(SEATS[(seat + 1) % 4]))
    hosted = pure.table.version
    for warm in (pure.warm, folded(pure.log)):
        assert [warm.is_current(version) for version in (seen, hosted - 1, hosted)] == [False, False, True]


def test_an_act_that_gives_back_time_by_the_way_makes_decisions_stale() -> None:
    pure = dealt(ruleset=QQ)
    until_play(pure)
    seen = pure.table.version
    assert isinstance(pure.act_default(lost_ms=2_000)[0], TimeCredited)
    assert not pure.warm.is_current(seen)
    assert not folded(pure.log).is_current(seen)
