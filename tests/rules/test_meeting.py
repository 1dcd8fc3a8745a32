"""docs/rules/climbing.md, "Events": what the deals of a match decide, and what the bell does."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.climbing_table import QQ
from shuangkou.rules.climbing.events import winning_side
from shuangkou.rules.climbing.record import winners_by_place
from shuangkou.rules.climbing.settlement import DealRecord, settle
from shuangkou.rules.match_events import load_event
from shuangkou.rules.meeting import (
    OPEN,
    Decision,
    EndedDeal,
    Meeting,
    Reason,
    after_deal,
    after_start,
    bell_ms,
    clocked,
    decision,
    outcome,
    stop_ms,
)
from shuangkou.rules.seats import SEATS, Seat, Side

ELDERS, ROUNDS = load_event("ev_elder"), load_event("ev_swiss")
NOTHING = (0, 0, 0, 0)
START_MS = 1_000_000
BEGUN = after_start(clocked(Meeting(), (), START_MS))
SECOND_HAND = ELDERS.with_options({"lot_after": "0"})


def won(side: int | None, totals: tuple[int, ...] = NOTHING, deals: int = 1, next_ms: int = 0) -> EndedDeal:
    return EndedDeal(None if side is None else Side(side), totals, deals, next_ms)


def elders(*winners: int | None) -> Decision:
    """What these deals decide in a row."""
    meeting, decided = BEGUN, OPEN
    for winner in winners:
        assert decided.is_open
        meeting = after_deal(ELDERS, meeting, won(winner))
        decided = decision(ELDERS, meeting, won(winner))
    return decided


@pytest.mark.parametrize(
    ("order", "winner"), [((1, 3, 0, 2), 1), ((0, 1, 2, 3), 0), ((1, 0, 2, 3), None), ((3, 0, 2, 1), None)]
)
def test_a_deal_is_won_by_the_head_s_side_unless_it_is_a_draw(order: tuple[int, ...], winner: int) -> None:
    """§6.2, Events 1."""
    places = tuple(map(Seat, order))
    result = settle(QQ.options, DealRecord(places)).result
    assert winning_side(result, winners_by_place(QQ.options, places)) == winner


def test_one_deal_decides_unless_it_is_a_draw() -> None:
    """Events 1."""
    assert elders().is_open
    assert elders(1) == Decision(Side(1), Reason.DEAL)
    assert elders(None).is_open
    assert elders(None, None, 0) == Decision(Side(0), Reason.DEAL)


def test_after_three_draws_a_lot_decides_that_everybody_can_check() -> None:
    """Events 1: drawn from the seed of the last deal, as evenly as coins fall."""
    drawn = replace(BEGUN, drawn=3)
    sides = Counter(
        decision(ELDERS, drawn, replace(won(None), seed=number.to_bytes(32, "big"))).winner
        for number in range(400)
    )
    assert set(sides) == {0, 1}
    assert max(sides.values()) < 260
    assert elders(None, None, None).reason is Reason.LOT
    assert decision(SECOND_HAND, replace(BEGUN, drawn=50), won(None)).is_open


def test_a_void_deal_is_no_draw() -> None:
    """Events 1, §9.2."""
    void = replace(won(None), is_void=True)
    almost = replace(BEGUN, drawn=2)
    assert after_deal(ELDERS, almost, void) == almost
    assert decision(ELDERS, replace(BEGUN, drawn=3), void).is_open


@pytest.mark.parametrize(
    ("think_ms", "winner"),
    [((5, 1, 5, 1), 1), ((1, 900, 800, 2), 0), ((3, 4, 3, 2), None), (NOTHING, None)],
)
def test_at_the_bell_the_side_that_thought_longer_loses(
    think_ms: tuple[int, ...], winner: int | None
) -> None:
    """Events 1: equal times decide nothing, and count as a draw."""
    stopped = replace(won(None), is_stopped=True)
    after = after_deal(ELDERS, replace(BEGUN, think_ms=think_ms), stopped)
    assert after.drawn == (winner is None)
    expected = OPEN if winner is None else Decision(Side(winner), Reason.THINKING)
    assert decision(ELDERS, after, stopped) == expected


def test_only_the_seats_to_act_think_and_only_forwards() -> None:
    """Events 1."""
    meeting = clocked(BEGUN, (Seat(1),), START_MS + 700)
    meeting = clocked(meeting, (Seat(2), Seat(3)), START_MS + 1000)
    assert meeting.think_ms == (0, 700, 300, 300)
    assert clocked(meeting, (Seat(1),), START_MS) == meeting
    assert clocked(meeting, (), START_MS + 5000).think_ms == meeting.think_ms
    again = after_start(clocked(meeting, (), START_MS + 9000))
    assert (again.began_ms, again.deal_ms, again.think_ms) == (START_MS, START_MS + 9000, NOTHING)


@given(st.lists(st.tuples(st.sets(st.sampled_from(SEATS)), st.integers(0, 10**6)), max_size=20))
def test_thinking_is_a_sum_over_moments(moments: list[tuple[set[Seat], int]]) -> None:
    meeting, now = BEGUN, START_MS
    expected = Counter[Seat]()
    for actors, passed in moments:
        now += passed
        meeting = clocked(meeting, actors, now)
        expected.update(dict.fromkeys(actors, passed))
    assert meeting.think_ms == tuple(expected[seat] for seat in SEATS)
    assert meeting.seen_ms == now


def test_the_bell_is_that_of_the_deal_or_of_the_round() -> None:
    """Events 1, 2."""
    later = after_start(clocked(BEGUN, (), START_MS + 9000))
    assert bell_ms(ELDERS, Meeting()) == bell_ms(ROUNDS, Meeting()) == 0
    assert bell_ms(ELDERS, later) == stop_ms(ELDERS, later) == START_MS + 9000 + 1800_000
    assert bell_ms(ROUNDS, later) == START_MS + 7200_000
    assert bell_ms(ROUNDS.with_options({"round": "3"}), later) == START_MS + 3600_000
    assert stop_ms(ROUNDS, later) == 0


def test_a_round_goes_on_until_the_bell_and_a_level_one_takes_another_deal() -> None:
    """Events 2: what could not begin before the bell is not played."""
    rings = bell_ms(ROUNDS, BEGUN)
    up, level = (4, -4, 4, -4), (4, 2, -2, 0)
    assert decision(ROUNDS, BEGUN, won(0, up, 7, rings - 1)).is_open
    assert decision(ROUNDS, BEGUN, won(0, up, 7, rings)) == Decision(Side(0), Reason.TOTALS)
    assert decision(ROUNDS, BEGUN, won(1, level, 7, rings + 9)).is_open
    assert decision(ROUNDS, BEGUN, won(1, (4, -3, -2, 6), 8, rings + 99)).winner == 1
    assert decision(ROUNDS, BEGUN, replace(won(None, up, 0, rings), is_void=True)).winner == 0


def test_a_hundred_deals_are_a_round() -> None:
    """Events 2."""
    up = (1, 0, 0, 0)
    assert decision(ROUNDS, BEGUN, won(0, up, 99)).is_open
    assert decision(ROUNDS, BEGUN, won(0, up, 100)).winner == 0
    assert decision(ROUNDS.with_options({"max_deals": "2"}), BEGUN, won(0, up, 2)).winner == 0


@given(st.tuples(*[st.integers(-999, 999)] * 4))
def test_totals_are_of_sides(totals: tuple[int, ...]) -> None:
    """Events 2."""
    margin = totals[0] + totals[2] - totals[1] - totals[3]
    decided = decision(ROUNDS, BEGUN, won(None, totals, next_ms=bell_ms(ROUNDS, BEGUN)))
    assert decided.winner == (None if margin == 0 else int(margin < 0))


def test_the_outcome_says_who_won_and_why() -> None:
    meeting = replace(BEGUN, drawn=1, think_ms=(1, 2, 3, 4))
    assert outcome(ELDERS, meeting, won(None)) is None
    told = outcome(ELDERS, meeting, won(1, (0, 2, 1, 3)))
    assert told is not None
    assert (told.winner, told.reason, told.side_totals) == (1, Reason.DEAL, (1, 5))
    assert (told.think_ms, told.drawn) == ((1, 2, 3, 4), 1)
