"""Units (牌型): singles, pairs, tractors; and how a lead is taken apart into them (§5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.tricks.order import EffectiveSuit, Line, TrumpOrder

Counts = list[int]
"""Copies held of each card, by its value."""


class Shape(NamedTuple):
    """copies: equal cards at each place. length: neighbouring places, 1 unless it is a tractor (拖拉机)."""

    copies: int
    length: int

    @property
    def size(self) -> int:
        """Cards of such a unit."""
        return self.copies * self.length

    @property
    def is_tractor(self) -> bool:
        """Several places (§5.1)."""
        return self.length > 1


SINGLE = Shape(1, 1)
PAIR = Shape(2, 1)


@dataclass(frozen=True, slots=True)
class Unit:
    """Cards from the lowest place to the highest. top: the strength of the last of them."""

    shape: Shape
    top: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Format:
    """What a led set of one effective suit counts as. units: as they were taken out, the key first."""

    suit: EffectiveSuit
    units: tuple[Unit, ...]

    @property
    def key(self) -> Unit:
        """The unit that decides between two ruffs (§6.8) and that the kitty is captured by (§7.4)."""
        return self.units[0]

    @property
    def shape(self) -> tuple[Shape, ...]:
        """The shapes of all units, that of the key first."""
        return tuple(unit.shape for unit in self.units)

    @property
    def size(self) -> int:
        """Cards that every seat plays to it."""
        return sum(unit.shape.size for unit in self.units)

    @property
    def is_throw(self) -> bool:
        """Several units at once (甩牌)."""
        return len(self.units) > 1


def counts_of(cards: Sequence[Card]) -> Counts:
    """Copies of each card."""
    counts = [0] * len(CARDS)
    for card in cards:
        counts[card] += 1
    return counts


def cards_of(counts: Counts) -> tuple[Card, ...]:
    """The cards that are counted, by their value."""
    return tuple(card for card in CARDS for _ in range(counts[card]))


def format_of(order: TrumpOrder, cards: Sequence[Card]) -> Format | None:
    """What these cards count as when they are led; None where they are of several suits or none at all."""
    suit = order.common_suit(cards)
    return None if suit is None else Format(suit, decompose(order, suit, counts_of(cards)))


def decompose(order: TrumpOrder, suit: EffectiveSuit, counts: Counts) -> tuple[Unit, ...]:
    """§5.7: the cards of one effective suit taken apart, the largest unit first."""
    line, left, units = order.lines[suit], list(counts), []
    while (unit := _largest(line, left)) is not None:
        units.append(unit)
        for card in unit.cards:
            left[card] -= 1
    for strength in range(len(line) - 1, 0, -1):
        units += (
            Unit(SINGLE, strength, (face,)) for face in line[strength] for _ in range(left[face])
        )  # what is left holds no pair
    return tuple(units)


def _largest(line: Line, counts: Counts) -> Unit | None:
    """The largest unit of at least two copies; of equally large ones that of more copies, then the higher."""
    best: tuple[Shape, int] | None = None
    most = max((counts[face] for faces in line for face in faces), default=0)
    for copies in range(most, 1, -1):
        for low, high in runs(line, counts, copies):
            shape = Shape(copies, high - low + 1)
            if best is None or (shape.size, copies, high) > (best[0].size, best[0].copies, best[1]):
                best = shape, high
    return None if best is None else unit_at(line, counts, *best)


def runs(line: Line, counts: Counts, copies: int) -> Iterator[tuple[int, int]]:
    """Lowest and highest place of every longest row of neighbouring places with so many copies of a face."""
    low = None
    for place, faces in enumerate(line):
        if any(counts[face] >= copies for face in faces):
            low = place if low is None else low
        elif low is not None:
            yield low, place - 1
            low = None
    if low is not None:
        # A row cannot hold the ace at both its ends (§5.6).
        is_round = low == 0 and len(line) > 1
        yield (1 if is_round else low), len(line) - 1


def unit_at(line: Line, counts: Counts, shape: Shape, top: int) -> Unit:
    """The unit of this shape and top that these counts hold; of equal faces the first by suit."""
    cards: list[Card] = []
    for faces in line[top - shape.length + 1 : top + 1]:
        face = next(face for face in faces if counts[face] >= shape.copies)
        cards += (face,) * shape.copies
    return Unit(shape, top, tuple(cards))


def tops(line: Line, counts: Counts, shape: Shape) -> Iterator[int]:
    """The top of every unit of this shape that can be cut out of these counts, low to high."""
    length = 0
    for place, faces in enumerate(line):
        length = length + 1 if any(counts[face] >= shape.copies for face in faces) else 0
        if length >= shape.length and place > 0:
            yield place
