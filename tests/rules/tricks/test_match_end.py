"""Who is ahead when the deals or the time run out (§10.6 to §10.9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.rules.ruleset import load
from shuangkou.rules.seats import SIDES, Side
from shuangkou.rules.tricks.match_end import SideRecord, are_deals_over, leader, winner_at_end
from shuangkou.rules.tricks.options import Level, TricksOptions

PLAIN: TricksOptions = load("multi2").options
BIG: TricksOptions = load("eight_deals").options
HEAVEN: TricksOptions = load("tian5").options
LEVEL = (SideRecord(), SideRecord())

some_record = st.builds(
    SideRecord, st.sampled_from(PLAIN.ladder), st.integers(0, 9), st.just(0), st.integers(0, 400)
)


@pytest.mark.parametrize(
    ("first", "second", "ahead"),
    [
        (SideRecord(Level.NINE), SideRecord(Level.TEN, 4), 1),
        (SideRecord(Level.NINE, 5, 0, 300), SideRecord(Level.NINE, 4, 0, 100), 1),
        (SideRecord(Level.NINE, 4, 0, 300), SideRecord(Level.NINE, 4, 0, 100), 0),
        (SideRecord(Level.TWO, 0, 0, 40), SideRecord(Level.TWO, 0, 0, 60), 1),
        (SideRecord(Level.NINE, 4, 0, 300), SideRecord(Level.NINE, 4, 0, 300), None),
    ],
)
def test_the_higher_level_leads_then_who_was_there_first(
    first: SideRecord, second: SideRecord, ahead: int | None
) -> None:
    """§10.7."""
    assert leader(PLAIN, (first, second)) == ahead


@given(some_record, some_record)
def test_sides_are_judged_alike(one: SideRecord, other: SideRecord) -> None:
    """§10.7: to change places changes the winner."""
    ahead, turned = leader(PLAIN, (one, other)), leader(PLAIN, (other, one))
    assert (ahead is None) == (turned is None)
    assert ahead is None or ahead != turned


@pytest.mark.parametrize("options", [BIG, HEAVEN])
def test_more_points_lead_then_what_was_taken(options: TricksOptions) -> None:
    """§10.6."""
    assert leader(options, (SideRecord(points=3), SideRecord(points=2, attacking=500))) == Side(0)
    assert leader(options, (SideRecord(attacking=95), SideRecord(attacking=100))) == Side(1)
    assert leader(options, LEVEL) is None


@pytest.mark.parametrize("lot", SIDES)
def test_only_big_points_can_be_drawn(lot: Side) -> None:
    """§10.6, §10.7."""
    assert winner_at_end(BIG, LEVEL, lot) is None
    assert winner_at_end(HEAVEN, LEVEL, lot) == lot
    at_two = SideRecord(Level.TWO)
    assert winner_at_end(PLAIN, (at_two, at_two), lot) == lot
    assert winner_at_end(PLAIN, (SideRecord(Level.NINE, 3), SideRecord(Level.TEN, 3)), lot) == Side(1)


def test_a_fixed_number_of_deals() -> None:
    """§10.6."""
    assert [are_deals_over(BIG, played, LEVEL) for played in (0, 7, 8, 9)] == [False, False, True, True]


def test_two_more_deals_for_match_points_that_are_level() -> None:
    """§10.6; both are played, and there are no others."""
    ahead = (SideRecord(points=2), SideRecord())
    assert [are_deals_over(HEAVEN, played, ahead) for played in (7, 8)] == [False, True]
    assert [are_deals_over(HEAVEN, 9, records) for records in (LEVEL, ahead)] == [False, False]
    assert [are_deals_over(HEAVEN, 8, LEVEL), are_deals_over(HEAVEN, 10, LEVEL)] == [False, True]


def test_a_match_without_a_number_of_deals_ends_some_day() -> None:
    """§10.8."""
    at_two = (SideRecord(Level.TWO), SideRecord(Level.TWO))
    assert [are_deals_over(PLAIN, played, at_two) for played in (99, 100)] == [False, True]
