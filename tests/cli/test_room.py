"""`shuangkou room` and `shuangkou queue`: several people on several terminals at one table."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from kit.command import RunningCommand, call_command, running, running_in_terminal
from kit.suite import LocalSuite, suite_up
from shuangkou.cli.queues import queue_lines
from shuangkou.cli.room_words import Say, Word, read_room_line, start_lines, table_line
from shuangkou.v1.matchmaking_pb2 import TICKET_MODE_CASUAL, TICKET_MODE_RANKED, QueueStats
from shuangkou.v1.rooms_pb2 import (
    ROOM_STATE_GATHERING,
    ROOM_STATE_PLAYING,
    ROOM_STATE_STARTING,
    AddRoomBot,
    ArrangeRoomRequest,
    Room,
    SwapRoomSeats,
)

_AT_TABLE = re.compile(r"You sit \w+ . at table (\w{20})\.")
_ARRANGED = re.compile(r"1 South 南  ann  host 房主\n.*\n  3 North 北  bot")
_ACTS = "\n".join(["#1", "pass"] * 400)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    """A suite that is up."""
    with suite_up(tmp_path_factory.mktemp("rooms")) as running_suite:
        yield running_suite


def at_table(command: RunningCommand) -> str:
    """The table that somebody was led to."""
    found = _AT_TABLE.search(command.until(lambda printed: _AT_TABLE.search(printed) is not None))
    assert found is not None
    return found[1]


def room_of(host: RunningCommand) -> str:
    """The code that the host was told."""
    found = re.search(r"shuangkou://room/(\d{6})", host.until_printed("shuangkou://room/"))
    assert found is not None
    return found[1]


def test_three_people_and_a_bot_play_one_table_from_a_room(suite: LocalSuite, tmp_path: Path) -> None:
    with ExitStack() as open_terminals:

        def terminal(*arguments: str, name: str) -> RunningCommand:
            line = ("room", *arguments, "--name", name, *suite.data)
            return open_terminals.enter_context(running(tmp_path / f"{name}.txt", *line))

        host = terminal("create", "--ruleset", "qq,turn_seconds=60", "--deals", "1", name="ann")
        code = room_of(host)
        guests = [terminal("join", code, name="ben"), terminal("join", code, name="cai")]
        host.until(lambda printed: "ben" in printed and "cai" in printed)
        host.type("start")
        host.until_printed("room/open_seats")
        host.type("bot 3 plain\nswap 0 1\nsay hurry")
        for guest in guests:
            guest.until_printed("ann: Hurry up, the flowers are wilting! 快点吧，我等得花儿都谢了！")
            guest.until(lambda printed: _ARRANGED.search(printed) is not None)
        assert call_command("room", "start", code, "--name", "ben", *suite.data).returncode == 1
        assert call_command("room", "start", code, "--name", "ann", *suite.data).returncode == 0
        everybody = [host, *guests]
        assert len({at_table(command) for command in everybody}) == 1
        for command in everybody:
            command.type(_ACTS)
        for command in everybody:
            assert command.ended() == 0, command.printed
            assert "Match over" in command.printed
            assert "♠" in command.printed
            assert f"room join {code} --name" in command.printed.partition("Match over")[2]
        assert f"room start {code} --name ann" in host.printed.partition("Match over")[2]
        elsewhere = call_command("queue", "--name", "ben", *suite.data)
        assert elsewhere.returncode == 1
        assert f"leave that first: shuangkou room leave {code} --name ben" in elsewhere.stderr


def test_a_room_is_found_left_and_closed_from_the_terminal(suite: LocalSuite, tmp_path: Path) -> None:
    line = ("room", "create", "--name", "dora", "--ruleset", "qq,turn_seconds=60", *suite.data)
    with running(tmp_path / "dora.txt", *line) as host:
        code = room_of(host)
        stranger = call_command("room", "leave", code, "--name", "nobody", *suite.data)
        assert (stranger.returncode, "room/not_in_it" in stranger.stderr) == (1, True)
        nowhere = call_command("room", "bot", code, "9", "plain", "--name", "dora", *suite.data)
        assert "there is no seat 9; seats are 0 to 3" in nowhere.stderr
        link = f"shuangkou://room/{code}"
        with running(tmp_path / "emil.txt", "room", "join", link, "--name", "emil", *suite.data) as guest:
            guest.until_printed("emil")
            assert "turn_seconds = 60" in guest.printed
            shown = call_command("room", "show", code, "--name", "emil", *suite.data)
            assert "dora  host 房主" in shown.stdout
            assert "turn_seconds = 60 · 1 deal 共1局 · nobody else may watch" in shown.stdout
            assert call_command("room", "kick", code, "emil", "--name", "dora", *suite.data).returncode == 0
            assert guest.ended() == 1
            assert "the host has sent you away 房主请你离开了" in guest.printed
        again = call_command("room", "join", code, "--name", "emil", *suite.data)
        assert (again.returncode, "room/kicked" in again.stderr) == (1, True)
        host.type("leave")
        assert host.ended() == 0
    gone = call_command("room", "join", code, "--name", "fay", *suite.data)
    assert (gone.returncode, "room/unknown" in gone.stderr) == (1, True)
    assert call_command("room", "join", "12345", *suite.data).returncode == 2


def test_four_people_from_the_queue_are_asked_and_play_one_table(suite: LocalSuite, tmp_path: Path) -> None:
    """Two of them are partners; one sits at a real terminal and presses Enter."""
    with ExitStack() as open_terminals:
        names = ("gus", "hal", "ida")
        partner = {"gus": ("--with", "hal"), "hal": ("--with", "gus"), "ida": ()}
        waiting = []
        for name in names:
            line = ("queue", "--name", name, "--people", "--deals", "1", *partner[name], *suite.data)
            waiting.append(open_terminals.enter_context(running(tmp_path / f"{name}.txt", *line)))
        line = ("queue", "--name", "jo", "--people", "--deals", "1", *suite.data)
        with running_in_terminal(*line) as person:
            person.until_printed("A table is ready 已找到牌桌")
            person.type("")
            everybody = [*waiting, person]
            assert len({at_table(command) for command in everybody}) == 1
            seats = [re.findall(r"You sit (\w+)", command.printed)[0] for command in waiting]
            assert {*seats[:2]} in ({"East", "West"}, {"South", "North"})


def test_a_table_from_the_queue_can_be_played_again(suite: LocalSuite, tmp_path: Path) -> None:
    line = ("queue", "--name", "kim", "--mode", "bots", "--deals", "1", *suite.data)
    with running(tmp_path / "kim.txt", *line) as person:
        table_id = at_table(person)
        person.type(_ACTS)
        assert person.ended() == 0, person.printed
    last = person.printed.rstrip().splitlines()[-1]
    assert f"queue --rematch {table_id} --name kim" in last
    again = ("queue", "--rematch", table_id, "--name", "kim", *suite.data)
    with running(tmp_path / "again.txt", *again) as person:
        assert at_table(person) != table_id
        assert "a rematch 再来一局 with the same bots" in person.printed
    other = call_command("queue", "--rematch", table_id, "--people", *suite.data)
    assert (other.returncode, "as it was" in other.stderr) == (2, True)


def test_who_would_play_another_game_avoids_somebody_and_names_a_region_is_seated_accordingly(
    suite: LocalSuite, tmp_path: Path
) -> None:
    """Four wait for one game, but two of them do not suit each other; a stranger far away suits nobody."""
    with ExitStack() as open_terminals:

        def queue(name: str, *wish: str) -> RunningCommand:
            line = ("queue", "--name", name, "--people", "--deals", "1", *wish, *suite.data)
            return open_terminals.enter_context(running(tmp_path / f"{name}.txt", *line))

        lea = queue("lea", "--ruleset", "zsy", "--or", "qq", "--region", "west")
        lea.until_printed("Waiting for a table of zsy or qq")
        lea.until_printed("You are number 1 of 1")
        ray = queue("ray", "--avoid", "lea", "--region", "west")
        far = queue("far", "--region", "east")
        near = [queue(name, "--region", "west") for name in ("mia", "nic")]
        for waiting in (ray, far, *near):
            waiting.until_printed("You are number")
        shown = call_command("queues", "--ruleset", "qq", *suite.data)
        assert re.search(r"qq +casual +5 +\d+ s", shown.stdout), shown
        seated = [lea, *near, queue("ola", "--region", "west")]
        assert len({at_table(command) for command in seated}) == 1
        assert "It is qq that is played" in lea.printed
        assert not any(_AT_TABLE.search(command.printed) for command in (ray, far))


def test_ranked_play_seats_four_of_like_rating_by_the_rulesets_own_options(
    suite: LocalSuite, tmp_path: Path
) -> None:
    other = ("queue", "--mode", "ranked", "--ruleset", "qq,turn_seconds=60", *suite.data)
    refused = call_command(*other)
    assert (refused.returncode, "match/ranked_options" in refused.stderr) == (1, True)
    with ExitStack() as open_terminals:
        players = []
        for name in ("sam", "tom", "una", "vic"):
            line = ("queue", "--mode", "ranked", "--deals", "1", "--name", name, *suite.data)
            players.append(open_terminals.enter_context(running(tmp_path / f"{name}.txt", *line)))
        assert len({at_table(command) for command in players}) == 1


def test_who_waits_already_goes_on_or_takes_the_ticket_back(suite: LocalSuite, tmp_path: Path) -> None:
    line = ("queue", "--name", "lu", "--people", *suite.data)
    cancel = ("queue", "--cancel", "--name", "lu", *suite.data)
    with running(tmp_path / "lu.txt", *line) as gone:
        gone.until_printed("You are number 1 of 1")
        gone.process.kill()
    other = call_command("queue", "--name", "lu", "--deals", "2", *suite.data)
    assert other.returncode == 1
    assert "queue --resume --name lu" in other.stderr
    assert "queue --cancel --name lu" in other.stderr
    made = call_command("room", "create", "--name", "lu", *suite.data)
    assert "shuangkou queue --cancel --name lu" in made.stderr
    for again in (line, ("queue", "--resume", "--name", "lu", *suite.data)):
        with running(tmp_path / "again.txt", *again) as back:
            back.until_printed("继续排队")
            back.until_printed("You are number 1 of 1")
            back.process.kill()
    assert "取消排队" in call_command(*cancel).stdout
    assert "You hold no ticket" in call_command(*cancel).stdout
    assert call_command("queue", "--resume", "--name", "lu", *suite.data).returncode == 1
    both = call_command("queue", "--resume", "--people", "--name", "lu", *suite.data)
    assert "leave the other options out" in both.stderr
    with running(tmp_path / "mo.txt", "queue", "--name", "mo", "--people", *suite.data) as person:
        person.until_printed("You are number 1 of 1")
        person.process.send_signal(signal.SIGINT)
        person.interrupt()
    assert "You hold no ticket" in call_command("queue", "--cancel", "--name", "mo", *suite.data).stdout


def test_queues_are_shown_as_people_read_them() -> None:
    [nobody] = queue_lines([])
    assert "没有人在排队" in nobody.plain
    qq = QueueStats(ruleset_id="qq", mode=TICKET_MODE_RANKED, waiting=3, longest_wait_ms=4_400)
    zsy = QueueStats(ruleset_id="zsy", mode=TICKET_MODE_CASUAL, usual_wait_ms=1_500)
    _, *lines = queue_lines([qq, zsy])
    assert [line.plain.split() for line in lines] == [
        ["qq", "ranked", "3", "4", "s", "-"],
        ["zsy", "casual", "0", "-", "1.5", "s"],
    ]


def test_what_is_typed_in_a_room_is_understood_or_explained() -> None:
    assert read_room_line("say hurry") == Say("hurry")
    assert read_room_line(" 开始 ") == Word("start")
    assert read_room_line("bot 3 plain") == ArrangeRoomRequest(add_bot=AddRoomBot(seat=3, persona="plain"))
    assert read_room_line("swap 0 2") == ArrangeRoomRequest(swap=SwapRoomSeats(one=0, other=2))
    assert read_room_line("kick bob") == ArrangeRoomRequest(kick_player_id="bob")
    assert read_room_line("nobot 1") == ArrangeRoomRequest(remove_bot_seat=1)
    for line in ("jump", "bot x plain", "nobot ３"):
        with pytest.raises(ValueError, match=r"means nothing|is no seat"):
            read_room_line(line)


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("bot 2", "which one"),
        ("bot", "which seat"),
        ("say", "which phrase"),
        ("say well played", "which phrase"),
        ("kick", "whom"),
        ("nobot", "which seat"),
        ("swap 1", "which two seats"),
        ("swap 0 0", "with itself"),
    ],
)
def test_who_leaves_something_out_in_a_room_is_told_what(line: str, asked: str) -> None:
    with pytest.raises(ValueError, match=f"{asked}.*for example"):
        read_room_line(line)


def test_only_the_host_is_told_to_start() -> None:
    room = Room(host_id="ann")
    assert "Type start" in " ".join(start_lines(room, "ann", "room start"))
    assert "Type start" not in " ".join(start_lines(room, "ben", "room start"))
    assert "ann starts" in " ".join(start_lines(room, "ben", "room start"))
    room.state = ROOM_STATE_STARTING
    assert list(start_lines(room, "ann", "room start")) == ["the table is being opened 正在开桌"]


def test_a_table_that_is_over_is_not_shown_as_the_one_that_is_played() -> None:
    assert table_line(Room(state=ROOM_STATE_GATHERING)) == ""
    assert table_line(Room(state=ROOM_STATE_STARTING, table_id="t")) == "the table is being opened 正在开桌"
    assert "over" in table_line(Room(state=ROOM_STATE_GATHERING, table_id="t"))
    assert table_line(Room(state=ROOM_STATE_PLAYING, table_id="t")) == "at table 牌桌 t now"
