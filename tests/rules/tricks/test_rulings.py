"""The written rulings have what code, tests and rows point at."""

import re
from pathlib import Path

import pytest

from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.options import SPECS

ROOT = Path(__file__).parents[3]
PAGE = "docs/rules/tricks.md"
TEXT = (ROOT / PAGE).read_text("utf-8")
CITING = ("services/shuangkou/rules/tricks", "tests/rules/tricks")


def paragraphs() -> set[str]:
    """`3.9` for the ninth paragraph of the third section; the section `3` itself as well."""
    found: set[str] = set()
    section = ""
    for line in TEXT.splitlines():
        if heading := re.match(r"## §(\d+) ", line):
            section = heading[1]
            found.add(section)
        elif line.startswith("## "):
            section = ""
        elif section and (number := re.match(r"(\d+)\. ", line)):
            found.add(f"{section}.{number[1]}")
    return found


@pytest.mark.parametrize("id", available("tricks"))
def test_every_game_has_its_section(id: str) -> None:
    ruleset = load(id)
    assert ruleset.rulings == f"{PAGE}#{id}"
    assert re.search(rf"^## `{id}` {ruleset.name_zh} {{#{id}}}$", TEXT, re.MULTILINE)


def test_every_paragraph_that_is_cited_is_there() -> None:
    sources = [path for folder in CITING for path in (ROOT / folder).glob("*.py")]
    assert sources
    texts = (*(path.read_text("utf-8") for path in sources), TEXT)
    cited = {number for text in texts for number in re.findall(r"§(\d+(?:\.\d+)?)", text)}
    assert cited - paragraphs() == set()


def test_every_option_in_a_table_is_one() -> None:
    """The first column of the tables that tell a game."""
    games = TEXT[TEXT.index("# The games") :]
    named = {
        option
        for row in re.findall(r"^\| (`[^|]*`[^|]*) \|", games, re.MULTILINE)
        for option in re.findall(r"`(\w+)`", row)
    }
    assert named
    assert named - SPECS.keys() == set()
