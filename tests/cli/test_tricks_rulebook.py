"""The rulebook of trick-taking games at a terminal."""

from __future__ import annotations

import io

import pytest

from kit.tricks_table import RULESETS
from shuangkou.cli.problem import Problem
from shuangkou.cli.rulebook import both_languages, read_choice, read_game, show_ruleset
from shuangkou.cli.terminal import Terminal
from shuangkou.rules.ruleset import load
from shuangkou.rules.tricks.rulebook_lines import Words


def shown(capsys: pytest.CaptureFixture[str], ruleset_id: str) -> list[str]:
    terminal = Terminal()
    terminal.out.file = io.StringIO()
    show_ruleset(ruleset_id, terminal)
    return terminal.out.file.getvalue().splitlines()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (Words("2 3 A", "2 3 A"), "2 3 A"),
        (Words("K A no-trump", "K A 无主级"), "K A no-trump 无主级"),
        (Words("x2", "2倍"), "x2 2倍"),
        (Words("holders +10", "守方+10"), "holders +10 守方+10"),
    ],
)
def test_what_is_the_same_in_both_languages_stands_once(words: Words, said: str) -> None:
    assert both_languages(words) == said


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_no_line_ends_in_blanks_or_says_its_value_twice(
    capsys: pytest.CaptureFixture[str], ruleset_id: str
) -> None:
    lines = shown(capsys, ruleset_id)
    assert [line for line in lines if line != line.rstrip()] == []
    ladder = next((line for line in lines if "从低到高" in line), "")
    assert ladder.count(" A") <= 1
    assert not any("  0 0" in line for line in lines)


def test_match_points_go_on_above_two_hundred(capsys: pytest.CaptureFixture[str]) -> None:
    """§8.7."""
    lines = shown(capsys, "tian5")
    assert any(line.startswith("  200 to 215 points") and "+10" in line for line in lines)
    assert any("every 20 more" in line for line in lines)


@pytest.mark.parametrize(
    ("ruleset_id", "chosen"), [("sheng30", True), ("sixteen_deals", True), ("staff25", False)]
)
def test_the_price_of_a_failed_throw_says_who_chooses(
    capsys: pytest.CaptureFixture[str], ruleset_id: str, chosen: bool
) -> None:
    """§6.5."""
    assert any("the opponents choose" in line for line in shown(capsys, ruleset_id)) == chosen


def test_options_that_a_game_never_asks_for_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    keys = {line.split(" = ")[0].strip() for line in shown(capsys, "tian5") if " = " in line}
    assert keys.isdisjoint({"declarer_levels", "attacker_levels", "goal", "hook_points", "turned_place"})
    assert {"high_follow", "kitty_multiplier", "turn_seconds"} <= keys


@pytest.mark.parametrize(
    ("ruleset_id", "deals", "why"),
    [
        ("tian5", 3, "even number of deals"),
        ("tian5", 10, "at most 8 deals"),
        ("sixteen_deals", 17, "at most 16 deals"),
        ("eight_deals", 9, "at most 8 deals"),
        ("qq", 101, "at most 100 deals"),
    ],
)
def test_a_match_has_no_deals_that_its_game_does_not_have(ruleset_id: str, deals: int, why: str) -> None:
    with pytest.raises(Problem, match=why):
        read_game(ruleset_id, "", deals)
    objection = load(ruleset_id).objection_to_deals(deals)
    assert objection is not None
    assert why in objection


@pytest.mark.parametrize(
    ("ruleset_id", "deals"), [("tian5", 1), ("tian5", 4), ("tian5", 8), ("eight_deals", 3), ("staff25", 100)]
)
def test_a_match_may_be_shorter_than_its_game(ruleset_id: str, deals: int) -> None:
    assert read_game(ruleset_id, "", deals).deals == deals
    assert load(ruleset_id).objection_to_deals(deals) is None


def test_a_match_whose_deals_are_known_has_so_many() -> None:
    assert (load("tian5").usual_deals, load("sixteen_deals").usual_deals) == (8, 16)
    assert load("tian5").with_options({"deals": "12"}).usual_deals == 12


@pytest.mark.parametrize("choice", ["fanzhu,", "fanzhu,,deals=3", "qq,"])
def test_an_option_that_is_not_there_is_named_as_such(choice: str) -> None:
    with pytest.raises(Problem, match="nothing stands"):
        read_choice(choice)
