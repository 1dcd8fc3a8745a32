"""The plays that a game has, one number for each.

Where only ranks count they are the rows of the move table, and a hand is a number of cards for each rank.
Where suits count (§4.6) or single cards are marked (§12.5) no card is there twice: a hand is then a set of
suits for each rank, and a row becomes as many plays as it has readings. Flushes are no rows at all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from shuangkou.rules.cards import JOKERS, Card, Rank, Suit, card_of
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.move_table import MoveTable
from shuangkou.rules.climbing.options import ClimbingOptions, Phase, SuitRule
from shuangkou.rules.climbing.suits import read

SUIT_SETS = 1 << len(Suit)


class Pick(IntEnum):
    """Which cards of a rank a play takes.

    ANY: as many as it needs. CARD: that of its suit. BEST: of its highest rank that of its suit and lower
    ones. ONE_SUIT: of each rank that of its suit. MIXED: not all of one suit.
    """

    ANY = 0
    CARD = 1
    BEST = 2
    ONE_SUIT = 3
    MIXED = 4


@dataclass(frozen=True, slots=True)
class Play:
    """row: of the move table. suit: as `pick` says, 0 where it says nothing of a suit."""

    row: int
    combination: Combination
    pick: Pick = Pick.ANY
    suit: int = 0


def is_by_card(options: ClimbingOptions) -> bool:
    """A hand is a set of suits for each rank."""
    return bool(options.suits) or Phase.MARK in options.phases


def plays_of(table: MoveTable) -> tuple[Play, ...]:
    """All of them but flushes, in the order of the move table."""
    by_card = is_by_card(table.options)
    return tuple(
        play
        for row, combination in enumerate(table.combinations)
        for play in (_readings(table, row) if by_card else [Play(row, combination)])
    )


def _readings(table: MoveTable, row: int) -> Iterator[Play]:
    rules, found = table.options.suits, table.combinations[row]
    if found.kind is Kind.SINGLE:
        yield from _by_suit(table, row, Pick.CARD)
    elif found.kind is Kind.STRAIGHT and SuitRule.STRAIGHT_FLUSHES in rules:
        yield Play(row, found, Pick.MIXED)
        yield from _by_suit(table, row, Pick.ONE_SUIT)
    elif SuitRule.TIES in rules and not found.is_bomb:
        yield from _by_suit(table, row, Pick.BEST)
    else:
        yield Play(row, found)


def _by_suit(table: MoveTable, row: int, pick: Pick) -> Iterator[Play]:
    for suit in Suit:
        cards = _example(table, row, pick, suit)
        combination = read(table, cards) if cards else None
        if combination is not None:
            yield Play(row, combination, pick, suit)


def _example(table: MoveTable, row: int, pick: Pick, suit: Suit) -> tuple[Card, ...]:
    """Cards for a play, none where it cannot be."""
    cards: list[Card] = []
    order, parts = table.options.rank_order, table.parts[row]
    for place, need in parts:
        rank = order[place]
        if rank in JOKERS:
            cards += [card_of(rank)] if suit is Suit.SPADES else []
            continue
        is_bound = pick is not Pick.BEST or place == parts[-1][0]
        cards += _of_rank(rank, need, suit if is_bound else Suit.SPADES)
    return tuple(cards) if len(cards) == int(table.sizes[row]) else ()


def _of_rank(rank: Rank, need: int, best: Suit) -> list[Card]:
    return [card_of(rank, suit) for suit in Suit if suit >= best][:need]


def is_met(play: Play, need: int, held: int, *, is_top: bool) -> bool:
    """Whether a set of suits has what the play needs of one rank; a joker counts as a spade."""
    if not need:
        return True
    own = held >> play.suit & 1
    match play.pick:
        case Pick.CARD | Pick.ONE_SUIT:
            return own == 1
        case Pick.BEST if is_top:
            return own == 1 and (held >> play.suit).bit_count() >= need
        case _:
            return held.bit_count() >= need
