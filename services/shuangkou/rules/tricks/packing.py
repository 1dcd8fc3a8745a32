"""Whether units of given shapes can be cut out of a holding side by side (§6.6, §6.8).

The search goes through the places once, from low to high. What it has to remember is how many units of each
shape are still to come and which tractors are open, so positions that were lost once are not tried again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, product
from typing import NamedTuple

from shuangkou.rules.tricks.order import Line
from shuangkou.rules.tricks.units import PAIR, Counts, Shape, tops

Place = tuple[int, ...]
"""Copies of each face of a place, only faces with two or more."""
Open = tuple[Shape, ...]
"""Tractors begun, with the places that they still need, sorted."""
Wanted = tuple[int, ...]
"""How many units of each shape of a search are still to be begun."""


class _Position(NamedTuple):
    """Where a search stands. at: the next place. low: copies of the ace that stand below the lowest card
    already. barred: copies of which no tractor has to begin here.
    """

    at: int
    begun: Open
    wanted: Wanted
    pairs: int
    low: int
    barred: tuple[int, ...]


def can_cut(
    line: Line, counts: Counts, shapes: Sequence[Shape], fixed: Sequence[tuple[Shape, int]] = ()
) -> bool:
    """Whether units of all these shapes can be cut out side by side, and the fixed ones with these tops.

    Single cards are never short, so they may be left out.
    """
    wanted = [shape for shape in shapes if shape.copies > 1]
    if not wanted and not fixed:
        return True
    if len(wanted) == 1 and not fixed:
        return any(True for _ in tops(line, counts, wanted[0]))
    return _Search.over(line, counts, wanted, fixed).succeeds()


def best_top(line: Line, counts: Counts, key: Shape, others: Sequence[Shape]) -> int | None:
    """The highest top of a unit of the key's shape beside which the others can be cut out."""
    for top in reversed(tuple(tops(line, counts, key))):
        if not others or can_cut(line, counts, others, [(key, top)]):
            return top
    return None


@lru_cache(maxsize=1 << 14)
def spare_pairs(copies: tuple[int, ...], faces: Place) -> int:
    """Pairs left over at best when sets of so many copies are taken from the faces; -1: they do not fit."""
    if not copies:
        return sum(count // 2 for count in faces)
    best = -1
    for at, count in enumerate(faces):
        if count >= copies[0] and count not in faces[:at]:
            rest = (*faces[:at], count - copies[0], *faces[at + 1 :])
            best = max(best, spare_pairs(copies[1:], rest))
    return best


@dataclass(slots=True)
class _Search:
    """places: the faces of each place. shapes: what is wanted, beside pairs. starts: fixed units by their
    lowest place. room, row_room: pairs in all places from each on, and those that may lie in tractors.
    low_ace: the ace stands at both ends. lost: positions from which the search failed.

    Where only tractors are wanted each may be thought as low as it goes, so none has to begin at a place
    if it would also have fitted one place lower.
    """

    places: tuple[Place, ...]
    shapes: tuple[Shape, ...]
    wanted: Wanted
    pairs: int
    starts: dict[int, list[Shape]]
    low_ace: bool
    room: list[int] = field(default_factory=list)
    row_room: list[int] = field(default_factory=list)
    lost: set[_Position] = field(default_factory=set)

    @classmethod
    def over(
        cls, line: Line, counts: Counts, wanted: Sequence[Shape], fixed: Sequence[tuple[Shape, int]]
    ) -> "_Search":
        """A search that has not begun."""
        places = tuple(tuple(sorted([counts[face] for face in faces if counts[face] > 1])) for faces in line)
        amounts = Counter(wanted)
        pairs = amounts.pop(PAIR, 0)
        shapes = tuple(sorted(amounts, key=lambda shape: (-shape.size, shape)))
        starts: dict[int, list[Shape]] = {}
        for shape, top in fixed:
            starts.setdefault(top - shape.length + 1, []).append(shape)
        search = cls(places, shapes, tuple(amounts[shape] for shape in shapes), pairs, starts, bool(line[0]))
        room = [sum([count // 2 for count in place]) for place in places]
        beside = [below + above for below, above in zip([0, *room], [*room[1:], 0], strict=False)]
        search.room = _from_each_on(room)
        search.row_room = _from_each_on(list(map(min, room, beside)))
        return search

    def succeeds(self) -> bool:
        """Whether everything fits."""
        return self._walk(_Position(0, (), self.wanted, self.pairs, 0, ()))

    def _walk(self, position: _Position) -> bool:
        at, begun, wanted, pairs, low, _ = position
        if at == len(self.places):
            return not begun and not any(wanted) and pairs == 0
        if position in self.lost or not self._has_room(position):
            return False
        place = self.places[at]
        if low and at == len(self.places) - 1:
            place = (place[0] - low,)
        is_low_ace = self.low_ace and at == 0
        crossing = (*begun, *self.starts.get(at, ()))
        for added, rest in self._beginnings(position):
            units = sorted((*crossing, *added), reverse=True)
            copies = tuple([unit.copies for unit in units])
            spare = spare_pairs(copies, place)
            if spare < 0:
                continue
            going_on = tuple([Shape(unit.copies, unit.length - 1) for unit in units if unit.length > 1])
            if is_low_ace:
                after = _Position(at + 1, going_on, rest, pairs, sum(copies), ())
            else:
                barred = self._barred(copies, place)
                after = _Position(at + 1, going_on, rest, max(0, pairs - spare), low, barred)
            if self._walk(after):
                return True
        self.lost.add(position)
        return False

    def _has_room(self, position: _Position) -> bool:
        """Whether there are pairs enough to come: a quad is two of them, a triple one."""
        in_rows = sum([unit.copies // 2 * unit.length for unit in position.begun])
        alone = position.pairs
        for shape, amount in zip(self.shapes, position.wanted, strict=True):
            if shape.is_tractor:
                in_rows += amount * (shape.copies // 2) * shape.length
            else:
                alone += amount * (shape.copies // 2)
        at = position.at
        return in_rows + alone <= self.room[at] and in_rows <= self.row_room[at]

    def _barred(self, copies: tuple[int, ...], place: Place) -> tuple[int, ...]:
        """Copies that would have fitted beside these, so that no tractor of them begins one place higher."""
        if self.pairs or not all(shape.is_tractor for shape in self.shapes):
            return ()
        return tuple(
            sorted(
                {
                    shape.copies
                    for shape in self.shapes
                    if spare_pairs(tuple(sorted((*copies, shape.copies), reverse=True)), place) >= 0
                }
            )
        )

    def _beginnings(self, position: _Position) -> Iterator[tuple[Open, Wanted]]:
        """What may begin at this place, more before less, with what is then still wanted."""
        at, _, wanted, _, _, barred = position
        room = sum(self.places[at])
        most = [
            0
            if shape.copies in barred or at + shape.length > len(self.places)
            else min(amount, room // shape.copies)
            for shape, amount in zip(self.shapes, wanted, strict=True)
        ]
        for amounts in product(*(range(amount, -1, -1) for amount in most)):
            if sum([n * shape.copies for n, shape in zip(amounts, self.shapes, strict=True)]) <= room:
                added = tuple(
                    [shape for n, shape in zip(amounts, self.shapes, strict=True) for _ in range(n)]
                )
                yield added, tuple([want - n for want, n in zip(wanted, amounts, strict=True)])


def _from_each_on(rooms: Sequence[int]) -> list[int]:
    return list(accumulate(reversed([*rooms, 0])))[::-1]
