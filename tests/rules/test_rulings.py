"""docs/rules/climbing.md and what cites it: each paragraph that is cited exists, and each has a test."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULINGS = ROOT / "docs/rules/climbing.md"
CODE = ROOT / "services/shuangkou/rules/climbing"
CITATION = re.compile(r"§(\d+)\.(\d+)(?: to §(\d+)\.(\d+))?")

Paragraph = tuple[int, int]


def paragraphs(text: str) -> Iterator[Paragraph]:
    """Of the numbered sections; the games have theirs by name."""
    section = 0
    for line in text.splitlines():
        if heading := re.match(r"## (?:§(\d+))?", line):
            section = int(heading[1] or 0)
        elif section and (number := re.match(r"(\d+)\. ", line)):
            yield section, int(number[1])


def cited(text: str) -> Iterator[Paragraph]:
    """`§4.3`, and every paragraph of `§3.4 to §3.6`."""
    for section, first, last_section, last in CITATION.findall(text):
        is_range = last_section == section
        for number in range(int(first), int(last if is_range else first) + 1):
            yield int(section), number


def about_climbing(folder: Path) -> list[Path]:
    """The tests whose citations mean these rulings, not those of another family."""
    names = re.compile(r"rules[./]climbing")
    return [path for path in folder.rglob("test_*.py") if names.search(path.read_text("utf-8"))]


CITING = sorted([*CODE.glob("*.py"), *about_climbing(ROOT / "tests/rules")])


@pytest.mark.parametrize("path", CITING, ids=lambda path: path.name)
def test_what_is_cited_exists(path: Path) -> None:
    known = set(paragraphs(RULINGS.read_text("utf-8")))
    assert known >= set(cited(path.read_text("utf-8")))


def test_the_rulings_cite_themselves_rightly() -> None:
    text = RULINGS.read_text("utf-8")
    assert set(paragraphs(text)) >= set(cited(text))


def test_every_paragraph_is_cited_by_a_test() -> None:
    tests = [path.read_text("utf-8") for path in about_climbing(ROOT / "tests")]
    known = set(paragraphs(RULINGS.read_text("utf-8")))
    assert known - set(chain.from_iterable(map(cited, tests))) == set()
