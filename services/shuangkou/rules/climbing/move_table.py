"""The move table: every combination of a ruleset, computed once.

Rows stand in order from low to high: combinations that are no bombs by kind, size and rank, then the
bombs by strength. A row number is a fixed name for its combination under the same options.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from shuangkou.rules.cards import CARDS, JOKERS, Card, Rank
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.options import ClimbingOptions

FIELD_BITS = 6
"""Bits per rank of a packed count; `contradictions` keeps every hand below 2**6 cards."""
FIELD_MASK = (1 << FIELD_BITS) - 1

_KINDS = tuple(Kind)
_SETS = ((Kind.SINGLE, 1), (Kind.PAIR, 2), (Kind.TRIPLE, 3))

T = TypeVar("T", bound=np.generic)
Counts = dict[Rank, int]
Bytes = npt.NDArray[np.uint8]
Row = tuple[Combination, Counts]
Reading = tuple[Kind, int, int, Rank | None]
"""Kind, size, length and rank."""


@dataclass(frozen=True, slots=True, eq=False)
class MoveTable:
    """M combinations over the R ranks of the ruleset, as arrays and as bit sets.

    needs: cards of each rank, [M, R], ranks in rank order. kinds: index into Kind. tops: place of the
    top rank in the order, R for a joker bomb. readings: combination by what is announced of it.
    A packed count holds the number of cards of rank r in bits 6r to 6r+5. row_of: packed count to row.
    A row set is an int with bit m for row m: `beaters[m]` are the rows that may be played on row m,
    `fits[r][c]` those that need at most c cards of rank r. units, places: by card, what it adds to a
    packed count and where it stands in a sorted hand.
    """

    options: ClimbingOptions
    combinations: tuple[Combination, ...]
    needs: Bytes
    kinds: Bytes
    sizes: Bytes
    lengths: Bytes
    tops: Bytes
    strengths: npt.NDArray[np.int32]
    row_of: dict[int, int]
    readings: dict[Reading, Combination]
    every_row: int
    beaters: tuple[int, ...]
    fits: tuple[tuple[int, ...], ...]
    units: tuple[int, ...]
    places: tuple[int, ...]

    def pack(self, cards: Iterable[Card]) -> int:
        """Packed count of fewer than 64 cards."""
        units = self.units
        return sum([units[card] for card in cards])

    def classify(self, cards: Sequence[Card]) -> int | None:
        """Row of the combination that these cards make, None when they make none (§3)."""
        if len(cards) > self.options.hand_size:
            return None
        return self.row_of.get(self.pack(cards))

    def playable(self, packed_hand: int, top: int | None) -> int:
        """Set of the rows that a hand can play on row `top`, or lead when `top` is None (§4.3)."""
        rows = self.every_row if top is None else self.beaters[top]
        for fit in self.fits:
            rows &= fit[packed_hand & FIELD_MASK]
            packed_hand >>= FIELD_BITS
        return rows

    def sort(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """From low to high, equal ranks by suit."""
        return tuple(sorted(cards, key=self.places.__getitem__))


@lru_cache(maxsize=64)
def move_table(options: ClimbingOptions) -> MoveTable:
    """The table of these options, compiled on first use."""
    rows = sorted(_rows(options), key=_low_to_high)
    combinations = tuple(combination for combination, _ in rows)
    needs = _need_matrix(options, rows)
    packed = [_pack_counts(need) for need in needs.tolist()]
    return MoveTable(
        options=options,
        combinations=combinations,
        needs=needs,
        kinds=_column([_KINDS.index(c.kind) for c in combinations]),
        sizes=_column([c.size for c in combinations]),
        lengths=_column([c.length for c in combinations]),
        tops=_column([_place(options, c.rank) for c in combinations]),
        strengths=_frozen(np.array([c.strength for c in combinations], dtype=np.int32)),
        row_of={count: row for row, count in enumerate(packed)},
        readings={(c.kind, c.size, c.length, c.rank): c for c in combinations},
        every_row=(1 << len(rows)) - 1,
        beaters=tuple(_beaters(combinations)),
        fits=tuple(_fits(column) for column in needs.T.tolist()),
        units=tuple(_unit(options, card) for card in CARDS),
        places=tuple(_place(options, card.rank) * len(CARDS) + card for card in CARDS),
    )


def _rows(options: ClimbingOptions) -> Iterator[Row]:
    supply = {rank: options.decks * (1 if rank in JOKERS else 4) for rank in options.rank_order}
    candidates = (*_sets(options), *_runs(options), *_bombs(options), *_joker_bomb(options))
    for combination, need in candidates:
        can_be_dealt = all(supply[rank] >= count for rank, count in need.items())
        if can_be_dealt and combination.size <= options.hand_size:
            yield combination, need


def _sets(options: ClimbingOptions) -> Iterator[Row]:
    for kind, size in _SETS:
        for place, rank in enumerate(options.rank_order):
            yield Combination(kind, size, 1, rank, place), {rank: size}


def _runs(options: ClimbingOptions) -> Iterator[Row]:
    run_ranks = options.run_ranks
    shapes = (
        (Kind.STRAIGHT, 1, options.min_straight),
        (Kind.CONSECUTIVE_PAIRS, 2, options.min_pairs),
        (Kind.CONSECUTIVE_TRIPLES, 3, options.min_triples),
    )
    for kind, width, shortest in shapes:
        for length in range(shortest, len(run_ranks) + 1) if shortest else ():
            for first in range(len(run_ranks) - length + 1):
                ranks = run_ranks[first : first + length]
                top = ranks[-1]
                combination = Combination(kind, width * length, length, top, _place(options, top))
                yield combination, dict.fromkeys(ranks, width)


def _bombs(options: ClimbingOptions) -> Iterator[Row]:
    for size in range(options.min_bomb, options.max_bomb + 1):
        for place, rank in enumerate(options.rank_order):
            strength = size * len(options.rank_order) + place
            yield Combination(Kind.BOMB, size, 1, rank, strength), {rank: size}


def _joker_bomb(options: ClimbingOptions) -> Iterator[Row]:
    if options.joker_bomb and options.jokers:
        strength = (options.max_bomb + 1) * len(options.rank_order)
        need = dict.fromkeys((Rank.SMALL_JOKER, Rank.BIG_JOKER), options.decks)
        yield Combination(Kind.JOKER_BOMB, options.decks * 2, 1, None, strength), need


def _low_to_high(row: Row) -> tuple[bool, int, int, int]:
    combination = row[0]
    if combination.is_bomb:
        return True, combination.strength, 0, 0
    return False, _KINDS.index(combination.kind), combination.size, combination.strength


def _place(options: ClimbingOptions, rank: Rank | None) -> int:
    order = options.rank_order
    return order.index(rank) if rank in order else len(order)


def _unit(options: ClimbingOptions, card: Card) -> int:
    return 1 << FIELD_BITS * _place(options, card.rank)


def _need_matrix(options: ClimbingOptions, rows: list[Row]) -> Bytes:
    needs = np.zeros((len(rows), len(options.rank_order)), dtype=np.uint8)
    for row, (_, need) in enumerate(rows):
        for rank, count in need.items():
            needs[row, _place(options, rank)] = count
    return _frozen(needs)


def _column(values: list[int]) -> Bytes:
    return _frozen(np.array(values, dtype=np.uint8))


def _frozen(array: npt.NDArray[T]) -> npt.NDArray[T]:
    array.setflags(write=False)
    return array


def _pack_counts(counts: list[int]) -> int:
    return sum(count << FIELD_BITS * place for place, count in enumerate(counts))


def _fits(column: list[int]) -> tuple[int, ...]:
    """Row sets by the number of cards held, for the needs of one rank."""
    return tuple(_row_set([need <= held for need in column]) for held in range(FIELD_MASK + 1))


def _row_set(members: list[bool]) -> int:
    return sum(1 << row for row, is_member in enumerate(members) if is_member)


def _beaters(combinations: tuple[Combination, ...]) -> Iterator[int]:
    for top in combinations:
        yield _row_set([combination.beats(top) for combination in combinations])
