"""Cards as text, both ways.

Climbing notation: rank, then suit in lower case (`7h Ts LJ BJ`); a bare rank (`7`) where suits do
not matter. Tricks notation: suit in upper case, then rank (`H7 ST`). Parsing accepts all of them.
"""

from collections import Counter
from collections.abc import Iterable

from shuangkou.rules.cards import CARDS, JOKERS, Card, Rank, Suit, card_of


class NotationError(ValueError):
    """Text that names no card, rank, hand or play; the message quotes it."""


RANK_TOKENS: dict[Rank, str] = {Rank(value): str(value) for value in range(2, 10)} | {
    Rank.TEN: "T",
    Rank.JACK: "J",
    Rank.QUEEN: "Q",
    Rank.KING: "K",
    Rank.ACE: "A",
    Rank.SMALL_JOKER: "LJ",
    Rank.BIG_JOKER: "BJ",
}
_RANKS = {token: rank for rank, token in RANK_TOKENS.items()}
_SUIT_TOKENS = {Suit.SPADES: "s", Suit.HEARTS: "h", Suit.CLUBS: "c", Suit.DIAMONDS: "d"}


def _climbing_token(card: Card) -> str:
    suit = card.suit
    return RANK_TOKENS[card.rank] + ("" if suit is None else _SUIT_TOKENS[suit])


def _tricks_token(card: Card) -> str:
    suit = card.suit
    return ("" if suit is None else _SUIT_TOKENS[suit].upper()) + RANK_TOKENS[card.rank]


_CARD_TOKENS: tuple[str, ...] = tuple(_climbing_token(card) for card in CARDS)
_TRICKS_TOKENS: tuple[str, ...] = tuple(_tricks_token(card) for card in CARDS)
_CARDS = {token: card for card, token in zip(CARDS, _CARD_TOKENS, strict=True)} | {
    token: card for card, token in zip(CARDS, _TRICKS_TOKENS, strict=True)
}

DEFAULT_ORDER: tuple[Rank, ...] = (*tuple(Rank)[1:13], Rank.TWO, Rank.SMALL_JOKER, Rank.BIG_JOKER)
"""3 to A, 2, small joker, big joker: the usual climbing order, low to high."""


def format_rank(rank: Rank) -> str:
    """`7`, `T`, `LJ`."""
    return RANK_TOKENS[rank]


def parse_rank(token: str) -> Rank:
    """Inverse of `format_rank`; NotationError for anything else."""
    rank = _RANKS.get(token)
    if rank is None:
        raise NotationError(f"{token[:20]!r} is no rank; ranks are {' '.join(_RANKS)}")
    return rank


def format_card(card: Card) -> str:
    """`7h`, `LJ`."""
    return _CARD_TOKENS[card]


def format_tricks_card(card: Card) -> str:
    """`H7`, `LJ`."""
    return _TRICKS_TOKENS[card]


def parse_card(token: str) -> Card:
    """One card with its suit, in either notation; NotationError for anything else."""
    card = _CARDS.get(token)
    if card is None:
        raise NotationError(f"{token[:20]!r} is no card; write 7h, Ts, LJ, BJ or H7, ST")
    return card


def format_cards(cards: Iterable[Card]) -> str:
    """The cards in the given order, separated by spaces."""
    return " ".join([_CARD_TOKENS[card] for card in cards])


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards separated by blanks; a bare rank gets the next suit in turn (`7 7` is 7s 7h).

    NotationError for a token that is neither a card nor a rank.
    """
    bare: Counter[Rank] = Counter()
    cards = []
    for token in text.split():
        card = _CARDS.get(token)
        if card is None:
            rank = _rank_of_token(token)
            card = card_of(rank, Suit(bare[rank] % 4))
            bare[rank] += 1
        cards.append(card)
    return tuple(cards)


def _rank_of_token(token: str) -> Rank:
    rank = _RANKS.get(token)
    if rank is None or rank in JOKERS:
        raise NotationError(f"{token[:20]!r} is neither a card nor a rank")
    return rank


def format_hand(cards: Iterable[Card], order: tuple[Rank, ...] = DEFAULT_ORDER) -> str:
    """The cards sorted from low to high by `order`, then by suit."""
    return format_cards(sort_hand(cards, order))


def parse_hand(text: str, order: tuple[Rank, ...] = DEFAULT_ORDER) -> tuple[Card, ...]:
    """Like `parse_cards`, sorted from low to high by `order`, then by suit."""
    return sort_hand(parse_cards(text), order)


def sort_hand(cards: Iterable[Card], order: tuple[Rank, ...] = DEFAULT_ORDER) -> tuple[Card, ...]:
    """From low to high by `order`, then by suit."""
    position = {rank: place for place, rank in enumerate(order)}
    return tuple(sorted(cards, key=lambda card: (position[card.rank], card)))


def format_ranks(ranks: Iterable[Rank]) -> str:
    """Ranks separated by spaces."""
    return " ".join([RANK_TOKENS[rank] for rank in ranks])


def parse_ranks(text: str) -> tuple[Rank, ...]:
    """Ranks separated by blanks; NotationError for anything else."""
    return tuple(parse_rank(token) for token in text.split())
