"""Combinations (牌型): what a set of cards counts as when it is played."""

from dataclasses import dataclass
from enum import Enum

from shuangkou.rules.cards import Rank, Suit


class Kind(Enum):
    """The value is the name used in notation and in the test vectors."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    STRAIGHT = "straight"
    CONSECUTIVE_PAIRS = "consecutive_pairs"
    CONSECUTIVE_TRIPLES = "consecutive_triples"
    BOMB = "bomb"
    CHAIN_BOMB = "chain_bomb"
    JOKER_BOMB = "joker_bomb"
    BOMB_JOKERS = "bomb_jokers"
    TWO_PAIR = "two_pair"
    QUAD2 = "quad2"
    TRIPLE1 = "triple1"
    SET = "set"
    FLUSH = "flush"
    STRAIGHT_FLUSH = "straight_flush"

    # Members are single objects; the hash of Enum costs a call into Python for every lookup.
    __hash__ = object.__hash__

    @property
    def name_en(self) -> str:
        """English name for people."""
        return _NAMES_EN.get(self, self.value.replace("_", " "))

    @property
    def name_zh(self) -> str:
        """中文名."""
        return _NAMES_ZH[self]


_NAMES_EN: dict[Kind, str] = {
    Kind.QUAD2: "four with two",
    Kind.TRIPLE1: "three with one",
    Kind.BOMB_JOKERS: "bomb with jokers",
}
_NAMES_ZH: dict[Kind, str] = {
    Kind.SINGLE: "单张",
    Kind.PAIR: "对子",
    Kind.TRIPLE: "三张",
    Kind.STRAIGHT: "顺子",
    Kind.CONSECUTIVE_PAIRS: "连对",
    Kind.CONSECUTIVE_TRIPLES: "连三张",
    Kind.BOMB: "炸弹",
    Kind.CHAIN_BOMB: "连炸",
    Kind.JOKER_BOMB: "王炸",
    Kind.BOMB_JOKERS: "带王炸弹",
    Kind.TWO_PAIR: "两对",
    Kind.QUAD2: "四带二",
    Kind.TRIPLE1: "三带一",
    Kind.SET: "同张",
    Kind.FLUSH: "同花",
    Kind.STRAIGHT_FLUSH: "同花顺",
}

BOMBS: frozenset[Kind] = frozenset((Kind.BOMB, Kind.CHAIN_BOMB, Kind.JOKER_BOMB, Kind.BOMB_JOKERS))


@dataclass(frozen=True, slots=True)
class Combination:
    """One reading of a set of cards.

    size: number of cards. length: number of neighbouring ranks, 1 unless it is a run.
    rank: the highest rank, None for a joker bomb. strength: comparable only where §4.3 compares,
    that is within one shape (kind, size, length), or between any two bombs. stars: 星级 or 相 of a bomb
    where the ruleset counts them (§3.14), else 0. suit: that the ruleset compares (§4.6), None where none.
    """

    kind: Kind
    size: int
    length: int
    rank: Rank | None
    strength: int
    stars: int = 0
    suit: Suit | None = None

    @property
    def width(self) -> int:
        """Cards of each rank, where it has no jokers beside them."""
        return self.size // self.length

    @property
    def is_bomb(self) -> bool:
        """Bombs beat every other combination."""
        return self.kind in BOMBS

    def beats(self, other: "Combination") -> bool:
        """Whether this may be played on `other` (§4.3); equal strength never beats."""
        if self.is_bomb:
            return not other.is_bomb or self.strength > other.strength
        same_shape = (self.kind, self.size, self.length) == (other.kind, other.size, other.length)
        return same_shape and self.strength > other.strength
