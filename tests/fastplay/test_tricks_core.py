"""The fast core plays tricks by the rules: the same judgements, states and scores, deal for deal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kit.core_tricks import Recorder
from kit.effort import cases
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.options import KittyMultiplier

RULESETS = {id: load(id) for id in available("tricks")}


@pytest.mark.parametrize("id", RULESETS)
@pytest.mark.timeout(3 * 3600)
def test_deals_by_chance_are_the_same_in_the_core_and_by_the_rules(id: str) -> None:
    recorder = Recorder(RULESETS[id])
    for number in cases(few=12, many=5000):
        assert recorder.check(number) >= 4


@pytest.mark.parametrize("rule", KittyMultiplier)
def test_every_multiplier_of_the_kitty_is_the_cores_too(rule: KittyMultiplier) -> None:
    ruleset = RULESETS["sheng_online"]
    options = replace(ruleset.options, kitty_multiplier=rule, max_kitty_multiplier=16, throw_fine=10)
    recorder = Recorder(replace(ruleset, options=options))
    for number in cases(few=6, many=500):
        recorder.check(number)


@pytest.mark.parametrize("decks", [3, 4])
def test_failed_throws_are_named_with_more_packs_as_well(decks: int) -> None:
    ruleset = RULESETS["multi3" if decks == 3 else "sheng_nokitty4"]
    options = replace(ruleset.options, opponents_choose=True, throw_fine=7)
    recorder = Recorder(replace(ruleset, options=options))
    for number in cases(few=12, many=1000):
        recorder.check(number)
