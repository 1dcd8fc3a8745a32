"""Columns measured in terminal cells: a Chinese character takes two."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text


def left(text: Text | str, cells: int) -> Text:
    """The text, filled up on the right to at least ``cells``."""
    made = _copy(text)
    made.append(" " * (cells - made.cell_len))
    return made


def right(text: Text | str, cells: int) -> Text:
    """The text, filled up on the left to at least ``cells``."""
    made = _copy(text)
    return Text(" " * (cells - made.cell_len)).append_text(made)


def rows(table: Sequence[Sequence[Text | str]], numeric: frozenset[int] = frozenset()) -> list[Text]:
    """One line per row, every column as wide as its widest cell; ``numeric`` columns stand to the right."""
    widths = [max(_copy(cell).cell_len for cell in column) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [
            right(cell, width) if place in numeric else left(cell, width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        line = Text("  ").append_text(Text("  ").join(cells))
        line.rstrip()
        lines.append(line)
    return lines


def _copy(text: Text | str) -> Text:
    return text.copy() if isinstance(text, Text) else Text(text)
