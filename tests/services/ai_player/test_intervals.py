"""What an interval of few deals may claim, held to published tables and to drawn deals."""

from __future__ import annotations

from random import Random

import pytest

from shuangkou.ai_player.intervals import mean_of, share_of, student_t

TABLE = {1: 12.706, 2: 4.303, 5: 2.571, 9: 2.262, 10: 2.228, 12: 2.179, 20: 2.086, 30: 2.042, 60: 2.000}
TABLE |= {120: 1.980, 100_000: 1.960}


@pytest.mark.parametrize(("freedom", "t"), TABLE.items())
def test_students_t_is_that_of_the_tables(freedom: int, t: float) -> None:
    assert student_t(freedom) == pytest.approx(t, abs=0.0006)


def test_two_deals_say_little() -> None:
    measured = mean_of([5.0, 7.0])
    assert (measured.mean, measured.deals) == (6.0, 2)
    assert measured.low == pytest.approx(6 - 12.706, abs=0.001)


def test_many_deals_say_what_the_normal_curve_says() -> None:
    values = [float(number % 7) for number in range(700)]
    measured = mean_of(values)
    assert measured.high - measured.mean == pytest.approx(1.9634 * 2.00143 / 700**0.5, rel=1e-4)


@pytest.mark.parametrize("count", [2, 3, 20, 400])
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_a_share_stays_a_share_and_is_never_certain(value: float, count: int) -> None:
    measured = share_of([value] * count)
    assert 0 <= measured.low <= measured.mean == value <= measured.high <= 1
    assert measured.high - measured.low > 1 / count**2


def test_all_or_nothing_has_the_interval_of_wilson() -> None:
    """81 of 263, the example of Newcombe's comparison of intervals (1998): 0.2553 to 0.3662."""
    measured = share_of([1.0] * 81 + [0.0] * 182)
    assert (measured.low, measured.high) == pytest.approx((0.2553, 0.3662), abs=0.0001)


def test_halves_tell_more_than_all_or_nothing() -> None:
    halves, whole = share_of([0.5, 0.5, 1.0, 0.0] * 25), share_of([1.0, 0.0] * 50)
    assert halves.high - halves.low < 0.8 * (whole.high - whole.low)


@pytest.mark.parametrize("chances", [(0.02, 0.1, 0.88), (0.3, 0.4, 0.3), (0.05, 0.9, 0.05)])
@pytest.mark.parametrize("count", [5, 20, 100])
def test_nineteen_intervals_of_twenty_hold_the_truth(chances: tuple[float, ...], count: int) -> None:
    chance, truth = Random(7), chances[1] / 2 + chances[2]
    drawn = (share_of(chance.choices((0.0, 0.5, 1.0), chances, k=count)) for _ in range(2000))
    held = sum(measured.low <= truth <= measured.high for measured in drawn)
    assert held / 2000 > 0.93


def test_one_deal_has_no_interval() -> None:
    for interval in (mean_of, share_of):
        with pytest.raises(ValueError, match="two deals"):
            interval([1.0])
