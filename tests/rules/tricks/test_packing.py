"""Units cut out side by side (docs/rules/tricks.md §6.6, §6.8), against trying every way."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import tricks_oracle as oracle
from kit.effort import effort
from kit.tricks_oracle import House
from kit.tricks_sets import cards, order_of, some_question
from shuangkou.rules.notation import parse_cards
from shuangkou.rules.tricks.order import EffectiveSuit
from shuangkou.rules.tricks.packing import best_top, can_cut, spare_pairs
from shuangkou.rules.tricks.units import PAIR, Shape, counts_of

H5 = order_of(House("H", "5"))
AA22 = order_of(House("D", "5", low_ace=True))
SPADES, TRUMP = EffectiveSuit.SPADES, EffectiveSuit.TRUMP


@pytest.mark.parametrize(
    ("copies", "faces", "spare"),
    [
        ((), (), 0),
        ((), (2, 3), 2),
        ((2,), (2,), 0),
        ((2,), (3,), 0),
        ((2, 2), (4,), 0),
        ((2, 2), (3, 3), 0),
        ((3, 2), (4,), -1),
        ((3, 2), (3, 4), 1),
        ((3,), (4, 4), 2),
        ((4, 3), (4, 3), 0),
        ((2,), (), -1),
    ],
)
def test_pairs_left_over(copies: tuple[int, ...], faces: tuple[int, ...], spare: int) -> None:
    assert spare_pairs(copies, faces) == spare


def test_an_ace_at_both_ends_is_there_once() -> None:
    """§5.6: KKAA and AA22 need four aces together."""
    two = counts_of(parse_cards("SK SK SA SA S2 S2"))
    four = counts_of(parse_cards("SK SK SA SA SA SA S2 S2"))
    pair = Shape(2, 2)
    line = AA22.lines[SPADES]
    assert can_cut(line, two, [pair])
    assert not can_cut(line, two, [pair, pair])
    assert can_cut(line, four, [pair, pair])
    assert not can_cut(line, four, [pair, pair, PAIR])
    above = counts_of(parse_cards("SA SA S2 S2 S3 S3 SK SK"))
    assert can_cut(line, above, [pair, pair])
    assert not can_cut(line, above, [Shape(2, 3), pair])
    assert best_top(line, two, pair, []) == AA22.strength_of(parse_cards("SA")[0])


def test_the_best_key_leaves_room_for_the_others() -> None:
    """§6.8: two tractors of two out of a row of four pairs; the key may be the upper one."""
    row = counts_of(parse_cards("H6 H6 H7 H7 H8 H8 H9 H9"))
    line, pair = H5.lines[TRUMP], Shape(2, 2)
    assert best_top(line, row, pair, [pair]) == H5.strength_of(parse_cards("H9")[0])
    assert best_top(line, row, Shape(2, 3), [PAIR]) == H5.strength_of(parse_cards("H9")[0])
    assert best_top(line, row, Shape(2, 3), [pair]) is None


def test_sets_left_over_may_keep_a_tractor_from_going_lower() -> None:
    """§6.8: the four fours are the two pairs, so the triples have to be those above them."""
    held = counts_of(parse_cards("S4 S4 S4 S4 S6 S6 S6 S7 S7 S7"))
    line, triples = H5.lines[SPADES], Shape(3, 2)
    assert can_cut(line, held, [triples, PAIR, PAIR])
    assert can_cut(line, held, [triples, Shape(4, 1)])
    assert not can_cut(line, held, [triples, PAIR, PAIR, PAIR])


@pytest.mark.timeout(3600)  # with the profile `thorough`
@pytest.mark.parametrize("decks", [2, 3, 4])
@given(st.integers(0, 2**32))
@effort(100)
def test_cutting_agrees_with_trying_every_way(decks: int, seed: int) -> None:
    rng = Random(seed)
    question = some_question(rng, decks, longest_lead=14, longest_hand=3, hands=0)
    house, order, held = question.house, order_of(question.house), question.lead
    suit = house.suit(held[0])
    shapes = [Shape(rng.randint(2, decks), rng.choice((1, 2, 2, 3))) for _ in range(rng.randint(1, 4))]
    line = order.lines[order.suit_of(cards(held)[0])]
    found = can_cut(line, counts_of(cards(held)), shapes)
    rng.shuffle(shapes)
    assert found == oracle.lies_in(house, suit, shapes, held)
