"""Cards as text: symbols, colours, groups."""

from __future__ import annotations

import pytest
from rich.text import Text

from shuangkou.cli.columns import left, right, rows
from shuangkou.cli.faces import BLACK, RED, card_row, face
from shuangkou.rules.cards import Card
from shuangkou.rules.notation import parse_cards


@pytest.mark.parametrize(
    ("card", "text", "style"),
    [
        (Card.S7, "♠7", BLACK),
        (Card.HT, "♥10", RED),
        (Card.CA, "♣A", BLACK),
        (Card.D2, "♦2", RED),
        (Card.SMALL_JOKER, "LJ", BLACK),
        (Card.BIG_JOKER, "BJ", RED),
    ],
)
def test_a_face_has_its_symbol_and_its_colour(card: Card, text: str, style: str) -> None:
    shown = face(card)
    assert (shown.plain, shown.style) == (text, style)


def test_equal_ranks_stand_together() -> None:
    assert card_row(parse_cards("7s 7h 8c 8d")).plain == "♠7♥7 ♣8♦8"
    assert card_row(parse_cards("3s 4h 5c 6d 7s")).plain == "♠3 ♥4 ♣5 ♦6 ♠7"
    assert card_row(parse_cards("LJ LJ BJ BJ")).plain == "LJLJ BJBJ"


def test_no_cards_are_an_empty_row() -> None:
    assert card_row(()).plain == ""


def test_columns_count_cells_and_not_characters() -> None:
    assert left("东", 4).plain == "东  "
    assert right(Text("东南"), 5).plain == " 东南"
    assert left("too long", 3).plain == "too long"


def test_rows_line_up_over_chinese() -> None:
    lines = rows([["double 双扣", "8"], ["x", "−16"]], numeric=frozenset((1,)))
    assert [line.plain for line in lines] == ["  double 双扣    8", "  x            −16"]
    assert len({line.cell_len for line in lines}) == 1
