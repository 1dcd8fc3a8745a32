"""A table seen from beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.command import call_command, running
from kit.suite import LocalSuite, suite_up


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    with suite_up(tmp_path_factory.mktemp("suite")) as up:
        yield up


def test_a_table_is_told_from_where_it_stands_to_the_end_of_its_match(
    suite: LocalSuite, tmp_path: Path
) -> None:
    with running(tmp_path / "demo.txt", "demo", "--deals", "20", *suite.data) as demo:
        demo.until_printed("Deal 2 ")
        with running(tmp_path / "watch.txt", "watch", *suite.data) as found:
            found.until_printed("To act 轮到")
            assert found.printed.splitlines()[1] == demo.printed.splitlines()[0]
            assert "Deal 1 第1局" not in found.printed
            assert found.ended() == 0, found.printed
        assert demo.ended() == 0
        told = demo.printed
    assert found.printed.splitlines()[-1] == told.splitlines()[-1]
    table = told.split()[1]
    over = call_command("watch", table, *suite.data)
    assert (over.returncode, over.stderr.count("\n")) == (1, 1)
    assert "the match is over 终局; --from-start" in over.stderr
    again = call_command("watch", table, "--from-start", *suite.data)
    assert (again.returncode, again.stdout) == (0, told)


def test_an_unknown_table_is_one_clear_line(suite: LocalSuite) -> None:
    ran = call_command("watch", "nope", *suite.data)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", "shuangkou: this suite has no table 'nope'\n")


def test_a_watcher_sees_no_hidden_card(suite: LocalSuite, tmp_path: Path) -> None:
    with running(tmp_path / "play.txt", "play", "--name", "ann", *suite.data) as play:
        play.until_printed("Your hand")
        table = play.printed.split()[1]
        with running(tmp_path / "watch.txt", "watch", table, *suite.data) as beside:
            beside.until_printed("Cards left 余牌")
            assert "Your hand" not in beside.printed
