"""Lines that fit."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from kit.command import call_command
from shuangkou.cli.commands import app
from shuangkou.cli.folding import folded
from shuangkou.cli.table_help import help_text
from shuangkou.rules import ruleset

WORDS = st.lists(st.sampled_from(("play", "♠10♥10", "East", "东", "双扣", "a-long-word", "(9")), min_size=1)
REMARKS = st.lists(WORDS.map(" ".join), min_size=1).map(" · ".join)


def plain(text: str, cells: int) -> list[str]:
    return [line.plain for line in folded(Text(text), cells)]


@given(remarks=REMARKS, indent=st.integers(0, 6), cells=st.integers(24, 90))
def test_lines_fit_no_word_is_broken_and_no_dot_is_left_at_an_end(
    remarks: str, indent: int, cells: int
) -> None:
    lines = plain(" " * indent + remarks, cells)
    assert all(cell_len(line) <= cells for line in lines)
    assert " ".join(lines).replace("·", "").split() == remarks.replace("·", "").split()
    assert not any(line.endswith("·") for line in lines)
    assert all(line.startswith(" " * indent) for line in lines)


@given(text=st.text(alphabet="牌张，。a ", min_size=1), cells=st.integers(24, 60))
def test_nothing_is_lost_from_chinese_sentences(text: str, cells: int) -> None:
    assert "".join(plain(text, cells)).replace(" ", "") == text.replace(" ", "")


def test_a_name_in_chinese_is_not_broken() -> None:
    assert plain("不可拆开 头游头游 一二三四", 24) == ["不可拆开 头游头游", "  一二三四"]


def test_chinese_is_broken_between_characters_but_not_before_a_stop() -> None:
    assert plain("两副牌对家固定无万能牌，最大的炸弹", 22) == ["两副牌对家固定无万能", "  牌，最大的炸弹"]


def test_a_line_goes_on_under_its_second_column() -> None:
    told = "  West 西     ♠7♥7♣7♦7              bomb of four 7s 四张7炸弹 · 9 left 剩9张"
    assert plain(told, 64) == [
        "  West 西     ♠7♥7♣7♦7              bomb of four 7s 四张7炸弹",
        "              9 left 剩9张",
    ]


def test_a_hand_goes_on_further_in_and_keeps_its_colours() -> None:
    hand = Text("  Your hand 手牌 4: ").append("♠7♥7", "red").append(" ").append("♠8♥8", "blue")
    first, second = folded(hand, 25)
    assert (first.plain, second.plain) == ("  Your hand 手牌 4: ♠7♥7", "    ♠8♥8")
    assert [str(span.style) for span in second.spans] == ["blue"]


def test_a_word_that_does_not_fit_stays_whole() -> None:
    assert plain(f"see {'x' * 90} there", 80) == ["see", f"  {'x' * 90}", "  there"]


def assert_fits(printed: str) -> None:
    for line in printed.splitlines():
        assert cell_len(line) <= 80, line


def test_every_help_fits_and_is_not_cut() -> None:
    summaries = call_command("--help").stdout
    assert_fits(summaries)
    assert "..." not in summaries.partition("Commands:")[2]
    for command in app.registered_commands:
        name = command.name or getattr(command.callback, "__name__", "")
        assert_fits(call_command(str(name), "--help").stdout)
    for options in (None, *(ruleset.load(id).options for id in ruleset.available())):
        assert_fits(help_text(options).plain)


def test_every_ruleset_fits() -> None:
    assert_fits(call_command("rulesets").stdout)
    for ruleset_id in ruleset.available("climbing"):
        shown = call_command("rulesets", "show", ruleset_id).stdout
        assert_fits(shown)
        assert re.search(r"^Scoring 计分$", shown, re.MULTILINE)
