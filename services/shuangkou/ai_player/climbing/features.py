"""What the policy reads off a move table, as arrays made once per table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.rules.cards import CARDS, JOKERS, Card
from shuangkou.rules.climbing.move_table import FIELD_BITS, MoveTable

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Arrays over the M rows and R ranks of a move table; W is the largest need of one rank, plus one.

    places: by card, the place of its rank in the rank order. deck: cards of each rank in the deck.
    selects: [R * W, M], 1 at r * W + n where the row needs n cards of rank r. beaten_by: [M, M], 1 where
    the second row may be played on the first. wild: the place of the wild rank, None without one.
    set_rows: by rank and number of cards, the row of so many equal cards, -1 when there is none.
    spreads: rows of several ranks.
    """

    table: MoveTable
    places: Ints
    deck: Ints
    needs: Ints
    sizes: Ints
    is_bomb: Flags
    stars: Ints
    selects: Floats
    beaten_by: Floats
    wild: int | None
    set_rows: tuple[tuple[int, ...], ...]
    spreads: Ints

    @property
    def widest(self) -> int:
        """W."""
        return len(self.selects) // len(self.deck)

    def counts(self, cards: Sequence[Card]) -> Ints:
        """Number of cards of each rank; ValueError for a card that is not in the deck."""
        counts = np.bincount(self.places[list(cards)], minlength=len(self.deck))
        if len(counts) > len(self.deck):
            raise ValueError("a card that is not in the deck")
        return counts


@lru_cache(maxsize=64)
def features_of(table: MoveTable) -> Features:
    """The features of this table, computed on first use."""
    needs = table.needs.astype(np.int64)
    return Features(
        table=table,
        places=np.array([_place(table, card) for card in CARDS], dtype=np.int64),
        deck=_deck(table),
        needs=needs,
        sizes=table.sizes.astype(np.int64),
        is_bomb=np.array([combination.is_bomb for combination in table.combinations]),
        stars=np.array([combination.stars for combination in table.combinations], dtype=np.int64),
        selects=_selects(needs),
        beaten_by=np.array([_flags(rows, len(needs)) for rows in table.beaters], dtype=np.float32),
        wild=table.options.rank_order.index(table.options.wild[0]) if table.options.wild else None,
        set_rows=_set_rows(table, int(needs.max())),
        spreads=np.flatnonzero((needs > 0).sum(axis=1) > 1),
    )


def row_numbers(rows: int) -> Ints:
    """The members of a row set, lowest first."""
    return np.flatnonzero(_flags(rows, rows.bit_length()))


def _flags(rows: int, count: int) -> npt.NDArray[np.uint8]:
    packed = np.frombuffer(rows.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=count, bitorder="little")


def _place(table: MoveTable, card: Card) -> int:
    order = table.options.rank_order
    return order.index(card.rank) if card.rank in order else len(order)


def _deck(table: MoveTable) -> Ints:
    options = table.options
    each = [options.decks * (1 if rank in JOKERS else 4) for rank in options.rank_order]
    return np.array(each, dtype=np.int64)


def _selects(needs: Ints) -> Floats:
    one_hot = needs[:, :, None] == np.arange(needs.max() + 1)
    return np.ascontiguousarray(one_hot.reshape(len(needs), -1).T, dtype=np.float32)


def _set_rows(table: MoveTable, most: int) -> tuple[tuple[int, ...], ...]:
    ranks = range(len(table.options.rank_order))
    counts = range(most + 1)
    return tuple(
        tuple(table.row_of.get(count << FIELD_BITS * place, -1) if count else -1 for count in counts)
        for place in ranks
    )
