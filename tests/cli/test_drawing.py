"""A person in a terminal declares while cards are drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from kit.command import run_command, running_in_terminal
from kit.suite import LocalSuite, suite_up


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    with suite_up(tmp_path_factory.mktemp("suite")) as up:
        yield up


def test_a_person_declares_while_cards_are_drawn(suite: LocalSuite) -> None:
    # A deal in which the person is not invited before the draw is over, or comes too late, proves nothing.
    for _ in range(12):
        with running_in_terminal(
            "play", "--ruleset", "staff25,draw_pace_ms=250", "--name", "ann", *suite.data
        ) as play:
            play.until_printed("── draw 摸牌")
            printed = play.until(
                lambda told: "Declare 亮主" in told or "── last call" in told or "──" in after_draw(told)
            )
            invited = re.search(r"Declare 亮主: (declare \w+)", plain(printed))
            if invited is not None and "── last call" not in printed:
                play.type(invited[1])
                play.until(lambda told: "declares 亮主" in told or "✗" in told)
                told = plain(play.printed)
                play.type("table")
                play.until_printed("Shown 亮主: ")
                play.type("quit")
                play.ended()
                if re.search(r"East 东 \* +declares 亮主", told):
                    assert "Drawn 已摸" in told
                    return
    pytest.fail("nobody could declare in twelve deals")


def plain(printed: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", printed)


def after_draw(printed: str) -> str:
    return printed.partition("── draw")[2]


def test_a_demo_knows_how_many_deals_its_game_has(suite: LocalSuite) -> None:
    ran = run_command("demo", "--ruleset", "eight_deals", "--deals", "9", *suite.data)
    assert (ran.returncode, ran.stderr) == (2, "shuangkou: a match of eight_deals has at most 8 deals\n")
