"""Cards as a player likes to see them: suit symbols, sets together, red and black; and as it types them."""

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


def card_row(cards: Iterable[Card], suited: bool = False) -> Text:
    """The cards in the given order, those that make a set standing together: `♠7♥7 ♣8♦8`.

    suited: suits matter, so that only equal cards make a set: `♠7 ♥7 ♣8♣8`.
    """
    groups = groupby(cards, key=lambda card: card if suited else card.rank)
    return Text(" ").join(Text().join(map(face, group)) for _, group in groups)


def typed_card(card: Card) -> str:
    """`2h`, `10s`, `LJ`: what a player types for exactly this card."""
    return rank_symbol(card.rank) + ("" if card.suit is None else "shcd"[card.suit])


def typed_cards(cards: Iterable[Card]) -> str:
    """What a player types for exactly these cards."""
    return " ".join(map(typed_card, cards))
