"""The way back to a table that a player has left."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.command import RunningCommand, call_command, command_environment, running, running_in_terminal
from kit.suite import LocalSuite, suite_up


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    with suite_up(tmp_path_factory.mktemp("suite")) as up:
        yield up


def table_of(play: RunningCommand) -> str:
    found = re.search(r"Table (\w{20}) · ", play.until_printed("Deal 1 "))
    assert found is not None
    return found[1]


def is_on_turn(printed: str) -> bool:
    return "You lead" in printed or "Beat 要压" in printed


def test_a_player_whose_terminal_died_goes_on_where_the_table_stands(suite: LocalSuite) -> None:
    slow = ("--ruleset", "qq,turn_seconds=60,lead_seconds=60")
    with running_in_terminal("play", "--name", "alice", "--seat", "1", *slow, *suite.data) as play:
        table = table_of(play)
        play.until(is_on_turn)
        play.process.send_signal(signal.SIGKILL)
    with running_in_terminal("play", "--name", "alice", "--table", table, *suite.data) as play:
        back = play.until(is_on_turn)
        assert f"Back at table {table}, South 南" in back
        assert "Deal 1 第1局" not in back
        assert "is back" not in back
        play.type("hint")
        play.until_printed("(go plays the first)")
        play.type("go")
        play.until(lambda printed: re.search(r"\n  \S*South 南 \*", printed) is not None)
        play.type("quit")
        assert play.ended() == 0


def test_quitting_names_the_command_that_leads_back_and_takes_the_seat_again(
    suite: LocalSuite, tmp_path: Path
) -> None:
    with running(tmp_path / "play.txt", "play", "--name", "bob", "--deals", "100", *suite.data) as play:
        play.end_input()
        assert play.ended() == 0
        left = play.printed
    command = shlex.split(left.splitlines()[-1])
    assert command[3:5] == ["play", "--table"]
    # The seat is a bot's until it is taken back, and a bot's again after each end of the input.
    for _ in range(3):
        again = subprocess.run(
            command,
            input="",
            capture_output=True,
            text=True,
            env=command_environment(),
            timeout=60,
            check=False,
        )
        assert again.returncode == 0, again.stderr
        assert shlex.split(again.stdout.splitlines()[-1]) == command
    with running(
        tmp_path / "told.txt", "events", "-f", "--from-start", "--table", command[5], *suite.data
    ) as told:
        told.until(lambda printed: printed.count("East 东 is played by a bot 托管") == 4)
        assert told.printed.count("East 东 is back 取消托管") == 3


def test_what_is_no_way_back_is_one_clear_line(suite: LocalSuite, tmp_path: Path) -> None:
    with running(tmp_path / "play.txt", "play", "--name", "carol", *suite.data) as play:
        table = table_of(play)
        for arguments, complaint in (
            (("--name", "carol", "--table", "nope"), "this suite has no table 'nope'"),
            (("--name", "carol", "--table", "a" * 20), f"this suite has no table '{'a' * 20}'"),
            (("--name", "dora", "--table", table), "people there: carol; say who you are with --name"),
            (("--name", "carol", "--table", table, "--seat", "2"), "carol sits on seat 0, East 东"),
        ):
            ran = call_command("play", *arguments, *suite.data)
            assert (ran.returncode, ran.stdout) == (2, "")
            assert complaint in ran.stderr
            assert ran.stderr.count("\n") == 1
        play.end_input()
        assert play.ended() == 0
    with running(
        tmp_path / "events.txt", "events", "-f", "--from-start", "--table", table, *suite.data
    ) as told:
        told.until_printed("match over")
    ran = call_command("play", "--name", "carol", "--table", table, *suite.data)
    assert (ran.returncode, ran.stderr) == (1, f"shuangkou: the match at table {table} is over 终局\n")


def test_who_has_left_for_good_cannot_come_back(suite: LocalSuite, tmp_path: Path) -> None:
    with running(tmp_path / "play.txt", "play", "--name", "emil", "--deals", "100", *suite.data) as play:
        table = table_of(play)
        play.type("forfeit\ny")
        assert play.ended() == 0
    ran = call_command("play", "--name", "emil", "--table", table, *suite.data)
    assert ran.returncode == 1
    assert "for good 逃跑" in ran.stderr


def test_people_sit_down_at_a_table_that_leaves_seats_open(suite: LocalSuite) -> None:
    game = ("--ruleset", "qq,surrender=true", "--open", "1")
    with running_in_terminal("play", *game, "--name", "fay", *suite.data) as first:
        first.until_printed("Waiting for 1 more player")
        first.type("score")
        first.until_printed("open 空位")
        table = re.findall(r"--table (\w{20})", first.printed)[0]
        ran = call_command("play", "--name", "gus", "--table", table, "--seat", "1", *suite.data)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert "seat 1 is not open; open are 2 West 西" in ran.stderr
        with running_in_terminal("play", "--name", "gus", "--table", table, *suite.data) as second:
            second.until_printed(f"Seated at table {table}, West 西")
            first.until_printed("Your hand")
            first.type("surrender")
            second.until_printed("would surrender 投降; type surrender to agree")
            second.type("surrender")
            assert (first.ended(), second.ended()) == (0, 0)
            assert "East 东 and West 西 surrender 投降" in first.printed
            assert first.printed.count("type surrender to agree") == 0


def test_a_deal_is_dealt_anew_when_all_ask_for_it(suite: LocalSuite) -> None:
    game = ("--ruleset", "duel52,redeal_vote=true", "--open", "1")
    with running_in_terminal("play", *game, "--name", "hal", *suite.data) as first:
        first.until_printed("Waiting for 1 more player")
        table = re.findall(r"--table (\w{20})", first.printed)[0]
        with running_in_terminal("play", "--name", "ida", "--table", table, *suite.data) as second:
            first.until_printed("Your hand")
            first.type("redeal")
            second.until_printed("wants a new deal 重发; type redeal to agree")
            second.type("redeal")
            first.until_printed("Void deal 流局: all wanted to deal anew 全体要求重发")
            first.until_printed("Deal 2 第2局")
            first.type("score")
            first.until_printed("Deal 1, to a total of 30 打到30分, and 1 void 流局")


def test_no_more_seats_can_be_open_than_there_are(suite: LocalSuite) -> None:
    ran = call_command("play", "--ruleset", "duel52", "--open", "2", *suite.data)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "duel52 has 1 other seat to leave open" in ran.stderr
