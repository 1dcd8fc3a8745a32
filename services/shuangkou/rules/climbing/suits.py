"""The step behind the move table where suits count (§4.6): what cards are, and what may follow.

A row of the table counts ranks. Here a reading of cards gets its suit, becomes a straight flush, or is
a flush, which has no row; hands of such games have at most 13 cards, so plays are listed card by card.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

from shuangkou.rules.cards import CARDS, Card, Suit
from shuangkou.rules.climbing.beating import BEATING, CATEGORIES
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.hands import Held
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.climbing.options import ClimbingOptions, SuitRule

LEAST_FLUSH = 5
"""Cards of the shortest flush."""
_LEAST_PLACES = 16
"""More than any game has ranks, so that places of ranks can be digits of one number."""

Pile = list[Card]
"""The cards of one rank in a hand, by suit."""


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
    if found is not None:
        return _lifted(table, found, cards)
    is_flush = SuitRule.FLUSHES in table.options.suits and _is_flush(cards)
    return _flush(table, cards) if is_flush else None


def _lifted(table: MoveTable, found: Combination, cards: Sequence[Card]) -> Combination:
    """What its suits make of a row."""
    rules = table.options.suits
    if found.kind is Kind.STRAIGHT and SuitRule.STRAIGHT_FLUSHES in rules and _is_flush(cards):
        return _straight_flush(found)
    if found.kind is Kind.SINGLE and SuitRule.SINGLES_FOLLOW in rules:
        return _of_suit(found, cards[0].suit)
    if not found.is_bomb and SuitRule.TIES in rules:
        suits = [card.suit for card in cards if card.rank is found.rank and card.suit is not None]
        return _ranked_by_suit(found, min(suits, default=None))
    return found


@cache
def _straight_flush(straight: Combination) -> Combination:
    return replace(straight, kind=Kind.STRAIGHT_FLUSH)


@cache
def _of_suit(single: Combination, suit: Suit | None) -> Combination:
    return replace(single, suit=suit)


@cache
def _ranked_by_suit(found: Combination, best: Suit | None) -> Combination:
    """By the highest suit among the cards of its rank: spades, hearts, clubs, diamonds."""
    worth = 0 if best is None else len(Suit) - best
    return replace(found, strength=found.strength * (len(Suit) + 1) + worth, suit=best)


def _is_flush(cards: Sequence[Card]) -> bool:
    suit = cards[0].suit if len(cards) >= LEAST_FLUSH else None
    return suit is not None and all(card.suit is suit for card in cards)


def _flush(table: MoveTable, cards: Sequence[Card]) -> Combination:
    """By its ranks from the highest down."""
    places = sorted([table.places[card] // len(CARDS) for card in cards], reverse=True)
    strength = 0
    for place in places:
        strength = strength * _LEAST_PLACES + place
    return Combination(Kind.FLUSH, len(cards), 1, table.options.rank_order[places[0]], strength)


def plays(
    table: MoveTable, held: Held, top: CardsPlayed | None = None
) -> Iterator[tuple[tuple[Card, ...], Combination]]:
    """Cards, sorted, for every different combination that the hand can lead or can play on `top`."""
    options, seen = table.options, set()
    for cards, found in _candidates(table, held, top):
        if found not in seen and (top is None or may_follow(options, found, top.combination)):
            seen.add(found)
            yield cards, found


def _candidates(
    table: MoveTable, held: Held, top: CardsPlayed | None
) -> Iterator[tuple[tuple[Card, ...], Combination]]:
    rows = _rows(table, held, top)
    piles = _piles(table, held.hand) if rows else []
    while rows:
        lowest = rows & -rows
        row = lowest.bit_length() - 1
        found = table.combinations[row]
        for cards in _choices_of_row(table, piles, row):
            yield cards, _lifted(table, found, cards)
        rows ^= lowest
    if SuitRule.FLUSHES in table.options.suits and (top is None or top.combination.kind in CATEGORIES):
        for cards in _one_suit(held.hand):
            if table.classify(cards) is None:
                yield cards, _flush(table, cards)


def _piles(table: MoveTable, hand: Sequence[Card]) -> list[Pile]:
    piles: list[Pile] = [[] for _ in table.options.rank_order]
    for card in hand:
        piles[table.places[card] // len(CARDS)].append(card)
    return piles


def _rows(table: MoveTable, held: Held, top: CardsPlayed | None) -> int:
    """Rows that the hand has the ranks for, without those that no suit can lift over `top`."""
    rows = table.playable(held.packed, None)
    if top is None or top.combination.kind in CATEGORIES:
        return rows
    level = table.row_of.get(table.pack(top.cards))
    return rows if level is None else rows & (table.beaters[level] | 1 << level)


def _one_suit(hand: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    for suit in Suit:
        own = [card for card in hand if card.suit is suit]
        for size in range(LEAST_FLUSH, len(own) + 1):
            yield from combinations(own, size)


def _choices_of_row(table: MoveTable, piles: list[Pile], row: int) -> Iterator[tuple[Card, ...]]:
    """Every choice of the cards that can matter: those of the top rank, and of one suit for a straight."""
    rules, kind = table.options.suits, table.combinations[row].kind
    needed = [(piles[place], need) for place, need in table.parts[row]]
    if kind is Kind.STRAIGHT and SuitRule.STRAIGHT_FLUSHES in rules:
        yield from _straights([pile for pile, _ in needed])
    elif kind is Kind.SINGLE or SuitRule.TIES in rules:
        highest, number = needed.pop()
        below = tuple([card for pile, need in needed for card in pile[:need]])
        for above in combinations(highest, number):
            yield below + above
    else:
        yield tuple([card for pile, need in needed for card in pile[:need]])


def _straights(piles: list[Pile]) -> Iterator[tuple[Card, ...]]:
    """With each card of the highest rank one of mixed suits, and one of one suit, where there are such."""
    *lower, highest = piles
    for card in highest:
        below = [pile[0] for pile in lower]
        if all(other.suit is card.suit for other in below):
            spare = next((place for place in reversed(range(len(lower))) if len(lower[place]) > 1), None)
            if spare is not None:
                below[spare] = lower[spare][1]
        yield *below, card
        suited = [other for pile in lower for other in pile if other.suit is card.suit]
        if len(suited) == len(lower):
            yield *suited, card
