"""The step behind the move table where suits count (§3.18, §4.6): what cards are, and what may follow.

A row of the table counts ranks. Here a reading of cards gets its suit, becomes a straight flush, or is
a flush, which has no row; hands of such games have at most 13 cards, so plays are listed card by card.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from shuangkou.rules.cards import Card, Suit
from shuangkou.rules.climbing.beating import BEATING
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.climbing.options import ClimbingOptions, SuitRule

_FLUSH = 5
_LEAST_PLACES = 16
"""More than any game has ranks, so that places of ranks can be digits of one number."""


def read(table: MoveTable, cards: Sequence[Card]) -> Combination | None:
    """What these cards are, None when they are nothing."""
    row = table.classify(cards)
    found = None if row is None else table.combinations[row]
    return _with_suits(table, found, cards) if table.options.suits else found


def may_follow(options: ClimbingOptions, play: Combination, top: Combination) -> bool:
    """§4.3, and §4.6 where suits count."""
    are_singles = play.kind is top.kind is Kind.SINGLE
    if are_singles and SuitRule.SINGLES_FOLLOW in options.suits and play.suit is not top.suit:
        return False
    return BEATING[options.beating](play, top)


def _with_suits(table: MoveTable, found: Combination | None, cards: Sequence[Card]) -> Combination | None:
    rules = table.options.suits
    suits = {card.suit for card in cards}
    is_flush = len(suits) == 1 and None not in suits and len(cards) >= _FLUSH
    if is_flush and found is None and SuitRule.FLUSHES in rules:
        return _flush(table, cards)
    if found is None:
        return None
    if is_flush and found.kind is Kind.STRAIGHT and SuitRule.STRAIGHT_FLUSHES in rules:
        return replace(found, kind=Kind.STRAIGHT_FLUSH)
    if found.kind is Kind.SINGLE and SuitRule.SINGLES_FOLLOW in rules:
        return replace(found, suit=cards[0].suit)
    if not found.is_bomb and SuitRule.TIES in rules:
        return _ranked_by_suit(found, cards)
    return found


def _flush(table: MoveTable, cards: Sequence[Card]) -> Combination:
    """By its ranks from the highest down."""
    ranks = sorted((card.rank for card in cards), key=table.options.rank_order.index)
    strength = 0
    for rank in reversed(ranks):
        strength = strength * _LEAST_PLACES + table.options.rank_order.index(rank)
    return Combination(Kind.FLUSH, len(cards), 1, ranks[-1], strength)


def _ranked_by_suit(found: Combination, cards: Sequence[Card]) -> Combination:
    """By the highest suit among the cards of its rank: spades, hearts, clubs, diamonds."""
    suits = [card.suit for card in cards if card.rank is found.rank and card.suit is not None]
    best = min(suits, default=None)
    worth = 0 if best is None else len(Suit) - best
    return replace(found, strength=found.strength * (len(Suit) + 1) + worth, suit=best)


def plays(table: MoveTable, hand: Sequence[Card], rows: int) -> Iterator[tuple[Card, ...]]:
    """Cards for every different combination that the hand can lead; rows: those that it has the ranks for."""
    seen: set[Combination] = set()
    for cards in _choices(table, hand, rows):
        found = read(table, cards)
        if found is not None and found not in seen:
            seen.add(found)
            yield cards


def _choices(table: MoveTable, hand: Sequence[Card], rows: int) -> Iterator[tuple[Card, ...]]:
    while rows:
        lowest = rows & -rows
        yield from _choices_of_row(table, hand, lowest.bit_length() - 1)
        rows ^= lowest
    for suit in Suit if SuitRule.FLUSHES in table.options.suits else ():
        own = [card for card in hand if card.suit is suit]
        for size in range(_FLUSH, len(own) + 1):
            yield from combinations(own, size)


def _choices_of_row(table: MoveTable, hand: Sequence[Card], row: int) -> Iterator[tuple[Card, ...]]:
    """Every choice of the cards that can matter: those of the top rank, and of one rank of a straight."""
    order, needs = table.options.rank_order, table.needs[row].tolist()
    top, kind = table.combinations[row].rank, table.combinations[row].kind
    may_be_flush = kind is Kind.STRAIGHT and SuitRule.STRAIGHT_FLUSHES in table.options.suits
    pools: list[list[tuple[Card, ...]]] = []
    for rank, need in zip(order, needs, strict=True):
        held = [card for card in hand if card.rank is rank]
        choices = list(combinations(held, need))
        is_open = rank is top or may_be_flush
        pools.append(choices if is_open else choices[:1])
    for parts in product(*pools):
        yield tuple(card for part in parts for card in part)
