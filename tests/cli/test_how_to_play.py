"""What a newcomer reads about a game."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest

from shuangkou.cli.how_to_play import how_to_play
from shuangkou.rules.climbing.options import KittyUse, Phase, TrickEnd, TrickLead
from shuangkou.rules.ruleset import available, load


def sentences(ruleset_id: str) -> str:
    return "\n".join(map(str, how_to_play(load(ruleset_id).options)))


@pytest.mark.parametrize("ruleset_id", available("climbing"))
def test_every_game_is_explained_in_both_languages(ruleset_id: str) -> None:
    for sentence in how_to_play(load(ruleset_id).options):
        assert re.fullmatch(r"[A-Z\d].*\.", sentence.en), sentence
        assert re.search("[\u4e00-\u9fff].*。", sentence.zh), sentence
        assert "{" not in str(sentence)


@pytest.mark.parametrize("ruleset_id", available("climbing"))
def test_every_phase_before_play_is_explained_with_what_to_type(ruleset_id: str) -> None:
    words = {
        Phase.BURY: "bury 3 5",
        Phase.DECLARE: "declare 3 4 5 6 7",
        Phase.AUCTION: "bid 2",
        Phase.TAKE: "take all",
        Phase.EXCHANGE: "exchange 3 5",
        Phase.MARK: "mark K",
        Phase.PLAY: "",
    }
    assert words.keys() == set(Phase)
    for phase in load(ruleset_id).options.phases:
        assert words[phase] in sentences(ruleset_id)


@pytest.mark.parametrize("ruleset_id", available("climbing"))
def test_the_end_of_a_trick_can_be_told_whatever_it_is(ruleset_id: str) -> None:
    for end, lead in product(TrickEnd, TrickLead):
        options = replace(load(ruleset_id).options, trick_end=end, trick_lead=lead)
        assert any("leads the next" in sentence.en for sentence in how_to_play(options))


def test_kitties_targets_and_fines_are_told() -> None:
    kitties = {load(id).options.kitty_use for id in available("climbing")}
    assert kitties == set(KittyUse)
    assert "turned over when the first seat is out" in sentences("activity54")
    assert "1 to each seat in turn" in sentences("deluxe108")
    assert "until a total reaches 30" in sentences("duel52")
    assert "pays 12, shared by the others" in sentences("qq")
