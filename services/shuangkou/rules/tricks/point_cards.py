"""Point cards (分牌): fives count 5, tens and kings 10, in every suit and as trumps too (§1.2)."""

from collections.abc import Iterable

from shuangkou.rules.cards import CARDS, Card, Rank

_WORTH = {Rank.FIVE: 5, Rank.TEN: 10, Rank.KING: 10}
_WORTHS: tuple[int, ...] = tuple(_WORTH.get(card.rank, 0) for card in CARDS)


def points_of(cards: Iterable[Card]) -> int:
    """What these cards are worth to who wins them."""
    return sum(_WORTHS[card] for card in cards)
