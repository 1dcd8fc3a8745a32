"""A game as people write it."""

from __future__ import annotations

import pytest

from shuangkou.rules.choice import BadChoice, read_options, read_ruleset
from shuangkou.rules.ruleset import BadOptionValue, UnknownOption, UnknownRuleSet, load


def test_options_stand_behind_the_game() -> None:
    assert read_ruleset("duel52") == load("duel52")
    assert read_ruleset("duel52,target_score=50") == load("duel52").with_options({"target_score": "50"})
    assert read_options(["a=1", "b=x=y", "c"]) == {"a": "1", "b": "x=y", "c": ""}


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("nothing", UnknownRuleSet, "no ruleset 'nothing'"),
        ("duel52,nothing=1", UnknownOption, "nothing"),
        ("duel52,target_score=-7", BadOptionValue, "target_score"),
        ("duel52,", BadChoice, "behind a comma"),
        ("duel52,target_score=50,target_score=50", BadChoice, "chosen twice"),
    ],
)
def test_what_cannot_be_chosen_is_told(text: str, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        read_ruleset(text)
