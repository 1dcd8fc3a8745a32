"""The fast core plays by the rules: the same legal plays, states and scores, deal for deal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kit.core_deals import Recorder
from kit.effort import cases, rounds
from shuangkou.rules.climbing.options import Phase
from shuangkou.rules.ruleset import available, load

RULESETS = {id: load(id) for id in available("climbing")}
CHUNKS = range(rounds(few=1, many=200))
"""Thorough, they make a million deals of all rulesets, to be run one by one by hand."""
A_CHUNK = 334


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: f"chunk{chunk}")
@pytest.mark.parametrize("id", RULESETS)
def test_deals_by_chance_are_the_same_in_the_core_and_by_the_rules(id: str, chunk: int) -> None:
    recorder = Recorder(RULESETS[id])
    acts = [recorder.check(chunk * A_CHUNK + number) for number in range(A_CHUNK)]
    assert max(acts) > RULESETS[id].options.players


def test_a_hand_of_almost_one_suit_has_as_many_flushes_in_the_core() -> None:
    """Ten cards of a suit and more: once in some 20,000 deals."""
    recorder = Recorder(RULESETS["classic52"])
    recorder.check(19_375)
    assert max(np.count_nonzero(recorder.flushes, axis=1)) > 256


def test_options_that_a_table_may_choose_are_the_cores_too() -> None:
    for ruleset in RULESETS.values():
        for key, values in ruleset.allowed:
            for value in values:
                if not key.endswith("_seconds"):
                    Recorder(ruleset.with_options({key: value})).check(1)


def test_a_game_that_is_no_ruleset_of_ours_is_played_as_well() -> None:
    ruleset = RULESETS["qq"]
    options = replace(ruleset.options, max_multiplier=3, min_pairs=2, phases=(Phase.PLAY,))
    recorder = Recorder(replace(ruleset, options=options))
    for number in cases(few=20, many=2000):
        recorder.check(number)
