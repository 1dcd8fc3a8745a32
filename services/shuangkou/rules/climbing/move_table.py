"""The move table: every combination of a ruleset, computed once.

Rows stand in order from low to high: combinations that are no bombs by kind, size and rank, then the
bombs by strength. A row number is a fixed name for its combination under the same options.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement
from operator import or_
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from shuangkou.rules.cards import CARDS, Card, Rank
from shuangkou.rules.climbing.beating import BEATING
from shuangkou.rules.climbing.bombs import bomb_strengths, stars_of
from shuangkou.rules.climbing.combinations import BOMBS, Combination, Kind
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.shapes import Counts, Shape, shapes, supply_of
from shuangkou.rules.climbing.wild_fits import WildFits, wild_fits

FIELD_BITS = 6
"""Bits per rank of a packed count; `contradictions` keeps every hand below 2**6 cards."""
FIELD_MASK = (1 << FIELD_BITS) - 1

_KINDS = tuple(Kind)

T = TypeVar("T", bound=np.generic)
Bytes = npt.NDArray[np.uint8]
Row = tuple[Combination, Shape]
Reading = tuple[Kind, int, int, Rank | None]
"""Kind, size, length and rank."""


@dataclass(frozen=True, slots=True, eq=False)
class MoveTable:
    """M combinations over the R ranks of the ruleset, as arrays and as bit sets.

    options: those that shape combinations; all others have a value of no meaning here.
    needs: cards of each rank, [M, R], ranks in rank order. floors: how many of these must be themselves,
    [M, R]; a wild card may stand for any other of them. kinds: index into Kind. tops: place of the
    top rank in the order, R for a joker bomb. parts: by row, place and number of each rank that it needs.
    readings: combination by what is announced of it.
    A packed count holds the number of cards of rank r in bits 6r to 6r+5. row_of: packed count to row,
    with wild cards as themselves (§3.12). A row set is an int with bit m for row m: `beaters[m]` are the
    rows that may be played on row m, `fits[r][c]` those that need at most c cards of rank r.
    wild: None without wild cards. most_cards: of any row. units, places: by card, what it adds to a packed
    count and where it stands in a sorted hand.
    """

    options: ClimbingOptions
    combinations: tuple[Combination, ...]
    needs: Bytes
    floors: Bytes
    kinds: Bytes
    sizes: Bytes
    lengths: Bytes
    tops: Bytes
    strengths: npt.NDArray[np.int32]
    parts: tuple[tuple[tuple[int, int], ...], ...]
    row_of: dict[int, int]
    readings: dict[Reading, Combination]
    every_row: int
    beaters: tuple[int, ...]
    fits: tuple[tuple[int, ...], ...]
    wild: WildFits | None
    most_cards: int
    units: tuple[int, ...]
    places: tuple[int, ...]

    def pack(self, cards: Iterable[Card]) -> int:
        """Packed count of fewer than 64 cards."""
        units = self.units
        return sum([units[card] for card in cards])

    def classify(self, cards: Sequence[Card]) -> int | None:
        """Row of the combination that these cards make, None when they make none (§3)."""
        if len(cards) > self.most_cards:
            return None
        return self.row_of.get(self.pack(cards))

    def playable(self, packed_hand: int, top: int | None) -> int:
        """Set of the rows that a hand can play on row `top`, or lead when `top` is None (§4.3)."""
        rows = self.every_row if top is None else self.beaters[top]
        wild = self.wild
        if wild is not None and packed_hand >> wild.shift & FIELD_MASK:
            return wild.playable(packed_hand, rows)
        for fit in self.fits:
            rows &= fit[packed_hand & FIELD_MASK]
            packed_hand >>= FIELD_BITS
        return rows

    def missing(self, row: int, cards: Iterable[Card]) -> list[int]:
        """By place of the rank, what the row needs beyond these cards: what wild cards must stand for."""
        left: list[int] = self.needs[row].tolist()
        for card in cards:
            place = self.places[card] // len(CARDS)
            left[place] -= left[place] > 0
        return left

    def wild_ranks(self, cards: Sequence[Card]) -> tuple[Rank, ...]:
        """What each wild card among these cards stands for, low to high (§3.12).

        Empty when none stands for another card; jokers of a joker bomb are themselves.
        """
        if self.wild is None or all(card.rank not in self.options.wild for card in cards):
            return ()
        row = self.classify(cards)
        if row is None or self.needs[row, -1]:
            return ()
        order = self.options.rank_order
        absent = self.missing(row, cards)
        return tuple(rank for rank, count in zip(order, absent, strict=True) for _ in range(count))

    def sort(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """From low to high, equal ranks by suit."""
        return tuple(sorted(cards, key=self.places.__getitem__))


@lru_cache(maxsize=1024)
def move_table(options: ClimbingOptions) -> MoveTable:
    """The table of these options, compiled on first use and shared by all that play the same combinations."""
    return _compiled(replace(options, **_OF_NO_SHAPE))


_OF_NO_SHAPE: dict[str, Any] = {
    **dict.fromkeys(("base_double", "base_single", "base_draw", "base_win", "joker_bomb_mult"), 0),
    **dict.fromkeys(("max_multiplier", "group_fives", "forfeit_fine", "target_score"), 0),
    **dict.fromkeys(("turn_seconds", "lead_seconds", "time_bank_seconds"), 0),
    **dict.fromkeys(("bomb_mults", "contributions", "group_stars"), ()),
    **dict.fromkeys(("draw_zero_sum", "surrender", "redeal_vote", "open_partner_hands"), False),
}
"""Options that change no combination and no order among them, here all the same. An option that is not
named here counts as one that does."""


@lru_cache(maxsize=64)
def _compiled(options: ClimbingOptions) -> MoveTable:
    rows = sorted(_rows(options), key=_low_to_high)
    combinations = tuple(combination for combination, _ in rows)
    needs = _count_matrix(options, [shape.need for _, shape in rows])
    floors = _count_matrix(options, [shape.floor for _, shape in rows])
    every_row = (1 << len(rows)) - 1
    return MoveTable(
        options=options,
        combinations=combinations,
        needs=needs,
        floors=floors,
        kinds=_column([_KINDS.index(c.kind) for c in combinations]),
        sizes=_column([c.size for c in combinations]),
        lengths=_column([c.length for c in combinations]),
        tops=_column([_place(options, c.rank) for c in combinations]),
        strengths=_frozen(np.array([c.strength for c in combinations], dtype=np.int32)),
        parts=tuple(tuple((place, need) for place, need in enumerate(row) if need) for row in needs.tolist()),
        row_of=_row_of(options, [shape for _, shape in rows]),
        readings={(c.kind, c.size, c.length, c.rank): c for c in combinations},
        every_row=every_row,
        beaters=tuple(_beaters(options, combinations)),
        fits=tuple(_fits(column) for column in needs.T.tolist()),
        wild=wild_fits(needs, floors, options.rank_order.index(options.wild[0])) if options.wild else None,
        most_cards=options.most_cards,
        units=tuple(_unit(options, card.rank) for card in CARDS),
        places=tuple(_place(options, card.rank) * len(CARDS) + card for card in CARDS),
    )


def _rows(options: ClimbingOptions) -> Iterator[Row]:
    every = list(shapes(options))
    bombs = [shape for shape in every if shape.kind in BOMBS]
    for shape in every:
        if shape.kind not in BOMBS:
            strength = _place(options, shape.rank) if shape.strength is None else shape.strength
            yield Combination(shape.kind, shape.size, shape.length, shape.rank, strength), shape
    for bomb, strength in zip(bombs, bomb_strengths(options, bombs), strict=True):
        stars = stars_of(options, bomb)
        yield Combination(bomb.kind, bomb.size, bomb.length, bomb.rank, strength, stars), bomb


def _low_to_high(row: Row) -> tuple[bool, int, int, int, int]:
    combination = row[0]
    kind = _KINDS.index(combination.kind)
    if combination.is_bomb:
        return True, combination.strength, kind, combination.size, combination.length
    return False, kind, combination.size, combination.strength, combination.length


def _place(options: ClimbingOptions, rank: Rank | None) -> int:
    order = options.rank_order
    return order.index(rank) if rank in order else len(order)


def _unit(options: ClimbingOptions, rank: Rank) -> int:
    return 1 << FIELD_BITS * _place(options, rank)


def _row_of(options: ClimbingOptions, rows: list[Shape]) -> dict[int, int]:
    return {
        sum(_unit(options, rank) * count for rank, count in held.items()): row
        for row, shape in enumerate(rows)
        for held in _holdings(options, shape)
    }


def _holdings(options: ClimbingOptions, shape: Shape) -> Iterator[Counts]:
    """The cards that read as this shape: as it is, and with each choice of wild cards in it (§3.12)."""
    wild = options.wild[0] if options.wild else None
    spare = supply_of(options, wild) - shape.need.get(wild, 0) if wild is not None else 0
    others = [rank for rank in shape.need if rank != wild]
    for number in range(spare + 1):
        for replaced in combinations_with_replacement(others, number):
            held = dict(shape.need)
            for rank in replaced:
                held[rank] -= 1
            if wild is not None and number:
                held[wild] = held.get(wild, 0) + number
            within = all(
                shape.floor.get(rank, 0) <= held[rank] <= supply_of(options, rank) for rank in others
            )
            if within:
                yield held


def _count_matrix(options: ClimbingOptions, counts: list[Counts]) -> Bytes:
    matrix = np.zeros((len(counts), len(options.rank_order)), dtype=np.uint8)
    for row, count_of in enumerate(counts):
        for rank, count in count_of.items():
            matrix[row, _place(options, rank)] = count
    return _frozen(matrix)


def _column(values: list[int]) -> Bytes:
    return _frozen(np.array(values, dtype=np.uint8))


def _frozen(array: npt.NDArray[T]) -> npt.NDArray[T]:
    array.setflags(write=False)
    return array


def _fits(column: list[int]) -> tuple[int, ...]:
    """Row sets by the number of cards held, for the needs of one rank."""
    with_need = [0] * (FIELD_MASK + 1)
    for row, need in enumerate(column):
        with_need[need] |= 1 << row
    return tuple(accumulate(with_need, or_))


def _beaters(options: ClimbingOptions, combinations: tuple[Combination, ...]) -> list[int]:
    """Rows that differ only in kickers are one combination, which is compared once."""
    beats = BEATING[options.beating]
    rows: dict[Combination, int] = {}
    for row, combination in enumerate(combinations):
        rows[combination] = rows.get(combination, 0) | 1 << row
    above = {
        top: sum(members for combination, members in rows.items() if beats(combination, top)) for top in rows
    }
    return [above[combination] for combination in combinations]
