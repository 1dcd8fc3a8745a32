"""Games with phases before play, kitties, discards or two seats, played from a pipe among bots."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kit.command import RunningCommand, run_command, running
from kit.suite import LocalSuite, suite_up
from shuangkou.rules.climbing.options import Phase, Sides
from shuangkou.rules.ruleset import available, load

OTHERS = [
    id
    for id in available("climbing")
    if (options := load(id).options).phases != (Phase.PLAY,) or options.kitty or options.decks == 1
]
"""Games of one pack, and those with a kitty or a phase before play."""
TRICKS = ("multi1", "sheng_joker")
_MOST_DEALS = 50
"""Of four seats one deals, so that 50 deals without a turn are less likely than one in a million."""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    with suite_up(tmp_path_factory.mktemp("suite")) as up:
        yield up


@pytest.mark.parametrize("ruleset_id", [*OTHERS, *TRICKS])
def test_hints_play_every_game_to_its_end(suite: LocalSuite, tmp_path: Path, ruleset_id: str) -> None:
    options = ("--ruleset", ruleset_id, "--name", f"ann-{ruleset_id}", *suite.data)
    with running(tmp_path / "play.txt", "play", *options) as play:
        play.type("\n".join(["hint\ngo"] * 300))
        assert play.ended() == 0, play.printed
        printed = play.printed
    assert "✗" not in printed
    assert "Match over 终局" in printed
    assert "种子相符" in printed
    assert "something new happened" not in printed
    has_partners = ruleset_id in TRICKS or load(ruleset_id).options.sides is Sides.PARTNERS
    assert ("partner" in printed) == has_partners


@pytest.mark.parametrize("ruleset_id", [*OTHERS, *TRICKS])
def test_the_list_of_legal_acts_plays_every_game(suite: LocalSuite, tmp_path: Path, ruleset_id: str) -> None:
    options = ("--ruleset", ruleset_id, "--name", f"bea-{ruleset_id}", *suite.data)
    with running(tmp_path / "play.txt", "play", *options) as play:
        # Where nothing is listed, only a pass is left; where something is, a pass is late or refused.
        play.type("\n".join(["legal\n#1\npass"] * 200))
        assert play.ended() == 0, play.printed
        assert "Match over 终局" in play.printed


@contextmanager
def asked(suite: LocalSuite, folder: Path, ruleset_id: str, question: str) -> Iterator[RunningCommand]:
    """A player who has come to a question before play, at whichever table asks it."""
    for number in range(_MOST_DEALS):
        name = f"cat-{ruleset_id}-{number}"
        with running(
            folder / f"{name}.txt", "play", "--ruleset", ruleset_id, "--name", name, *suite.data
        ) as play:
            told = play.until(lambda printed: question in printed or "── trick 1 " in printed)
            if question in told:
                yield play
                return
    pytest.fail(f"nobody was asked {question!r} in {_MOST_DEALS} deals")


def hand_in(printed: str) -> list[str]:
    """The own hand as it was shown last, card by card."""
    shown = re.findall(r"Your hand 手牌 \d+: (.*)", printed)[-1]
    return re.findall(r"[♠♥♣♦](?:10|[2-9JQKA])|[LB]J", shown)


def test_cards_are_buried(suite: LocalSuite, tmp_path: Path) -> None:
    with asked(suite, tmp_path, "classic54", "Bury 扣底") as play:
        one, other, *rest = hand_in(play.printed)
        play.type(f"bury {one}")
        play.until_printed("it must bury 2 cards, not 1")
        play.type(f"bury {one} {other}")
        play.until_printed("buries 2 扣底")
        play.type("hand")
        play.until(lambda printed: hand_in(printed) == rest)
        play.type("table")
        assert f"Kitty 底牌: {one}" in play.until_printed("Kitty 底牌: ")


def test_a_card_is_marked(suite: LocalSuite, tmp_path: Path) -> None:
    with asked(suite, tmp_path, "easy52", "Mark 提分") as play:
        card = hand_in(play.printed)[-1]
        play.type(f"mark {card}")
        play.until_printed("marks a card 提分")
        play.type("table")
        play.until_printed(f"Your mark 提分: {card}")


def test_cards_are_exchanged(suite: LocalSuite, tmp_path: Path) -> None:
    with asked(suite, tmp_path, "five5", "Exchange 换牌") as play:
        one, *rest = hand_in(play.printed)
        play.type(f"exchange {one}")
        play.until_printed("exchanges 1 换牌")
        play.type("hand")
        play.until(
            lambda printed: len(set(hand_in(printed)) & set(rest)) == 4 and one not in hand_in(printed)
        )
        play.type("table")
        play.until_printed(f"Exchanged 换掉: {one}")


def test_a_landlord_bids_and_takes_the_kitty(suite: LocalSuite, tmp_path: Path) -> None:
    with asked(suite, tmp_path, "landlord52", "Who is the landlord 地主?") as play:
        play.type("legal\nbid 9")
        play.until_printed("a bid is 1 to 3")
        play.type("bid 3")
        play.until_printed("Take 拿底牌 what you want of the kitty")
        kitty = re.findall(r"Kitty 底牌: ([♠♥♣♦].*)", play.printed)
        assert kitty
        play.type("take all")
        play.until_printed("takes 4 of the kitty 拿底")
        play.until(lambda printed: len(hand_in(printed)) == 16)


def test_passing_is_no_declaration(suite: LocalSuite, tmp_path: Path) -> None:
    with asked(suite, tmp_path, "bid52", "Declare 叫牌") as play:
        play.type(f"declare {hand_in(play.printed)[0]}")
        play.until_printed("only bombs and straights are declared")
        play.type("不叫")
        play.until(lambda printed: re.search(r"\* .*passes 不叫", printed) is not None)


def test_a_seat_that_is_not_there_cannot_be_taken(suite: LocalSuite) -> None:
    ran = run_command("play", "--ruleset", "duel52", "--seat", "2", *suite.data)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "duel52 is played on the seats 0 to 1" in ran.stderr
