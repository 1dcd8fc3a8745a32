"""Cards as a player likes to see them: suit symbols, equal ranks together, red and black."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from rich.text import Text

from shuangkou.rules.cards import Card, Rank, Suit
from shuangkou.rules.notation import format_rank

RED: Final = "bold red"
BLACK: Final = "bold"
LEGEND: Final = "LJ small joker 小王 · BJ big joker 大王"

_SYMBOLS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.CLUBS: "♣", Suit.DIAMONDS: "♦"}
_RED_SUITS = frozenset((Suit.HEARTS, Suit.DIAMONDS))


def rank_symbol(rank: Rank) -> str:
    """`10`, `K`, `LJ`: what a player reads and types."""
    return "10" if rank is Rank.TEN else format_rank(rank)


def face(card: Card) -> Text:
    """`♥7` in its colour; a joker by its token."""
    suit = card.suit
    if suit is None:
        return Text(rank_symbol(card.rank), RED if card is Card.BIG_JOKER else BLACK)
    return Text(_SYMBOLS[suit] + rank_symbol(card.rank), RED if suit in _RED_SUITS else BLACK)


def card_row(cards: Iterable[Card]) -> Text:
    """The cards in the given order, equal ranks standing together: `♠7♥7 ♣8♦8`."""
    groups = (Text().join(map(face, group)) for _, group in groupby(cards, key=lambda card: card.rank))
    return Text(" ").join(groups)
