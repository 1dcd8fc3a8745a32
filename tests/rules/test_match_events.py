"""docs/rules/climbing.md, "Events": what deals decide in a knock-out and in timed rounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.rules.match_events import (
    AtBell,
    DecidedBy,
    Decision,
    FinishedDeal,
    available_events,
    decision,
    decision_at_bell,
    load_event,
)
from shuangkou.rules.ruleset import RuleSetError, available, load
from shuangkou.rules.seats import SEATS, Seat, Side
from shuangkou.rules.vectors import Verdict, run_vector

ELDERS, ROUNDS = load_event("ev_elder"), load_event("ev_swiss")
DOUBLE, SINGLE, DRAW = ((1, 3, 0, 2), (0, 1, 2, 3), (1, 0, 2, 3))


def deal(order: tuple[int, ...], scores: tuple[int, ...] = (0, 0, 0, 0)) -> FinishedDeal:
    return FinishedDeal(tuple(map(Seat, order)), scores)


def test_an_event_is_a_row_on_a_ruleset_as_it_is() -> None:
    """Events: nothing of the game changes, and no event is a ruleset."""
    assert set(available_events()).isdisjoint(available())
    for event in map(load_event, available_events()):
        assert load(event.ruleset).id == event.ruleset
        assert event.name_en.isascii()
        assert not event.name_zh.isascii()
    with pytest.raises(RuleSetError, match="ev_elder"):
        load_event("ev_other")


def test_the_rows_have_the_ruled_times() -> None:
    """Events 1, 2."""
    assert (ELDERS.deal_seconds, ELDERS.round_seconds) == (30 * 60, ())
    assert (ROUNDS.deal_seconds, ROUNDS.round_seconds) == (0, (2 * 3600, 2 * 3600, 3600))
    assert (ELDERS.decided_by, ELDERS.at_bell) == (DecidedBy.DEAL, AtBell.LESS_THINKING)
    assert (ROUNDS.decided_by, ROUNDS.at_bell) == (DecidedBy.TOTALS, AtBell.FINISHED)


@pytest.mark.parametrize(
    ("orders", "winner"),
    [((), None), ((DOUBLE,), 1), ((SINGLE,), 0), ((DRAW,), None), ((DRAW, DRAW, DOUBLE), 1)],
)
def test_one_deal_decides_unless_it_is_a_draw(
    orders: tuple[tuple[int, ...], ...], winner: int | None
) -> None:
    """Events 1."""
    decided = decision(ELDERS, [deal(order) for order in orders])
    assert decided == Decision(None if winner is None else Side(winner))
    assert decided.is_open == (winner is None)


@pytest.mark.parametrize(
    ("think_ms", "winner"),
    [((5, 1, 5, 1), 1), ((1, 900, 800, 2), 0), ((3, 4, 3, 2), None), ((0, 0, 0, 0), None)],
)
def test_at_the_bell_the_side_that_thought_longer_loses(
    think_ms: tuple[int, ...], winner: int | None
) -> None:
    """Events 1: equal times decide nothing."""
    assert decision_at_bell(ELDERS, think_ms) == Decision(None if winner is None else Side(winner))
    assert decision_at_bell(ROUNDS, think_ms) is None


def test_a_level_round_needs_one_more_deal() -> None:
    """Events 2."""
    up, down = deal(SINGLE, (4, -4, 4, -4)), deal(DOUBLE, (-4, 4, -4, 4))
    assert decision(ROUNDS, []).is_open
    assert decision(ROUNDS, [up]).winner == 0
    assert decision(ROUNDS, [up, down]).is_open
    assert decision(ROUNDS, [up, down, down]).winner == 1


@given(st.lists(st.tuples(*[st.integers(-99, 99)] * 4), max_size=6))
def test_totals_are_of_sides_and_need_no_order(scores: list[tuple[int, ...]]) -> None:
    """Events 2."""
    deals = [FinishedDeal(SEATS, tuple(one)) for one in scores]
    margin = sum(a + c - b - d for a, b, c, d in scores)
    expected = None if margin == 0 else Side(int(margin < 0))
    assert decision(ROUNDS, deals) == decision(ROUNDS, deals[::-1]) == Decision(expected)


@pytest.mark.parametrize(
    ("vector", "verdict"),
    [
        ({"variant": "ev_elder", "think_ms": [9, 1, 9, 1], "winner_side": 1, "replay": False}, Verdict.OK),
        ({"variant": "ev_elder", "think_ms": [9, 9, 9, 9], "winner_side": None, "replay": True}, Verdict.OK),
        ({"variant": "ev_elder", "order": [0, 1, 2, 3], "winner_side": 1}, Verdict.MISMATCH),
        ({"variant": "ev_swiss", "think_ms": [9, 1, 9, 1], "winner_side": 1}, Verdict.MISMATCH),
    ],
)
def test_vectors_of_events(vector: dict[str, object], verdict: Verdict) -> None:
    assert run_vector(vector | {"kind": "settle"}).verdict is verdict
