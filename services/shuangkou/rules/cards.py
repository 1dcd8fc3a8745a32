"""Cards, ranks and suits of one 54-card pack; several packs make a deck.

Hands are multisets: two copies of a card are equal and interchangeable.
"""

from enum import IntEnum


class Suit(IntEnum):
    """The four suits in the order of the card values (黑桃 红桃 梅花 方块)."""

    SPADES = 0
    HEARTS = 1
    CLUBS = 2
    DIAMONDS = 3


class Rank(IntEnum):
    """Face of a card; its number is no playing order, that is each ruleset's `rank_order`."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14
    SMALL_JOKER = 15
    BIG_JOKER = 16


class Card(IntEnum):
    """One of the 54 faces: suit * 13 + rank - 2, then the small and the big joker."""

    S2, S3, S4, S5, S6, S7, S8, S9, ST, SJ, SQ, SK, SA = range(13)
    H2, H3, H4, H5, H6, H7, H8, H9, HT, HJ, HQ, HK, HA = range(13, 26)
    C2, C3, C4, C5, C6, C7, C8, C9, CT, CJ, CQ, CK, CA = range(26, 39)
    D2, D3, D4, D5, D6, D7, D8, D9, DT, DJ, DQ, DK, DA = range(39, 52)
    SMALL_JOKER = 52
    BIG_JOKER = 53

    @property
    def rank(self) -> Rank:
        """Face value; jokers have ranks of their own."""
        return _RANKS[self]

    @property
    def suit(self) -> Suit | None:
        """None for a joker."""
        return _SUITS[self]


_RANKS: tuple[Rank, ...] = (
    *(Rank(value % 13 + 2) for value in range(52)),
    Rank.SMALL_JOKER,
    Rank.BIG_JOKER,
)
_SUITS: tuple[Suit | None, ...] = (*(Suit(value // 13) for value in range(52)), None, None)

CARDS: tuple[Card, ...] = tuple(Card)
"""Every face by its value, so that CARDS[value] is a fast Card(value)."""

JOKERS = frozenset((Rank.SMALL_JOKER, Rank.BIG_JOKER))


def card_of(rank: Rank, suit: Suit | None = None) -> Card:
    """The card with this face; ValueError when a joker gets a suit or another card gets none."""
    if rank in JOKERS:
        if suit is not None:
            raise ValueError(f"{rank.name} has no suit")
        return CARDS[52 + rank - Rank.SMALL_JOKER]
    if suit is None:
        raise ValueError(f"{rank.name} needs a suit")
    return CARDS[suit * 13 + rank - 2]


def full_deck(decks: int, jokers: bool = True) -> tuple[Card, ...]:
    """All cards of `decks` packs in the documented order before a shuffle: pack after pack, by value."""
    pack = CARDS if jokers else CARDS[:52]
    return pack * decks
