"""What the ledger holds, in the terminal: rankings, players, score sheets; and the ledger made again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.command import call_command, run_command, running
from kit.suite import LocalSuite, suite_up
from shuangkou.cli.clients import connect
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.ledger_address import elsewhere
from shuangkou.cli.profile import company_lines, head_to_head_lines, hidden_lines, rank_lines, results_lines
from shuangkou.cli.ranking import BoardOptions, why_empty
from shuangkou.cli.rulebook import Game
from shuangkou.cli.settlement import minus, points
from shuangkou.cli.tables import open_table
from shuangkou.rules.ruleset import load
from shuangkou.v1 import scoring_pb2


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
    _, *players = call_command("leaderboard", "--ratings", "--bots", *suite.data).stdout.splitlines()
    assert len(players) == 4
    assert all("new 暂定" in line for line in players)
    _, *pairs = call_command("leaderboard", "--pairs", "--bots", *suite.data).stdout.splitlines()
    assert len(pairs) == 2
    assert all(" + bot:" in line for line in pairs)
    family = call_command("leaderboard", "--family", "--bots", *suite.data).stdout
    assert family.count("bot:") == 4
    for option in ("--ratings", "--pairs"):
        why = call_command("leaderboard", option, *suite.data).stdout
        assert (
            "no deal of any game of the climbing family 同类玩法 (qq is one) among people only has been rated"
            in " ".join(why.split())
        )
        assert f"{option} --bots shows those at tables with bots" in " ".join(why.split())
    assert "no person" in call_command("leaderboard", *suite.data).stdout


def test_a_player_s_own_rank_is_shown_with_those_beside_it(suite: LocalSuite, table: str) -> None:
    _, *everybody = call_command("leaderboard", "--bots", *suite.data).stdout.splitlines()
    last = everybody[-1].split()
    shown = call_command("leaderboard", "--bots", "--mine", "--name", last[1], *suite.data)
    if last[1].startswith("bot:"):
        # Nobody is a bot.
        assert shown.returncode == 2
    told = call_command("player", last[1], *suite.data).stdout
    assert f"Rank by points 名次: qq {last[0]}" in told
    for options, game, hint in (
        ((), "qq", ""),
        (("--ratings",), "any game of the climbing family", "add --bots for the other kind of tables; "),
    ):
        ran = call_command("leaderboard", "--mine", "--name", "zoe", *options, *suite.data)
        said = " ".join(ran.stderr.split())
        assert ran.returncode == 2
        assert f"'zoe' has not finished a deal of {game}" in said
        assert f"{hint}--name says who you are" in said
    assert call_command("leaderboard", "--mine", "--pairs", *suite.data).returncode == 2


def test_an_empty_ranking_says_of_what_it_is() -> None:
    assert why_empty(BoardOptions("qq")).startswith(
        "no person (bots are shown with --bots) has finished a deal of qq"
    )
    assert why_empty(BoardOptions("qq", bots=True)) == "nobody has finished a deal of qq yet"
    family = why_empty(BoardOptions("qq", family=True, season="2026q4"))
    assert "a deal of any game of the climbing family 同类玩法 (qq is one) in 2026q4 yet" in family
    assert "at a table with a bot" in why_empty(BoardOptions("qq", bots=True, ratings=True))
    assert "among people only has been rated" in why_empty(BoardOptions("qq", pairs=True))


def test_a_player_is_shown(suite: LocalSuite, table: str) -> None:
    name = call_command("leaderboard", "--bots", *suite.data).stdout.splitlines()[1].split()[1]
    told = call_command("player", name, *suite.data).stdout
    assert "Rating 等级分" in told
    assert "10 daily points 每日登录分" in told
    assert "Met 1 partner 对家 and 2 opponents 对手" in told
    assert table in told
    assert "watch TABLE --from-start" in " ".join(told.split())


def test_two_players_are_compared(suite: LocalSuite, table: str) -> None:
    _, *everybody = call_command("leaderboard", "--bots", *suite.data).stdout.splitlines()
    first, second = everybody[0].split()[1], everybody[1].split()[1]
    told = call_command("player", first, "--against", second, *suite.data).stdout.splitlines()
    assert told[0].split()[:2] == ["game", "with"]
    assert told[1].split()[0] == "qq"
    ran = call_command("player", first, "--against", "nobody", *suite.data)
    assert (ran.returncode, "no player 'nobody' has finished a deal" in ran.stderr) == (2, True)


def test_two_who_never_met_are_told_so() -> None:
    [line] = head_to_head_lines(("alice", "zoe"), [])
    assert line.plain.startswith("alice and zoe have not met")


def test_a_sheet_is_printed(suite: LocalSuite, table: str) -> None:
    assert "deal 局,East 东 bot:" in call_command("sheet", table, *suite.data).stdout
    told = json.loads(call_command("sheet", table, "--format", "json", *suite.data).stdout)
    assert told["tableId"] == table
    assert "</html>" in call_command("sheet", table, "--format", "html", *suite.data).stdout


async def test_a_table_that_has_just_begun_is_told_from_one_that_there_is_not(suite: LocalSuite) -> None:
    async with connect(DataFolder(suite.folder), "ann", lambda: None) as clients:
        begun = await open_table(clients, Game(load("qq"), None, 1), [])
        private = await open_table(clients, Game(load("qq"), None, 1), [], invited=[])
    ran = run_command("sheet", begun, *suite.data)
    assert (ran.returncode, f"no deal of table {begun} is over yet" in " ".join(ran.stderr.split())) == (
        2,
        True,
    )
    ran = run_command("sheet", private, *suite.data)
    assert (ran.returncode, "table/private" in ran.stderr) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            ("leaderboard", "--season", "2026"),
            "a season reads like 2026q4, from 1970q1 to 9999q4, not '2026'",
        ),
        (("leaderboard", "--season", "9999q4"), "nothing was played in season 9999q4; seasons there are: 2"),
        (("leaderboard", "--ratings", "--season", "2019q1"), "nothing was played in season 2019q1"),
        (("player", "nobody"), "no player 'nobody' has finished a deal"),
        (("player", "bob", "--against", "bob"), "bob and bob are one player; compare two"),
        (("player", "bob", "--against", ""), "it is empty"),
        (("player", ""), "it is empty"),
        (("leaderboard", "--season", " "), "it is empty"),
        (("sheet", "nowhere"), "no deal of a table 'nowhere' has been settled"),
        (("sheet", "nowhere", "--format", "pdf"), "choose json, csv, html"),
    ],
)
def test_what_there_is_not_is_said(
    suite: LocalSuite, table: str, arguments: tuple[str, ...], why: str
) -> None:
    ran = call_command(*arguments, *suite.data)
    assert ran.returncode == 2
    assert why in ran.stderr


def test_the_ledger_is_what_the_stream_tells(suite: LocalSuite, table: str, tmp_path: Path) -> None:
    checked = run_command("scoring", "rebuild", "--check", *suite.data)
    assert (checked.returncode, checked.stdout.count("equal")) == (0, 13), checked.stdout + checked.stderr
    ran = run_command("scoring", "rebuild", "--data", str(tmp_path))
    assert "no suite is running" in ran.stderr


def test_the_ledger_is_where_the_environment_says(
    suite: LocalSuite, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one made there is compared with, and not that of the data folder."""
    monkeypatch.setenv("SHUANGKOU_DATABASE_URL", f"sqlite:///{tmp_path}/other.db")
    checked = run_command("scoring", "rebuild", "--check", *suite.data)
    assert (checked.returncode, checked.stdout, (tmp_path / "other.db").exists()) == (3, "", False)
    said = " ".join(checked.stderr.split())
    assert "as SHUANGKOU_DATABASE_URL says" in said
    assert "scoring rebuild: there is no ledger at" in said
    made = run_command("scoring", "rebuild", *suite.data)
    assert (made.returncode, made.stdout) == (0, "entered 1 deals\n")
    assert run_command("scoring", "rebuild", "--check", *suite.data).returncode == 0


def test_a_suite_keeps_its_ledger_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{tmp_path}/elsewhere.db"
    monkeypatch.setenv("SHUANGKOU_DATABASE_URL", address)
    with suite_up(tmp_path) as suite:
        assert f"The ledger 账本 is {address}" in " ".join(suite.command.printed.split())
        assert (tmp_path / "elsewhere.db").exists()
        assert not (suite.folder / "ledger.db").exists()
        monkeypatch.delenv("SHUANGKOU_DATABASE_URL")
        run_command("demo", *suite.data)
        ran = run_command("scoring", "rebuild", *suite.data)
        assert (ran.returncode, "set SHUANGKOU_DATABASE_URL" in " ".join(ran.stderr.split())) == (1, True)

    monkeypatch.setenv("SHUANGKOU_DATABASE_URL", f"sqlite:///{tmp_path}/newer.db")
    with suite_up(tmp_path) as suite:
        printed = " ".join(suite.command.printed.split())
        assert "only what ends from now on is entered. All of before is entered by: " in printed
        assert run_command("scoring", "rebuild", *suite.data).stdout == "entered 1 deals\n"


@pytest.mark.parametrize(
    "address", ["", "::", "mysql://db/x", "sqlite://", "sqlite:///:memory:", "postgresql://a:b:c/x"]
)
def test_an_address_of_no_ledger_is_refused_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("SHUANGKOU_DATABASE_URL", address)
    if not address:
        assert elsewhere() == ""
        return
    ran = run_command("up", "--data", str(tmp_path / "data"))
    said = " ".join(ran.stderr.split())
    assert (ran.returncode, (tmp_path / "data").exists()) == (2, False)
    assert "SHUANGKOU_DATABASE_URL: expected sqlite:///FILE or postgresql://USER:PASSWORD@HOST:5432/" in said


def test_results_fit_a_terminal_and_leave_out_what_nobody_has() -> None:
    counts = scoring_pb2.ResultCounts(won=1, rate=0.5)
    row = scoring_pb2.PlayerResults(
        ruleset_id="qq", deals=1, deals_won=1, points=8, places=[1, 0, 0, 0], doubles=counts, draws=counts
    )
    head, figures, rates = (line.plain for line in results_lines([row]))
    assert head.split() == ["game", "deals", "won", "points", "places"]
    assert figures.split() == ["qq", "1", "1", "+8", "1/0/0/0"]
    assert rates == "  qq, won of all deals 胜局占比: double 双扣 50% · draw 平扣 50%"
    none_won = scoring_pb2.PlayerResults(ruleset_id="qq", deals=1, doubles=scoring_pb2.ResultCounts(lost=1))
    assert len(results_lines([none_won])) == 2
    full = scoring_pb2.PlayerResults(
        ruleset_id="sheng_nokitty4",
        deals=120,
        deals_won=60,
        places=[12, 30, 40, 38],
        bombs=7,
        levels=12,
        matches=20,
        matches_won=11,
        forfeits=2,
    )
    head_line, *_ = results_lines([row, full])
    assert "逃跑" in head_line.plain
    assert head_line.cell_len <= 80


def test_one_of_a_thing_is_told_in_the_singular() -> None:
    player = scoring_pb2.GetPlayerResponse(days_played=1, daily_points=1, partners=1, opponents=1)
    days, met = (line.plain for line in company_lines(player, scoring_pb2.ListCompanionsResponse()))
    assert days == "Played on 1 day: 1 daily point 每日登录分"
    assert met == "Met 1 partner 对家 and 1 opponent 对手"
    bob = scoring_pb2.Companion(player_id="bob", deals_with=3, won_against=4, deals_against=6)
    _, line = company_lines(player, scoring_pb2.ListCompanionsResponse(companions=[bob]))
    assert line.plain.endswith("most often bob (won 0 of 3 with, 4 of 6 against)")


def test_a_stranger_is_told_that_matches_are_hidden() -> None:
    player = scoring_pb2.GetPlayerResponse(results=[scoring_pb2.PlayerResults(matches=2)])
    [line] = hidden_lines(player, 1)
    assert "hidden from you; --name says who you are" in line.plain
    assert not hidden_lines(player, 2)
    player.results[0].matches = 99
    assert not hidden_lines(player, 5)


def test_who_only_sat_at_void_deals_has_no_rank() -> None:
    assert rank_lines([], []) == []


def test_a_rating_below_nothing_has_the_minus_of_points() -> None:
    assert minus(f"{-1.25:.1f}") == points(-1) + ".2"
