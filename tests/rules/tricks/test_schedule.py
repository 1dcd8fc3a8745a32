"""Who deals next (§9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import SEATS, SIDES, Seat, Side, side_of
from shuangkou.rules.tricks.options import Level, Rotation
from shuangkou.rules.tricks.schedule import attackers_of, first_leader, next_declarer, scheduled


@pytest.mark.parametrize("id", available("tricks"))
@pytest.mark.parametrize("declarer", SEATS)
def test_a_deal_that_passes_goes_to_the_next_seat(id: str, declarer: Seat) -> None:
    """§9.1."""
    assert next_declarer(load(id).options, declarer, deal_passes=True) == (declarer + 1) % 4


@pytest.mark.parametrize("declarer", SEATS)
def test_a_deal_that_is_held_stays_on_its_side(declarer: Seat) -> None:
    """§9.1."""
    plain, same = load("multi2").options, load("fanzhu").options
    assert next_declarer(plain, declarer, deal_passes=False) == (declarer + 2) % 4
    assert next_declarer(same, declarer, deal_passes=False) == declarer


@pytest.mark.parametrize(
    ("id", "sheet"),
    [
        ("eight_deals", "2E 3N 4W 5S 5E 6N 7W 8S"),
        ("sixteen_deals", "2E 3N 4W 5S 5E 6N 7W 8S 9E TN TW JS QE KN KW AS"),
    ],
)
def test_the_score_sheets_name_every_deal(id: str, sheet: str) -> None:
    """§9.2; seat 0 is east."""
    options = load(id).options
    for number, cell in enumerate(sheet.split(), start=1):
        deal = scheduled(options, number)
        assert deal.level is Level(cell[0])
        assert "ENWS"[deal.declarer] == cell[1]
    for number in (0, len(sheet.split()) + 1):
        with pytest.raises(LookupError, match=str(number)):
            scheduled(options, number)


@pytest.mark.parametrize("declarer", SEATS)
def test_in_a_fixed_schedule_nobody_continues(declarer: Seat) -> None:
    """§9.2."""
    options = load("eight_deals").options
    assert options.rotation is Rotation.FIXED
    assert next_declarer(options, declarer, deal_passes=False) == (declarer + 1) % 4


@given(st.sampled_from(SIDES), st.integers(1, 100))
def test_roles_alternate_deal_by_deal(first: Side, number: int) -> None:
    """§9.3."""
    assert attackers_of(first, 1) == first
    assert attackers_of(first, number) != attackers_of(first, number + 1)


@pytest.mark.parametrize("shower", SEATS)
@pytest.mark.parametrize("holders", SIDES)
def test_the_holders_lead(shower: Seat, holders: Side) -> None:
    """§9.3: the seat of the last show if it is one of them."""
    leader = first_leader(shower, holders)
    assert side_of(leader) == holders
    assert leader in (shower, (shower + 1) % 4)
