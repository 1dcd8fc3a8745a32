"""Chances that follow from one another: whoever beats a play is counted once, in every game."""

from __future__ import annotations

import pytest

from shuangkou.fastplay.climbing.tables import BEATERS, CHAIN, PLAY_COUNT, WORDS, game_of, set_of
from shuangkou.fastplay.guard import Gains
from shuangkou.rules.ruleset import available, load


@pytest.mark.parametrize("id", available("climbing"))
def test_the_chain_leads_to_all_that_beat_a_play(id: str) -> None:
    t = game_of(load(id).options).tables
    plays, words, at = int(t[PLAY_COUNT]), int(t[WORDS]), int(t[CHAIN])
    beaten_by: dict[int, int] = {-1: 0}
    for _ in range(plays):
        play, base, more = t[at : at + 3].tolist()
        members = t[at + 3 : at + 3 + more].tolist()
        at += 3 + more
        added = sum(1 << member for member in members)
        assert added.bit_count() == len(members)
        assert not added & beaten_by[base]
        beaten_by[play] = beaten_by[base] | added
    rows = t[t[BEATERS] : t[BEATERS] + plays * words].reshape(plays, words)
    assert [beaten_by[play] for play in range(plays)] == [set_of(row) for row in rows]


def gains_of(*points: float) -> Gains:
    gains = Gains()
    for gain in points:
        gains.add(gain)
    return gains


def test_a_gain_is_believed_when_there_are_enough_worlds_for_an_interval() -> None:
    few, many = gains_of(*[1.0, 3.0] * 4), gains_of(*[1.0, 3.0] * 20)
    assert not few.is_believed
    assert many.is_believed
    assert many.mean == pytest.approx(2)
    assert many.error == pytest.approx((40 / 39) ** 0.5 / 40**0.5)
    assert many.is_above(12)
    assert not many.is_above(13)


def test_a_gain_that_is_always_the_same_needs_no_margin() -> None:
    assert gains_of(*[1.0] * 20).is_above(100)
    assert not gains_of(*[0.0] * 20).is_above(0)
    assert not gains_of(*[-1.0] * 20).is_above(-100)
