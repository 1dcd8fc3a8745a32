"""Choices of cards between a least and a most of every face, counted and listed (§6.6)."""

from collections.abc import Iterator

from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.tricks.following import Sets
from shuangkou.rules.tricks.units import Counts

_Position = tuple[int, int, int, int, int]
"""Face, cards still to choose, and quads, triples and pairs still to be among them."""


class Choices:
    """All choices of `size` cards with at least these sets. least, most: copies of each card, by value.

    MOST_STEPS: where counting might take longer the number stays unknown.
    """

    MOST_STEPS = 5_000

    def __init__(self, least: Counts, most: Counts, size: int, sets: Sets) -> None:
        self._faces = [(card, least[card], most[card]) for card in CARDS if most[card]]
        self._first = (0, size, sets.quads, sets.triples, sets.pairs)
        self._known: dict[_Position, int] = {}
        positions = len(self._faces) * (size + 1) * (sets.quads + 1) * (sets.triples + 1) * (sets.pairs + 1)
        self._is_countable = positions <= self.MOST_STEPS

    def count(self) -> int | None:
        """How many there are; None where it takes too long to know."""
        return self._ways(self._first) if self._is_countable else None

    def listed(self) -> Iterator[tuple[Card, ...]]:
        """Each of them; for a number that `count` knows."""
        if self._ways(self._first):
            yield from self._below(self._first)

    def _ways(self, position: _Position) -> int:
        face, size, *sets = position
        if face == len(self._faces):
            return int(size == 0 and not any(sets))
        known = self._known.get(position)
        if known is None:
            known = sum(self._ways(after) for _, after in self._steps(position))
            self._known[position] = known
        return known

    def _steps(self, position: _Position) -> Iterator[tuple[int, _Position]]:
        face, size, quads, triples, pairs = position
        _, least, most = self._faces[face]
        for copies in range(least, min(most, size) + 1):
            needs = max(0, quads - copies // 4), max(0, triples - copies // 3), max(0, pairs - copies // 2)
            yield copies, (face + 1, size - copies, *needs)

    def _below(self, position: _Position) -> Iterator[tuple[Card, ...]]:
        if position[0] == len(self._faces):
            yield ()
            return
        card = self._faces[position[0]][0]
        for copies, after in self._steps(position):
            if self._ways(after):
                yield from ((card,) * copies + rest for rest in self._below(after))
