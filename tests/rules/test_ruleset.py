"""Rulesets are rows of data."""

import ast
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import shuangkou
from kit.climbing_table import QQ
from shuangkou.rules.climbing.beating import BEATING
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import SPECS, Beating, ClimbingOptions, Phase, Scoring
from shuangkou.rules.climbing.phases import PHASES
from shuangkou.rules.climbing.settlement import SCORINGS
from shuangkou.rules.decider import decider_for
from shuangkou.rules.option_text import OptionKind, format_value, parse_value
from shuangkou.rules.ruleset import (
    BadOptionValue,
    RuleSetError,
    UnknownOption,
    UnknownRuleSet,
    available,
    load,
    parse_ruleset,
)
from shuangkou.rules.tricks.options import SPECS as TRICKS_SPECS
from shuangkou.rules.tricks.options import TricksOptions

SERVICES = Path(shuangkou.__file__).parent
ROW = (SERVICES / "rules/rulesets/qq.toml").read_text("utf-8")


def test_rulesets_load_by_id() -> None:
    for id in available():
        ruleset = load(id)
        assert ruleset.id == id
        assert ruleset.revision >= 1
        assert ruleset.name_en
        assert ruleset.name_zh
        assert ruleset.description_en
        assert ruleset.description_zh
        assert load(id) == ruleset


def test_a_ruleset_is_played_by_its_family() -> None:
    for ruleset in map(load, available("climbing")):
        assert decider_for(ruleset).new_match(ruleset).ruleset is ruleset


def test_rulesets_are_found_by_family() -> None:
    families = {id: load(id).family for id in available()}
    assert set(families.values()) == {"climbing", "tricks"}
    for family in ("climbing", "tricks"):
        assert available(family) == tuple(id for id in available() if families[id] == family)
    assert available("poker") == ()


def test_an_unknown_ruleset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownRuleSet, match="qq"):
        load("../qq")


@pytest.mark.parametrize(("id", "options"), [("qq", ClimbingOptions), ("multi2", TricksOptions)])
def test_every_option_is_described_in_both_languages(
    id: str, options: type[ClimbingOptions | TricksOptions]
) -> None:
    rows = load(id).option_rows
    assert [row.key for row in rows] == [field.name for field in fields(options)]
    for row in rows:
        assert row.description_en.isascii()
        assert not row.description_zh.isascii()
        assert row.value == row.default
        assert row.default in row.allowed


def test_options_survive_text() -> None:
    for family, specs in (("climbing", SPECS), ("tricks", TRICKS_SPECS)):
        for ruleset in map(load, available(family)):
            for key, spec in specs.items():
                value = getattr(ruleset.options, key)
                assert parse_value(spec, format_value(value)) == value


def test_the_clocks_have_the_ruled_defaults() -> None:
    """§8.1."""
    options = QQ.options
    assert (options.lead_seconds, options.turn_seconds, options.time_bank_seconds) == (30, 20, 15)


def test_a_table_may_choose_the_value_of_the_joker_bomb() -> None:
    """qq 1: the conflict is an option."""
    chosen = QQ.with_options({"joker_bomb_mult": "4"})
    assert (QQ.options.joker_bomb_mult, chosen.options.joker_bomb_mult) == (5, 4)
    assert chosen.chosen == {"joker_bomb_mult": "4"}
    row = next(row for row in chosen.option_rows if row.key == "joker_bomb_mult")
    assert (row.value, row.default, row.allowed, row.kind) == ("4", "5", ("4", "5"), OptionKind.INTEGER)
    assert QQ.with_options(chosen.chosen) == chosen
    assert chosen.with_options({"joker_bomb_mult": "5"}) == QQ


@given(st.sampled_from(sorted(SPECS)), st.text(max_size=12))
def test_an_option_takes_only_what_it_allows(key: str, text: str) -> None:
    allowed = next(row.allowed for row in QQ.option_rows if row.key == key)
    if text not in allowed:
        with pytest.raises(BadOptionValue, match=key):
            QQ.with_options({key: text})


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(UnknownOption, match="speed"):
        QQ.with_options({"speed": "9"})


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("decks", "-1"),
        ("decks", "２"),
        ("jokers", "yes"),
        ("deal_end", "never"),
        ("rank_order", "3 3"),
        ("rank_order", "1"),
        ("bomb_mults", "5"),
        ("bomb_mults", "5:x"),
        ("phases", "play nap"),
    ],
)
def test_text_that_is_no_value_is_refused(key: str, text: str) -> None:
    with pytest.raises(ValueError, match=text[-1]):
        parse_value(SPECS[key], text)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("decks = 2", "decks = 0", "decks"),
        ("hand_size = 27", "hand_size = 28", "hand_size"),
        ("min_bomb = 4", "min_bomb = 3", "min_bomb"),
        ('run_ranks = "3 4', 'run_ranks = "4 3', "run_ranks"),
        ('rank_order = "3 ', 'rank_order = "', "rank_order"),
        ("jokers = true", "jokers = false", "rank_order"),
        ("min_pairs = 3", "minimum = 3", "min_pairs"),
        ("joker_bomb_mult = [4, 5]", "joker_bomb_mult = [4, 'x']", "joker_bomb_mult"),
        ("decks = 2", 'decks = 2\nwild = "LJ"', "wild"),
        ("decks = 2", "decks = 2\nmin_chain = 3", "min_chain"),
        (
            "decks = 2\njokers = true\nhand_size = 27",
            'decks = 1\njokers = true\nhand_size = 9\nwild = "BJ"',
            "wild",
        ),
        ("forfeit_fine = 12", "forfeit_fine = 10", "forfeit_fine"),
        ("decks = 2", 'decks = 2\nphases = ""', "phases"),
        ("decks = 2", 'decks = 2\nsides = "none"', "side_out"),
        ("joker_bomb_mult = [4, 5]", "loker_bomb_mult = [4, 5]", "loker_bomb_mult"),
        ('family = "climbing"', 'family = "poker"', "poker"),
    ],
)
def test_a_row_that_cannot_be_played_is_refused(old: str, new: str, problem: str) -> None:
    assert old in ROW
    with pytest.raises(RuleSetError, match=problem):
        parse_ruleset(ROW.replace(old, new))


def test_a_move_table_is_compiled_once_for_each_set_of_options() -> None:
    assert move_table(QQ.options) is move_table(replace(QQ.options))
    assert move_table(QQ.options) is not move_table(replace(QQ.options, joker_bomb=False))


def test_every_choice_has_its_function() -> None:
    """Whatever an option may choose can be played."""
    assert set(BEATING) == set(Beating)
    assert set(PHASES) == set(Phase)
    assert set(SCORINGS) == set(Scoring)


def test_no_code_knows_a_ruleset_by_its_id() -> None:
    """A variant is a row: nothing may branch on which one it is.

    Only a command for people may name the ruleset that it starts with, and even there not to compare.
    """
    ids = set(available())
    sources = [path for path in SERVICES.rglob("*.py") if path.relative_to(SERVICES).parts[0] != "v1"]
    assert sources
    named = [
        f"{path.relative_to(SERVICES)}:{node.lineno}"
        for path in sources
        for node in suspects(path)
        if isinstance(node, ast.Constant) and node.value in ids
    ]
    assert named == []


def suspects(path: Path) -> Iterator[ast.AST]:
    """Where a ruleset's id may not stand."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    if "cli" not in path.relative_to(SERVICES).parts:
        return iter(nodes)
    branches = (node for node in nodes if isinstance(node, ast.Compare | ast.Match | ast.Dict))
    return (part for branch in branches for part in ast.walk(branch))
