"""The rules of a game as people read them."""

from collections import Counter
from collections.abc import Iterator

import pytest

from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.ruleset import available, load
from shuangkou.rules.tricks.level_tables import gain
from shuangkou.rules.tricks.options import KittyMultiplier, Scoring, TricksOptions
from shuangkou.rules.tricks.order import Trump, trump_order
from shuangkou.rules.tricks.rulebook import example_trump, order_section, rulebook
from shuangkou.rules.tricks.rulebook_lines import Line, Section, Words

IDS = available("tricks")


def options(id: str) -> TricksOptions:
    chosen = load(id).options
    assert isinstance(chosen, TricksOptions)
    return chosen


def section(id: str, title: str) -> Section:
    return next(each for each in rulebook(options(id)) if title in each.title.en)


def texts(words: Words) -> tuple[str, str]:
    return words.en, words.zh


@pytest.mark.parametrize("id", IDS)
def test_everything_is_said_in_both_languages(id: str) -> None:
    for each in rulebook(options(id)):
        assert each.lines
        for words in (each.title, *(line.name for line in each.lines)):
            assert words.en.isascii()
            assert not words.zh.isascii()
        for line in each.lines:
            assert bool(line.value.en) == bool(line.value.zh)
            assert line.value.en.isascii()
            assert line.value.en or line.cards


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("trump", Trump)
def test_the_order_goes_down_and_names_every_trump_once(id: str, trump: Trump) -> None:
    """§1.6, §1.8."""
    rules = options(id)
    level = example_trump(rules)[1]
    order = trump_order(rules, trump, None if level is None else level.rank)
    *trumps, plain = order_section(rules, trump, level).lines
    shown = [card for line in trumps for card in line.cards]
    assert Counter(shown) == Counter(card for card in CARDS if order.is_trump(card))
    for cards in (shown, [*plain.cards]):
        strengths = [order.strength_of(card) for card in cards]
        assert strengths == sorted(strengths, reverse=True)
        assert len({order.suit_of(card) for card in cards}) == 1


def test_equal_trumps_share_a_line() -> None:
    """§1.6: hearts at five."""
    lines = section("multi2", "hearts trump at level 5").lines
    assert [(line.name.zh, line.cards) for line in lines[:4]] == [
        ("大王", (Card.BIG_JOKER,)),
        ("小王", (Card.SMALL_JOKER,)),
        ("主5", parse_cards("5h")),
        ("副5，同大", parse_cards("5s 5c 5d")),
    ]
    assert lines[4].cards == parse_cards("Ah Kh Qh Jh Th 9h 8h 7h 6h 4h 3h 2h")


def test_the_heaven_five_stands_above_the_jokers() -> None:
    """§1.8."""
    lines = section("tian5", "spades trump").lines
    assert [line.cards[0] for line in lines[:4]] == [*parse_cards("5s BJ LJ 5h")]


def test_a_level_without_level_cards_has_only_jokers() -> None:
    """§1.3."""
    lines = section("notrump_final", "no-trump level").lines
    assert [line.cards for line in lines[:2]] == [(Card.BIG_JOKER,), (Card.SMALL_JOKER,)]
    assert len(lines) == 3


@pytest.mark.parametrize(
    ("id", "cards", "is_tractor"),
    [
        ("multi2", "4s 4s 6s 6s", True),
        ("multi2", "Ah Ah 5s 5s", True),
        ("multi2", "5s 5s 5c 5c", False),
        ("multi2", "5s 5s 5h 5h LJ LJ BJ BJ", True),
        ("multi2", "2s 2s As As", False),
        ("hook60", "2s 2s As As", True),
        ("multi2", "5s 5s LJ LJ", True),
        ("sheng30", "5s 5s LJ LJ", False),
        ("sixteen_deals", "5s 5s LJ LJ", False),
        ("multi3", "4s 4s 4s 6s 6s 6s", True),
        ("sheng_nokitty4", "4s 4s 4s 4s 6s 6s 6s 6s", True),
        ("tian5", "BJ BJ 5s 5s", True),
        ("tian5", "As As 2h 2h", True),
        ("tian5", "4h 4h 6h 6h", True),
        ("tian5", "5h 5h 5c 5c", False),
    ],
)
def test_examples_of_tractors(id: str, cards: str, is_tractor: bool) -> None:
    """§5.3 to §5.6."""
    line = next(line for line in section(id, "Tractors").lines if line.cards == parse_cards(cards))
    assert texts(line.value) == (("a tractor", "是拖拉机") if is_tractor else ("no tractor", "不是拖拉机"))


@pytest.mark.parametrize("id", IDS)
def test_one_pack_has_no_tractors(id: str) -> None:
    """§5.1."""
    has_tractors = any(each.title.en == "Tractors" for each in rulebook(options(id)))
    assert has_tractors == (options(id).decks > 1)


@pytest.mark.parametrize("id", [id for id in IDS if options(id).scoring is Scoring.LEVELS])
def test_the_table_of_levels_agrees_with_the_rules(id: str) -> None:
    """§8.1, score by score up to where the table goes on by steps."""
    rows = dict(_levels_told(section(id, "What the points earn").lines))
    for score, told in rows.items():
        earned = gain(options(id), score)
        assert told == (earned.declarers_up or earned.attackers_up, earned.deal_passes)
    assert [*rows] == [*range(0, max(rows) + 5, 5)]


def _levels_told(lines: tuple[Line, ...]) -> Iterator[tuple[int, tuple[int, bool]]]:
    for line in lines:
        if line.name.en.startswith("every"):
            continue
        points = [int(word) for word in line.name.en.split() if word.isdigit()]
        up = next((int(word) for word in line.value.en.split() if word.isdigit()), 0)
        for score in range(points[0], points[-1] + 5, 5):
            yield score, (up, "takes the deal" in line.value.en)


def test_the_kitty_tells_what_trump_makes_of_it() -> None:
    """§7.3."""
    values = [line.value.zh for line in section("fanzhu", "Last trick").lines]
    assert values[:3] == ["主牌2倍，副牌1倍", "主牌2倍，副牌1倍", "主牌4倍，副牌2倍"]
    assert section("sheng_joker", "Last trick").lines[3].value.en == "x64"
    assert options("sheng_nokitty4").kitty_multiplier is KittyMultiplier.NONE
    assert all("Last trick" not in each.title.en for each in rulebook(options("sheng_nokitty4")))


@pytest.mark.parametrize(
    ("id", "english", "chinese"),
    [
        ("multi2", "winning a deal as declarers at A", "坐庄打过A"),
        ("notrump_final", "winning a deal as declarers at no-trump", "坐庄打过无主级"),
        ("sheng30", "reaching 6", "先升到6"),
        ("eight_deals", "more points in 8 deals", "打8副，分高者胜"),
    ],
)
def test_how_the_match_is_won(id: str, english: str, chinese: str) -> None:
    """§10."""
    lines = section(id, "Levels and the match").lines
    assert texts(next(line for line in lines if "match" in line.name.en).value) == (english, chinese)


def test_hooks_tell_where_they_throw_the_declarers() -> None:
    """§10.4."""
    told = [(line.name.en, line.value.en) for line in section("hook60", "Levels").lines]
    assert ("hooked at J", "down to 2") in told
    assert ("hooked at A", "down to 10") in told


def test_what_a_failed_throw_costs() -> None:
    """§6.4."""
    assert section("sheng30", "Fines").lines[0].value.en == "10 points for each blocked card"
    assert section("sheng_super", "Fines").lines[0].value.en == "half the stake"
