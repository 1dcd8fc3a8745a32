"""What combinations are called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.cli.words import combination_words, result_words
from shuangkou.rules import ruleset
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.notation import parse_cards
from shuangkou.v1 import cards_pb2, events_pb2
from shuangkou.wire.combinations import combination_to_wire


@pytest.mark.parametrize(
    ("cards", "en", "zh"),
    [
        ("K", "single king", "单张K"),
        ("7", "single 7", "单张7"),
        ("BJ", "single big joker", "单张大王"),
        ("T T", "pair of 10s", "对10"),
        ("A A", "pair of aces", "对A"),
        ("LJ LJ", "pair of small jokers", "对小王"),
        ("3 3 3", "three 3s", "三张3"),
        ("5 6 7 8 9", "straight 5 to 9 (5 cards)", "顺子5到9"),
        ("5 6 7 8 9 T", "straight 5 to 10 (6 cards)", "顺子5到10"),
        ("3 3 4 4 5 5", "consecutive pairs 3 to 5", "连对3到5"),
        ("9 9 9 T T T J J J", "consecutive triples 9 to J", "连三张9到J"),
        ("8 8 8 8 8", "bomb of five 8s", "五张8炸弹"),
        ("LJ LJ BJ BJ", "joker bomb", "王炸"),
    ],
)
def test_a_combination_has_a_name_in_both_languages(cards: str, en: str, zh: str) -> None:
    table = move_table(ruleset.load("qq").options)
    row = table.classify(parse_cards(cards))
    assert row is not None
    words = combination_words(combination_to_wire(table.combinations[row]))
    assert (words.en, words.zh) == (en, zh)


@pytest.mark.parametrize(
    ("top", "length", "said"),
    [
        (cards_pb2.RANK_FIVE, 5, "straight A to 5 (5 cards)"),
        (cards_pb2.RANK_TWO, 5, "straight J to 2 (5 cards)"),
        (cards_pb2.RANK_ACE, 12, "straight 3 to A (12 cards)"),
    ],
)
def test_a_run_says_where_it_begins(top: cards_pb2.Rank.ValueType, length: int, said: str) -> None:
    kind = events_pb2.COMBINATION_KIND_STRAIGHT
    words = combination_words(events_pb2.Combination(kind=kind, rank=top, length=length, size=length))
    assert words.en == said


@given(row=st.integers(min_value=0))
def test_every_combination_of_a_ruleset_has_a_name(row: int) -> None:
    combinations = move_table(ruleset.load("qq").options).combinations
    words = combination_words(combination_to_wire(combinations[row % len(combinations)]))
    assert words.en
    assert words.zh
    assert "{" not in f"{words}"


@pytest.mark.parametrize("kind", [kind for kind in events_pb2.CombinationKind.values() if kind])
def test_every_kind_has_a_name(kind: events_pb2.CombinationKind.ValueType) -> None:
    words = combination_words(events_pb2.Combination(kind=kind, rank=cards_pb2.RANK_NINE, length=4, size=16))
    assert words.en != "play"


@pytest.mark.parametrize("result", [result for result in events_pb2.DealResult.values() if result])
def test_every_result_has_a_name(result: events_pb2.DealResult.ValueType) -> None:
    assert result_words(result).en != "settled"
