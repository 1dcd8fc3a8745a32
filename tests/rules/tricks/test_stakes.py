"""Coins beside the points (§8.8, §12.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import SEATS, SIDES, Seat, Side
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.stakes import coins_won, forfeit_coins, stake, throw_coins

EVERY_STAKE = st.sampled_from(
    [
        load(id).with_options({"base_stake": coins}).options
        for id in available("tricks")
        for coins in dict(load(id).allowed).get("base_stake", ("0",))
    ]
)


def test_every_overturn_doubles_the_stake() -> None:
    """§8.8."""
    options = load("sheng_super").options
    assert [stake(options, overturns) for overturns in range(4)] == [20, 40, 80, 160]
    assert [stake(load("sheng_online").options, overturns) for overturns in range(4)] == [20] * 4


def test_who_wins_gets_what_the_others_pay() -> None:
    """§8.8."""
    assert coins_won(load("sheng_super").options, Side(1), 1) == (-40, 40, -40, 40)


def test_half_a_stake_for_a_failed_throw_goes_to_the_opponents() -> None:
    """§6.4, §8.8."""
    assert throw_coins(load("sheng_online").options, Seat(1)) == (5, -10, 5, 0)


def test_who_leaves_pays_everyone() -> None:
    """§12.2."""
    assert forfeit_coins(load("sheng_super").options, Seat(3), 1) == (40, 40, 40, -120)


@given(EVERY_STAKE, st.sampled_from(SEATS), st.sampled_from(SIDES), st.integers(0, 6))
def test_coins_sum_to_zero(options: TricksOptions, seat: Seat, winners: Side, overturns: int) -> None:
    """§8.8, whatever stake the table chose."""
    assert sum(coins_won(options, winners, overturns)) == 0
    assert sum(throw_coins(options, seat)) == 0
    assert sum(forfeit_coins(options, seat, overturns)) == 0


@pytest.mark.parametrize("id", available("tricks"))
def test_without_stakes_nobody_pays(id: str) -> None:
    """§8.8."""
    options = load(id).options
    if not options.base_stake:
        assert coins_won(options, Side(0), 3) == (0, 0, 0, 0)
        assert throw_coins(options, Seat(0)) == (0, 0, 0, 0)
