"""Events (赛事) at a terminal: looked up, chosen beside a ruleset, played, and told to the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from kit.command import call_command, run_command, running
from kit.commits import commit
from kit.suite import LocalSuite, suite_up
from shuangkou.cli.event_words import event_lines, event_words, outcome_words
from shuangkou.cli.narrator import Narrator
from shuangkou.cli.phrases import commit_phrase, matched_phrase
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.rulebook import read_game
from shuangkou.v1 import events_pb2, table_pb2

OUTCOME = events_pb2.EventOutcome(
    terms=events_pb2.EventTerms(event_id="ev_elder"), winner=1, reason=events_pb2.EVENT_REASON_THINKING
)
SECOND = events_pb2.EventTerms(event_id="ev_swiss", options={"round": "2"})
THIRD = events_pb2.EventTerms(event_id="ev_swiss", options={"round": "3", "max_deals": "1"})
WON = re.compile(r"^(East 东 and West 西|South 南 and North 北) win 胜出, .+$", re.MULTILINE)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    with suite_up(tmp_path_factory.mktemp("suite")) as up:
        yield up


def test_events_are_listed_beside_the_rulesets_and_shown_in_both_languages() -> None:
    listed = call_command("rulesets").stdout
    assert "Events 赛事" in listed
    assert re.search(r"^  ev_elder  Elders' knock-out 老年人双扣比赛 +qq$", listed, re.MULTILINE)
    shown = call_command("rulesets", "show", "ev_swiss")
    assert (shown.returncode, shown.stderr) == (0, "")
    for text in (
        "ev_swiss · Three rounds, winners meet winners 双扣竞赛（三轮）",
        "同分加赛一局",
        "Rulesets 可用规则: bid52, jipai, landlord52, qq, zsy",
        "round = 1   a table may choose: 1, 2, 3",
        "第几轮",
    ):
        assert text in shown.stdout


@pytest.mark.parametrize(
    ("ruleset", "event", "deals", "said"),
    [
        ("qq", "ev_other", None, "no event 'ev_other'; there are ev_elder, ev_swiss"),
        ("qq", "ev_swiss,round=4", None, "option round of ev_swiss must be one of 1, 2, 3, not '4'"),
        ("qq", "ev_swiss,", None, "nothing stands behind a comma"),
        ("jj", "ev_elder", None, "ev_elder cannot be played with jj, which"),
        ("qq", "ev_elder", 2, "ev_elder itself says how many deals are played; leave --deals out"),
    ],
)
def test_an_event_that_cannot_be_is_answered_with_why(
    ruleset: str, event: str, deals: int | None, said: str
) -> None:
    with pytest.raises(Problem) as caught:
        read_game(ruleset, event, deals)
    assert caught.value.exit_code == BAD_INPUT
    assert said in str(caught.value)


@pytest.mark.parametrize("command", ["play", "demo", "queue"])
def test_every_command_that_opens_a_table_knows_events(command: str) -> None:
    ran = call_command(command, "--event", "ev_elder", "--ruleset", "jj")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("shuangkou: ev_elder cannot be played with jj, which ")


def test_without_an_event_a_match_has_one_deal_or_as_many_as_are_asked_for() -> None:
    assert [read_game("qq", "", deals).deals for deals in (None, 1, 7)] == [1, 1, 7]
    assert read_game("qq", "ev_elder", None).deals == 0


def test_a_match_of_an_event_is_watched_to_its_winner(suite: LocalSuite) -> None:
    ran = run_command("demo", "--ruleset", "qq", "--event", "ev_elder", *suite.data)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Event 赛事: Elders' knock-out 老年人双扣比赛" in ran.stdout
    # Every draw but the last deal's is played again.
    results = re.findall(r"^Result 结果: (\w+)", ran.stdout, re.MULTILINE)
    assert all(result == "draw" for result in results[:-1])
    assert len(results) <= 3
    assert len(WON.findall(ran.stdout)) == 1
    assert max(map(cell_len, ran.stdout.splitlines())) <= 80


def words_of(printed: str) -> str:
    """What was printed on one line, wherever it was folded."""
    return " ".join(printed.replace("·", "").split())


def test_a_player_plays_a_round_of_an_event_and_the_ledger_has_it(suite: LocalSuite, tmp_path: Path) -> None:
    event = "ev_swiss,round=3,max_deals=1"
    with running(tmp_path / "play.txt", "play", "--name", "eve", "--event", event, *suite.data) as play:
        play.type("\n".join(["score", *["hint\ngo"] * 900]))
        assert play.ended() == 0, play.printed
        printed = play.printed
    unwrapped = words_of(printed)
    assert words_of(f"Deal 1 Event 赛事: {event_words(THIRD)} Bell in 距到时") in unwrapped
    assert re.search(r"距到时 (60:00|59:\d\d) East", unwrapped)
    [winners] = WON.findall(printed)
    with running(tmp_path / "events.txt", "events", "--follow", "--from-start", *suite.data) as events:
        told = events.until(lambda text: re.search(r"入账: eve .*win 胜出", text) is not None)
    assert re.search(r"table opened by eve 开桌 for Three rounds", told)
    assert re.search(rf"入账: eve .*; {winners} win 胜出, by points 总分领先", told)


def test_a_ticket_is_for_an_event_too(suite: LocalSuite, tmp_path: Path) -> None:
    arguments = ("queue", "--name", "quinn", "--event", "ev_elder", "--bots-after", "0", *suite.data)
    with running(tmp_path / "queue.txt", *arguments) as queue:
        queue.until_printed("Event 赛事: Elders' knock-out")
        queue.type("quit\ny")
        assert queue.ended() == 0, queue.printed


def test_a_winner_is_told_in_both_languages() -> None:
    finished = events_pb2.MatchFinished(totals=[0] * 4, event=OUTCOME)
    end = commit(events_pb2.Event(match_finished=finished))
    won = "South 南 and North 北 win 胜出, at the bell, for the others thought longer 对方超时判负"
    assert [line.plain for line in Narrator({}).tell(end)][-1] == won
    assert commit_phrase(end).endswith(won)
    unheard_of = events_pb2.EventOutcome(winner=0)
    assert outcome_words(unheard_of) == "East 东 and West 西 win 胜出, as the event says 按赛事规程"


def test_an_event_is_named_with_what_was_chosen_of_it() -> None:
    assert event_words(SECOND) == "Three rounds, winners meet winners 双扣竞赛（三轮） · round = 2"
    assert event_words(events_pb2.EventTerms(event_id="ev_new")) == "ev_new"
    matched = events_pb2.TableMatched(players=["a", "b"], event=SECOND)
    assert matched_phrase(matched) == f"matched 配桌: a, b for {event_words(SECOND)}"
    view = table_pb2.SeatView(event=table_pb2.EventView(terms=SECOND))
    assert event_lines(view) == [f"Event 赛事: {event_words(SECOND)}"]
    view.event.outcome.CopyFrom(OUTCOME)
    assert event_lines(view)[1:] == [outcome_words(OUTCOME)]
    assert event_lines(table_pb2.SeatView()) == []
