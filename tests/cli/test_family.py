"""The games beside qq at a terminal: face-up cards, open hands, acts out of turn, the rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.command import call_command, run_command, running
from kit.suite import LocalSuite, suite_up
from shuangkou.rules.ruleset import available


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    with suite_up(tmp_path_factory.mktemp("suite")) as up:
        yield up


@pytest.mark.parametrize("ruleset_id", ["jj", "baibian", "wenzhou"])
def test_a_match_with_changes_of_places_is_played_from_a_pipe(
    suite: LocalSuite, tmp_path: Path, ruleset_id: str
) -> None:
    options = ("--ruleset", ruleset_id, "--name", f"ann-{ruleset_id}", "--deals", "3", *suite.data)
    with running(tmp_path / "play.txt", "play", *options) as play:
        play.type("\n".join(["hint\ngo"] * 300))
        assert play.ended() == 0, play.printed
        printed = play.printed
    assert printed.count("Face-up card 明牌") == 3
    assert printed.count("种子相符") == 3
    assert "✗" not in printed
    assert ("Partner's 对家" in printed) == (ruleset_id == "jj")
    # The player is told as *you* on whichever seat the last change of places left it.
    seats = re.findall(r"ann-\w+ to (\w+ .) \*", printed)
    last_seat = seats[-1] if seats else "East 东"
    assert re.search(rf"^  {last_seat} \* ", printed, re.MULTILINE)


def test_who_leaves_for_good_is_asked_first(suite: LocalSuite, tmp_path: Path) -> None:
    with running(tmp_path / "play.txt", "play", "--name", "fay", *suite.data) as play:
        play.type("forfeit\nn\nforfeit\ny")
        assert play.ended() == 0, play.printed
        assert play.printed.count("Leave for good 逃跑? You pay 12 罚12分,") == 2
        assert "You have left for good 逃跑; a bot plays your seat to the end." in play.printed
    with running(tmp_path / "events.txt", "events", "--follow", "--from-start", *suite.data) as events:
        found = re.search(r"(\w{20})  v1 +table opened by fay ", events.until_printed("opened by fay"))
        assert found is not None
        told = events.until(lambda printed: re.search(rf"{found[1]}.*match over", printed) is not None)
    assert re.search(rf"{found[1]}.*East 东 leaves for good 逃跑", told)
    assert re.search(rf"{found[1]}.*settled 结算.*fay −", told)


def test_acts_out_of_turn_are_typed_as_words(suite: LocalSuite, tmp_path: Path) -> None:
    ruleset = "zsy,surrender=true,redeal_vote=true"
    with running(tmp_path / "play.txt", "play", "--ruleset", ruleset, "--name", "gus", *suite.data) as play:
        play.type("legal\nsurrender\nsurrender")
        play.until_printed("bots play on and never agree")
        play.until_printed("you have said so already")
        play.type("redeal")
        # The player may or may not be the leader, after whose play there is no vote any more.
        play.until(lambda printed: "wants a new deal 重发" in printed or "too late for a new deal" in printed)
        play.type("forfeit\ny")
        assert play.ended() == 0, play.printed
        printed = play.printed
    assert re.search(r"At any time: forfeit, (redeal, )?surrender", printed)
    assert "would surrender 投降" in printed


def test_a_table_without_surrender_says_how_to_get_one_with_it(suite: LocalSuite) -> None:
    ran = run_command("play", "--name", "hal", *suite.data, typed="surrender\n")
    assert "--ruleset qq,surrender=true" in ran.stdout


def test_an_option_that_may_not_be_chosen_is_refused() -> None:
    for choice, said in (("qq,decks=3", "option decks of qq must be one of 2"), ("qq,x=1", "no option 'x'")):
        ran = call_command("play", "--ruleset", choice)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert said in ran.stderr


@pytest.mark.parametrize("ruleset_id", available("climbing"))
def test_the_rulebook_shows_options_ladder_and_scores(ruleset_id: str) -> None:
    shown = call_command("rulesets", "show", ruleset_id)
    assert (shown.returncode, shown.stderr) == (0, "")
    for text in (
        "turn_seconds = ",
        "Combinations from low to high 牌型从小到大",
        "single 单张",
        "Scoring 计分",
    ):
        assert text in shown.stdout


def test_the_rulebook_of_wenzhou_tells_phases_wild_cards_and_contributions() -> None:
    shown = call_command("rulesets", "show", "wenzhou").stdout
    ladder = [line.split()[0:2] for line in shown.split("牌型从小到大")[1].splitlines() if "phases" in line]
    assert ["chain", "bomb"] in ladder
    assert re.search(r"pair 对子 +2 cards +♠3♥3 … BJBJ  or ♠3 BJ \(BJ as 3\)", shown)
    assert re.search(r"bomb of 6 phases 6相炸弹 +x4, \+6 -2 -2 -2 at once 即付", shown)
