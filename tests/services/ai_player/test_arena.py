"""Duplicate deals: what they take out of the luck of the cards."""

from __future__ import annotations

from functools import partial

import pytest

from shuangkou.ai_player import arena
from shuangkou.ai_player.climbing.chance import choose_at_random
from shuangkou.ai_player.climbing.rule_policy import choose
from shuangkou.ai_player.personas import PLAIN
from shuangkou.rules.ruleset import load

QQ = load("qq")


@pytest.mark.parametrize("policy", [choose_at_random, partial(choose, persona=PLAIN)])
def test_a_policy_is_exactly_as_good_as_itself(policy: arena.Policy) -> None:
    report = arena.compare(QQ, policy, policy, arena.seeds_from("mirror", 8))
    assert (report.score.mean, report.score.low, report.score.high) == (0, 0, 0)
    assert report.won.mean == 0.5


def test_swapping_the_policies_turns_the_result_around() -> None:
    plain, seeds = partial(choose, persona=PLAIN), arena.seeds_from("turned", 8)
    there = arena.compare(QQ, plain, choose_at_random, seeds)
    back = arena.compare(QQ, choose_at_random, plain, seeds)
    assert there.score.mean == -back.score.mean


def test_an_interval_shrinks_with_the_deals() -> None:
    deals = [arena.Duplicate((4, 0), (True, False)), arena.Duplicate((0, -4), (True, True))]
    few, many = arena.report_on(deals).score, arena.report_on(deals * 25).score
    assert few.mean == many.mean == 0
    assert few.low < many.low < 0 < many.high < few.high
    assert many.deals == 50
    with pytest.raises(ValueError, match="two deals"):
        arena.report_on(deals[:1])


def test_seeds_are_the_same_for_the_same_label() -> None:
    assert arena.seeds_from("a", 3) == arena.seeds_from("a", 5)[:3]
    assert len({*arena.seeds_from("a", 50), *arena.seeds_from("b", 50)}) == 100
