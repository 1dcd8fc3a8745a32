"""The order of the cards under a trump: effective suits, strengths and what is consecutive (§1, §5)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import lru_cache
from itertools import pairwise

from shuangkou.rules.cards import CARDS, JOKERS, Card, Rank, Suit, card_of
from shuangkou.rules.tricks.options import NoTrumpTractors, TricksOptions


class Trump(Enum):
    """The trump of a deal (主). The value is the name used in notation and in the test vectors."""

    SPADES = "S"
    HEARTS = "H"
    CLUBS = "C"
    DIAMONDS = "D"
    NONE = "N"

    @property
    def suit(self) -> Suit | None:
        """None where only jokers and level cards are trump (无主)."""
        return None if self is Trump.NONE else Suit[self.name]

    @classmethod
    def of(cls, suit: Suit | None) -> "Trump":
        """The trump that a suit makes; a joker's suit, None, makes no trump."""
        return Trump.NONE if suit is None else Trump[suit.name]


class EffectiveSuit(IntEnum):
    """What must be followed: a plain suit (副牌) without its trumps, or all trumps (主牌)."""

    SPADES = 0
    HEARTS = 1
    CLUBS = 2
    DIAMONDS = 3
    TRUMP = 4


Line = tuple[tuple[Card, ...], ...]
"""The faces of an effective suit by strength. Two neighbouring places are consecutive.

Place 0 is empty, or holds the ace again where it also stands below the lowest card; another empty place
is a gap that no tractor crosses. Faces of one place are equally strong, in the order of the suits S H C D.
"""


@dataclass(frozen=True, slots=True, eq=False)
class TrumpOrder:
    """How cards compare in one deal. suits, strengths: by the value of the card.

    A strength means something only beside another of the same effective suit.
    """

    trump: Trump
    level: Rank | None
    suits: tuple[EffectiveSuit, ...]
    strengths: tuple[int, ...]
    lines: tuple[Line, ...]

    def suit_of(self, card: Card) -> EffectiveSuit:
        """The suit that this card follows and is followed in."""
        return self.suits[card]

    def strength_of(self, card: Card) -> int:
        """Higher wins within an effective suit; of equal cards the one played first wins."""
        return self.strengths[card]

    def is_trump(self, card: Card) -> bool:
        """Jokers, level cards, cards of the trump suit and the ranks that are always trump."""
        return self.suits[card] is EffectiveSuit.TRUMP

    def common_suit(self, cards: Sequence[Card]) -> EffectiveSuit | None:
        """The effective suit that all these cards share; None where they differ or there are none."""
        suits = {self.suits[card] for card in cards}
        return suits.pop() if len(suits) == 1 else None

    def are_consecutive(self, lower: Card, higher: Card) -> bool:
        """Whether pairs of these two make a tractor."""
        line = self.lines[self.suits[lower]]
        return any(lower in below and higher in above for below, above in pairwise(line))

    def ascending(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Plain suits from spades to diamonds, then trumps, each from low to high."""
        return tuple(sorted(cards, key=lambda card: (self.suits[card], self.strengths[card], card)))


def trump_order(options: TricksOptions, trump: Trump, level: Rank | None) -> TrumpOrder:
    """The order of a deal; the same value for the same question.

    level: None where a deal has no level card.
    """
    is_gapped = trump is Trump.NONE and options.no_trump_tractors is NoTrumpTractors.JOKERS
    return _order(options.fixed_trumps, options.low_ace, is_gapped, trump, level)


@lru_cache(maxsize=1024)
def _order(
    fixed: tuple[Rank, ...], low_ace: bool, is_gapped: bool, trump: Trump, level: Rank | None
) -> TrumpOrder:
    always = {*fixed, *((level,) if level is not None else ())}
    plain = [rank for rank in Rank if rank not in JOKERS and rank not in always]
    has_low_ace = low_ace and always.isdisjoint((Rank.TWO, Rank.ACE))
    lines = [
        ((),) if suit is trump.suit else _plain_line(suit, plain, has_low_ace)
        for suit in Suit  # the trump suit has no plain cards
    ]
    lines.append(_trump_line(fixed, level, trump.suit, plain, is_gapped))
    suits = [EffectiveSuit.TRUMP] * len(CARDS)
    strengths = [0] * len(CARDS)
    for suit in EffectiveSuit:
        for strength, faces in enumerate(lines[suit]):
            for face in faces:
                suits[face], strengths[face] = suit, strength
    return TrumpOrder(trump, level, tuple(suits), tuple(strengths), tuple(lines))


def _plain_line(suit: Suit, ranks: Sequence[Rank], has_low_ace: bool) -> Line:
    lowest = (card_of(Rank.ACE, suit),) if has_low_ace else ()
    return lowest, *((card_of(rank, suit),) for rank in ranks)


def _trump_line(
    fixed: tuple[Rank, ...], level: Rank | None, suit: Suit | None, plain: Sequence[Rank], is_gapped: bool
) -> Line:
    """The first of the fixed ranks stands highest: its trump-suit card even above the jokers."""
    places: list[tuple[Card, ...]] = []
    if suit is not None:
        places += ((card_of(rank, suit),) for rank in plain)
    for rank in (*reversed(fixed[1:]), *(() if level is None else (level,))):
        places += _off_suit_then_trump(rank, suit)
    heaven = _off_suit_then_trump(fixed[0], suit) if fixed else []
    gap: list[tuple[Card, ...]] = [()] if is_gapped and places else []
    return ((), *places, *heaven[:1], *gap, (Card.SMALL_JOKER,), (Card.BIG_JOKER,), *heaven[1:])


def _off_suit_then_trump(rank: Rank, trump: Suit | None) -> list[tuple[Card, ...]]:
    off_suit = tuple(card_of(rank, suit) for suit in Suit if suit is not trump)
    return [off_suit] if trump is None else [off_suit, (card_of(rank, trump),)]
