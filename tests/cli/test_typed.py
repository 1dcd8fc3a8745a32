"""What a player types."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shuangkou.cli.faces import rank_symbol
from shuangkou.cli.typed import Chosen, Listed, Word, read_typed
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.notation import format_card, format_tricks_card, parse_cards

HAND = parse_cards("3s 3h 4s 5h 6c 7s 7h 7d Ts Th Js Qs As 2c 2d LJ LJ BJ")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("pass", Word.PASS),
        (" P ", Word.PASS),
        ("不要", Word.PASS),
        ("legal", Word.LEGAL),
        ("HINT", Word.HINT),
        ("提示", Word.HINT),
        ("托管", Word.HOST),
        ("?", Word.HELP),
        ("exit", Word.QUIT),
    ],
)
def test_words(line: str, word: Word) -> None:
    assert read_typed(line, HAND) is word


@pytest.mark.parametrize(("line", "number"), [("1", 1), ("#1", 1), ("#12", 12), ("#0", 0)])
def test_numbers_of_the_list(line: str, number: int) -> None:
    assert read_typed(line, HAND) == Listed(number)


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("7 7", "7s 7h"),
        ("77", "7s 7h"),
        ("7*3", "7s 7h 7d"),
        ("3 4 5 6 7", "3s 4s 5h 6c 7s"),
        ("34567", "3s 4s 5h 6c 7s"),
        ("10 10", "Ts Th"),
        ("1010", "Ts Th"),
        ("t10", "Ts Th"),
        ("q", "Qs"),
        ("a", "As"),
        ("2, 2", "2c 2d"),
        ("lj LJ", "LJ LJ"),
        ("bj", "BJ"),
        ("小王 大王", "LJ BJ"),
        ("7d", "7d"),
        ("♦7", "7d"),
        ("7♦", "7d"),
        ("d7", "7d"),
        ("10h", "Th"),
        ("as", "As"),
    ],
)
def test_plays(line: str, cards: str) -> None:
    typed = read_typed(line, HAND)
    assert isinstance(typed, Chosen)
    assert Counter(typed.cards) == Counter(parse_cards(cards))


def test_a_named_card_is_not_spent_on_a_bare_rank() -> None:
    typed = read_typed("7 7s", parse_cards("7s 7h"))
    assert isinstance(typed, Chosen)
    assert Counter(typed.cards) == Counter(parse_cards("7s 7h"))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("9", "you hold no 9"),
        ("4 4", "you hold only 1 of rank 4"),
        ("7*5", "you hold only 3 of rank 7"),
        ("4h", "you hold no ♥4; "),
        ("foo", "'foo' is no word and no card"),
        ("11", "no word and no card"),
        ("7x", "no word and no card"),
        ("!", "no word and no card"),
        ("legal 5", "'legal' is typed alone"),
        ("hint go", "'hint' is typed alone"),
        ("7*99999999999", "you hold only 3 of rank 7"),
        (f"7*{'9' * 5000}", "you hold only 3 of rank 7"),
        ("7*0", "'7\\*0' plays no card"),
    ],
)
def test_what_means_nothing_is_answered_with_a_sentence(line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_typed(line, HAND)


@given(data=st.data())
def test_any_cards_of_a_hand_can_be_typed_by_rank_or_by_name(data: st.DataObject) -> None:
    hand = data.draw(st.lists(st.sampled_from(full_deck(2)), min_size=1, max_size=27))
    wanted = data.draw(st.lists(st.sampled_from(range(len(hand))), min_size=1, unique=True))
    cards = [hand[place] for place in wanted]
    spell = data.draw(st.sampled_from((_by_rank, format_card, format_tricks_card)))
    typed = read_typed(" ".join(spell(card) for card in cards) + " ", hand)
    assert isinstance(typed, Chosen)
    assert Counter(typed.cards) <= Counter(hand)
    assert Counter(card.rank for card in typed.cards) == Counter(card.rank for card in cards)
    if spell is not _by_rank:
        assert Counter(typed.cards) == Counter(cards)


@given(line=st.text(max_size=30).filter(lambda line: line.strip()))
def test_whatever_is_typed_is_understood_or_refused(line: str) -> None:
    try:
        typed = read_typed(line, HAND)
    except ValueError:
        return
    assert isinstance(typed, Word | Listed | Chosen)


def _by_rank(card: Card) -> str:
    return rank_symbol(card.rank)
