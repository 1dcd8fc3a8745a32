"""Tables in the terminal: watched, played, interrupted, on engines that die."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from kit.command import (
    RunningCommand,
    call_command,
    command_environment,
    command_line,
    processes_with,
    run_command,
    running,
    running_in_terminal,
)
from kit.suite import LocalSuite, suite_up

SEATS = ("East 东", "South 南", "West 西", "North 北")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    with suite_up(tmp_path_factory.mktemp("suite"), "--engines", "2") as up:
        yield up


def cards_played(printed: str) -> dict[str, Counter[str]]:
    """Per seat, every card that the story says it has played."""
    played: dict[str, Counter[str]] = {}
    for line in printed.splitlines():
        seat = next((seat for seat in SEATS if line.startswith(f"  {seat}")), None)
        if seat is not None:
            cards = re.findall(r"[♠♥♣♦](?:10|[2-9JQKA])|LJ|BJ", line[12:])
            played.setdefault(seat, Counter()).update(cards)
    return played


def assert_whole_deals(printed: str, count: int = 1) -> None:
    """The story has every deal once, and its match ends once."""
    told = re.split(r"^Deal (\d+) 第", printed, flags=re.MULTILINE)
    assert told[1::2] == [str(number) for number in range(1, count + 1)], printed
    for deal in told[2::2]:
        assert_one_deal(deal)
    assert printed.count("Match over 终局: ") == 1


def assert_one_deal(told: str) -> None:
    """A deal has every trick once, in order, and no card more often than the deck."""
    tricks = [int(number) for number in re.findall(r"^── trick (\d+)", told, re.MULTILINE)]
    assert tricks == list(range(1, len(tricks) + 1)), told
    played = cards_played(told)
    out = [seat for seat in SEATS if re.search(rf"^  {seat}.* is out ", told, re.MULTILINE)]
    assert len(out) in (2, 3), told
    for seat in SEATS:
        cards = played.get(seat, Counter()).total()
        assert cards == 27 if seat in out else cards < 27, told
    assert max(sum(played.values(), Counter()).values()) <= 2
    assert told.count("Result 结果: ") == 1
    assert told.count("种子相符") == 1


def test_a_demo_tells_one_deal_in_plain_text(suite: LocalSuite) -> None:
    ran = run_command("demo", *suite.data)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "\x1b" not in ran.stdout
    assert_whole_deals(ran.stdout)
    assert max(map(cell_len, ran.stdout.splitlines())) <= 80


def test_a_demo_outlives_engines_that_are_killed(suite: LocalSuite, tmp_path: Path) -> None:
    with running(tmp_path / "demo.txt", "demo", "--deals", "40", *suite.data) as demo:
        demo.until_printed("Deal 2 ")
        suite.kill("engine-1", "shuangkou.engine")
        suite.kill("engine-2", "shuangkou.engine")
        assert "Match over" not in demo.printed, "the engines were killed too late"
        assert demo.ended() == 0, demo.printed
        assert_whole_deals(demo.printed, 40)


def test_a_demo_brings_its_own_suite_and_takes_it_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    ran = run_command("demo", "--data", str(tmp_path / "none"))
    assert ran.returncode == 0, ran.stderr
    assert_whole_deals(ran.stdout)
    assert processes_with(str(tmp_path)) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("line", ["hint\ngo", "1\npass", "legal\n#1\npass"])
def test_a_whole_deal_is_played_from_a_pipe(suite: LocalSuite, tmp_path: Path, line: str) -> None:
    with running(tmp_path / "play.txt", "play", "--name", "alice", "--seat", "1", *suite.data) as play:
        play.type("\n".join([line] * 150))
        assert play.ended() == 0, play.printed
        printed = play.printed
    story = "\n".join(told for told in printed.splitlines() if not told.startswith(("> ", "  #")))
    assert_whole_deals(story.replace("South 南 *", "South 南  "))
    assert "第1局" in printed
    assert "alice" in printed
    assert max(map(cell_len, printed.splitlines())) <= 80


def test_a_player_does_not_notice_that_engines_die(suite: LocalSuite, tmp_path: Path) -> None:
    # So many deals that the match cannot be over before the last line is typed.
    deals = 3
    with running(tmp_path / "play.txt", "play", "--name", "bob", "--deals", str(deals), *suite.data) as play:
        play.until_printed("Your hand")
        play.type("\n".join(["1", "pass"] * 3))
        play.until_printed("── trick 2")
        suite.kill("engine-1", "shuangkou.engine")
        play.type("\n".join(["1", "pass"] * 3))
        suite.kill("engine-2", "shuangkou.engine")
        play.type("\n".join(["1", "pass"] * 150 * deals))
        assert play.ended() == 0, play.printed
        story = "\n".join(told for told in play.printed.splitlines() if not told.startswith("> "))
    assert_whole_deals(story.replace("East 东 *", "East 东  "), deals)


def test_the_end_of_the_input_leaves_the_seat_to_a_bot(suite: LocalSuite, tmp_path: Path) -> None:
    ran = run_command("play", "--name", "carol", *suite.data, typed="hand\n")
    assert ran.returncode == 0
    assert re.search(r"You have left; a bot plays your seat on 托管\..*\n.* play --table \w{20} ", ran.stdout)
    with running(tmp_path / "events.txt", "events", "--follow", "--from-start", *suite.data) as events:
        table = table_opened_by(events, "carol")
        events.until(lambda printed: f"{table}  " in printed and finished(printed, table))
        assert re.search(rf"{table}.*East 东 is played by a bot 托管", events.printed)


def table_opened_by(events: RunningCommand, name: str) -> str:
    printed = events.until_printed(f"table opened by {name} ")
    found = re.search(rf"(\w{{20}})  v1 +table opened by {name} ", printed)
    assert found is not None
    return found[1]


def finished(printed: str, table: str) -> bool:
    return any(table in line and "match over" in line for line in printed.splitlines())


def test_ctrl_c_in_a_terminal_asks_before_leaving(suite: LocalSuite) -> None:
    with running_in_terminal("play", "--name", "dora", *suite.data) as play:
        play.until_printed("Your hand")
        play.process.send_signal(signal.SIGINT)
        play.until_printed("Leave the table?")
        play.type("n")
        play.type("score")
        play.until_printed("Deal 1 of 1")
        play.process.send_signal(signal.SIGINT)
        play.until(lambda printed: printed.count("Leave the table?") == 2)
        play.type("y")
        assert play.ended() == 0, play.printed
        assert "You have left" in play.printed
        assert "\x1b[" in play.printed


def test_a_seat_is_hosted_and_reclaimed(suite: LocalSuite) -> None:
    with running_in_terminal("play", "--name", "emil", "--seat", "2", *suite.data) as play:
        play.until_printed("Your hand")
        play.type("host")
        play.until_printed("is played by a bot now 托管")
        play.type("reclaim")
        play.until(lambda printed: "is back 取消托管" in printed or "Match over" in printed)
        play.type("quit")
        assert play.ended() == 0, play.printed


def test_who_stays_away_is_hosted_and_may_come_back(suite: LocalSuite) -> None:
    quick = "qq,turn_seconds=5,lead_seconds=5,time_bank_seconds=0"
    match = ("--name", "gina", "--deals", "9", "--ruleset", quick)
    with running_in_terminal("play", *match, *suite.data) as play:
        play.until_printed("is played by a bot now after missed deadlines 托管")
        play.type("reclaim")
        play.until_printed("is back 取消托管")
        play.type("quit")
        assert play.ended() == 0, play.printed


def test_the_prompt_tells_of_the_time_bank(suite: LocalSuite) -> None:
    with running_in_terminal("play", "--name", "hugo", *suite.data) as play:
        play.until_printed("time bank 加时")
        play.type("quit")
        assert play.ended() == 0, play.printed


def test_mistakes_are_answered_in_one_line(suite: LocalSuite) -> None:
    with running_in_terminal("play", "--name", "frida", *suite.data) as play:
        play.until_printed("首出")
        play.until(lambda printed: "You lead" in printed or "Beat 要压" in printed)
        play.type("3*9")
        play.until_printed("✗ you hold ")
        play.type("what")
        play.until_printed("✗ 'what' is no word and no card")
        play.type("legal 5")
        play.until_printed("✗ 'legal' is typed alone")
        play.type("#999")
        play.until(lambda printed: "type legal to see it" in printed or "type pass" in printed)
        play.type("quit")
        assert play.ended() == 0, play.printed


def test_stored_events_are_listed_and_exported(suite: LocalSuite) -> None:
    assert run_command("demo", *suite.data).returncode == 0
    listed = run_command("events", *suite.data)
    assert (listed.returncode, listed.stderr) == (0, "")
    table = next(line.split()[1] for line in listed.stdout.splitlines() if "opened by demo" in line)
    exported = run_command("events", "--json", "--table", table, *suite.data)
    messages = [json.loads(line) for line in exported.stdout.splitlines()]
    assert {message["tableId"] for message in messages} == {table}
    versions = [int(message["version"]) for message in messages if "events" in message]
    assert versions == list(range(1, len(versions) + 1))


@pytest.mark.parametrize("options", [(), ("--follow",), ("--json",)])
@pytest.mark.parametrize("table", ["nope", ">", "*", "a.b", "a b"])
def test_events_of_an_unknown_table_are_an_error(
    suite: LocalSuite, table: str, options: tuple[str, ...]
) -> None:
    ran = call_command("events", "--table", table, *options, *suite.data)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"shuangkou: the stream has no event of a table {table!r}\n"


@pytest.mark.parametrize("arguments", [("play", "--name", "ida"), ("demo",), ("events",), ("rulesets",)])
def test_a_reader_that_has_seen_enough_ends_the_command_silently(
    suite: LocalSuite, arguments: tuple[str, ...]
) -> None:
    options = () if arguments == ("rulesets",) else suite.data
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        ran = subprocess.run(
            command_line(*arguments, *options),
            stdin=subprocess.DEVNULL,
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            env=command_environment(),
            timeout=60,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (1, "")


def test_events_go_on_after_the_broker_was_killed(suite: LocalSuite, tmp_path: Path) -> None:
    def demo_told(feed: RunningCommand) -> None:
        """Other tables may still be played, so it is a table of our own that is waited for."""
        table = run_command("demo", *suite.data).stdout.split()[1]
        feed.until_printed(f"{table}  v1 ")
        feed.until(lambda printed: finished(printed, table))
        feed.until(lambda printed: re.search(rf"{table}  v\d+ +deal 1 is in the ledger", printed) is not None)
        told = re.findall(rf"{table}  v(\d+) +(?! |deal 1 is in the ledger)", feed.printed)
        assert [int(version) for version in told] == list(range(1, len(told) + 1))

    # From the start of the stream: what follows from now on may begin too late to see the first demo.
    with running(tmp_path / "events.txt", "events", "-f", "--from-start", *suite.data) as feed:
        demo_told(feed)
        suite.kill("nats", "nats-server")
        demo_told(feed)
        assert feed.interrupt() == 0


def test_settled_deals_reach_the_leaderboard(suite: LocalSuite, tmp_path: Path) -> None:
    # Nobody else plays this game here, so that its leaderboard holds these four bots alone.
    game = ("--ruleset", "zsy", *suite.data)
    told = run_command("demo", *game).stdout
    table = told.split()[1]
    with running(
        tmp_path / "events.txt", "events", "-f", "--from-start", "--table", table, *suite.data
    ) as feed:
        feed.until_printed("is in the ledger 入账")
    _, *rows = call_command("leaderboard", "--bots", *game).stdout.splitlines()
    assert [row.split()[1][:4] for row in rows] == ["bot:"] * 4
    assert rows[0].split()[0] == "1"


def test_a_token_of_the_suite_is_printed(suite: LocalSuite) -> None:
    assert call_command("token", "alice", *suite.data).stdout.count(".") == 2


def test_the_queue_leads_to_a_table(suite: LocalSuite, tmp_path: Path) -> None:
    with running(tmp_path / "queue.txt", "queue", "--name", "gina", "--bots-after", "0", *suite.data) as play:
        play.type("\n".join(["1", "pass"] * 150))
        assert play.ended() == 0, play.printed
        assert re.search(r"^You sit (East|South|West|North) . at table \w{20}\.$", play.printed, re.MULTILINE)
        assert "Match over" in play.printed


def test_ctrl_c_in_the_queue_takes_the_ticket_back(suite: LocalSuite, tmp_path: Path) -> None:
    for _ in range(2):
        # A player holds one waiting ticket at most, so a second visit shows that the first ticket is gone.
        with running(
            tmp_path / "queue.txt", "queue", "--name", "hans", "--bots-after", "3600", *suite.data
        ) as wait:
            wait.until_printed("Waiting for a table of qq")
            assert wait.interrupt() == 130
