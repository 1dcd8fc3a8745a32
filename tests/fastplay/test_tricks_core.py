"""The fast core plays tricks by the rules: the same judgements, states and scores, deal for deal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kit.core_tricks import Recorder
from kit.effort import cases, rounds
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.options import KittyMultiplier

RULESETS = {id: load(id) for id in available("tricks")}
CHUNKS = range(rounds(few=4, many=76))
"""Thorough, they make 100,000 deals of all rulesets, to be run one by one by hand."""
A_CHUNK = 66


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: f"chunk{chunk}")
@pytest.mark.parametrize("id", RULESETS)
def test_deals_by_chance_are_the_same_in_the_core_and_by_the_rules(id: str, chunk: int) -> None:
    recorder = Recorder(RULESETS[id])
    for number in range(A_CHUNK):
        assert recorder.check(chunk * A_CHUNK + number) >= 4


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
