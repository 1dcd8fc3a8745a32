"""Lines that fit a width: broken between words, going on under their second column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from rich.cells import cell_len
from rich.text import Text

_FIRST_COLUMN: Final = re.compile(r" *\S+(?: \S+)*  +(?=\S)")
_SPACES: Final = re.compile(r"(?<=\S) +(?=\S)")
_CLOSING: Final = frozenset("，。；：、！？）》」")
_OPENING: Final = frozenset("（《「")
_DOT: Final = " ·"
"""It parts two remarks on a line; where the line ends between them, the end parts them."""
_INDENT: Final = 2
_LONGEST_NAME: Final = 4
"""中文 characters that stand together as one word; what is longer is a sentence and breaks anywhere."""


def folded(text: Text, cells: int) -> list[Text]:
    """The text in lines of at most ``cells``, but for a single word that is longer: that stays whole.

    A word ends at a space; a sentence in 中文, which has none, may be broken between any two characters.
    """
    return [line for whole in text.split("\n", allow_blank=True) for line in _fold(whole, cells)]


def _fold(line: Text, cells: int) -> Iterator[Text]:
    hang = _hang(line.plain, cells)
    while line.cell_len > cells:
        place = _break(line.plain, cells)
        if place is None:
            break
        start, end = place
        yield line[: len(line.plain[:start].removesuffix(_DOT))]
        line = Text(" " * hang).append_text(line[end:])
    yield line


def _hang(plain: str, cells: int) -> int:
    """Where the next lines begin: under the second column, or a little further in than this one."""
    column = _FIRST_COLUMN.match(plain)
    if column is not None and cell_len(column[0]) <= cells // 2:
        return cell_len(column[0])
    return len(plain) - len(plain.lstrip()) + _INDENT


def _break(plain: str, cells: int) -> tuple[int, int] | None:
    """The best gap that leaves at most ``cells`` before it, else the first one there is."""
    spaces = [space.span() for space in _SPACES.finditer(plain)]
    fitting = [gap for gap in spaces if cell_len(plain[: gap[0]]) <= cells]
    for parts, least in ((_parts_remarks, cells * 2 // 3), (_parts_words, cells // 2)):
        good = [gap for gap in fitting if parts(plain, *gap)]
        if good and cell_len(plain[: good[-1][0]]) >= least:
            return good[-1]
    others = [gap for gap in _between_chinese(plain) if cell_len(plain[: gap[0]]) <= cells]
    return max((*fitting, *others), default=next(iter(spaces), None))


def _parts_remarks(plain: str, start: int, _end: int) -> bool:
    return plain[start - 1] == "·"


def _parts_words(plain: str, start: int, end: int) -> bool:
    """Whether a gap parts more than a name from its 中文, or a dot from what it follows."""
    return plain[end] != "·" and (cell_len(plain[end]) < 2 or plain[start - 1] == "·")


def _between_chinese(plain: str) -> Iterator[tuple[int, int]]:
    for is_chinese, run in groupby(range(len(plain)), key=lambda place: cell_len(plain[place]) == 2):
        places = list(run)
        if not is_chinese or len(places) <= _LONGEST_NAME:
            continue
        for place in places[1:]:
            if plain[place] not in _CLOSING and plain[place - 1] not in _OPENING:
                yield place, place
