"""What a page of rules for people is made of."""

from dataclasses import dataclass
from typing import NamedTuple

from shuangkou.rules.cards import Card, Rank
from shuangkou.rules.notation import format_rank
from shuangkou.rules.tricks.options import Level


class Words(NamedTuple):
    """The same thing said in English and in 中文."""

    en: str
    zh: str


NO_WORDS = Words("", "")


@dataclass(frozen=True, slots=True)
class Line:
    """name: what it is about. value: what holds for it. cards: an example, or what it is about."""

    name: Words
    value: Words = NO_WORDS
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Lines in the order in which they are read."""

    title: Words
    lines: tuple[Line, ...]


def rank_text(rank: Rank) -> str:
    """As people write it: `10`, not `T`."""
    return "10" if rank is Rank.TEN else format_rank(rank)


def level_text(level: Level) -> Words:
    """As people say it."""
    if level.rank is None:
        return Words("no-trump", "无主级")
    return Words(rank_text(level.rank), rank_text(level.rank))
