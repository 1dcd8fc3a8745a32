"""What the ledger holds, in the terminal: rankings, players, score sheets; and the ledger made again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.command import run_command, running
from kit.suite import LocalSuite, suite_up


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    with suite_up(tmp_path_factory.mktemp("suite")) as up:
        yield up


@pytest.fixture(scope="module")
def table(suite: LocalSuite, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A table of bots whose only deal is in the ledger, and in the ratings."""
    table = run_command("demo", *suite.data).stdout.split()[1]
    output = tmp_path_factory.mktemp("events") / "events.txt"
    with running(output, "events", "-f", "--from-start", "--table", table, *suite.data) as feed:
        feed.until_printed("is in the ledger 入账")
        feed.until_printed("changes ratings 等级分")
    return table


def test_ratings_of_players_and_pairs_are_ranked(suite: LocalSuite, table: str) -> None:
    _, *players = run_command("leaderboard", "--ratings", "--bots", *suite.data).stdout.splitlines()
    assert len(players) == 4
    assert all("new 暂定" in line for line in players)
    _, *pairs = run_command("leaderboard", "--pairs", "--bots", *suite.data).stdout.splitlines()
    assert len(pairs) == 2
    assert all(" + bot:" in line for line in pairs)
    family = run_command("leaderboard", "--family", "--bots", *suite.data).stdout
    assert family.count("bot:") == 4
    assert "no person" in run_command("leaderboard", "--ratings", *suite.data).stdout


def test_a_player_is_shown(suite: LocalSuite, table: str) -> None:
    name = run_command("leaderboard", "--bots", *suite.data).stdout.splitlines()[1].split()[1]
    told = run_command("player", name, *suite.data).stdout
    assert "Rating 等级分" in told
    assert "10 daily points 每日登录分" in told
    assert "Met 1 partners 对家 and 2 opponents 对手" in told
    assert table in told
    assert "watch TABLE --from-start" in " ".join(told.split())


def test_a_sheet_is_printed(suite: LocalSuite, table: str) -> None:
    assert "deal 局,East 东 bot:" in run_command("sheet", table, *suite.data).stdout
    told = json.loads(run_command("sheet", table, "--format", "json", *suite.data).stdout)
    assert told["tableId"] == table
    assert "</html>" in run_command("sheet", table, "--format", "html", *suite.data).stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("player", "nobody"), "no player 'nobody' has finished a deal"),
        (("sheet", "nowhere"), "no deal of a table 'nowhere' has been settled"),
        (("sheet", "nowhere", "--format", "pdf"), "choose json, csv, html"),
    ],
)
def test_what_there_is_not_is_said(suite: LocalSuite, arguments: tuple[str, ...], why: str) -> None:
    ran = run_command(*arguments, *suite.data)
    assert ran.returncode == 2
    assert why in ran.stderr


def test_the_ledger_is_what_the_stream_tells(suite: LocalSuite, table: str, tmp_path: Path) -> None:
    checked = run_command("scoring", "rebuild", "--check", *suite.data)
    assert (checked.returncode, checked.stdout.count("equal")) == (0, 11), checked.stdout + checked.stderr
    ran = run_command("scoring", "rebuild", "--data", str(tmp_path))
    assert "no suite is running" in ran.stderr
