"""Whether units of given shapes can be cut out of a holding side by side (§6.6, §6.8).

The search goes through the places once, from low to high. What it has to remember is how many units of each
shape are still to come and which tractors are open, so positions that were lost once are not tried again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from shuangkou.rules.tricks.order import Line
from shuangkou.rules.tricks.units import PAIR, Counts, Shape, tops

Place = tuple[int, ...]
"""Copies of each face of a place, only faces with two or more."""
Open = tuple[Shape, ...]
"""Tractors begun, with the places that they still need, sorted."""
Wanted = tuple[int, ...]
"""How many units of each shape of a search are still to be begun."""


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
    lowest place. room: pairs in all places from each on. low_ace: the ace stands at both ends.
    lost: positions from which the search failed.
    """

    places: tuple[Place, ...]
    shapes: tuple[Shape, ...]
    wanted: Wanted
    pairs: int
    starts: dict[int, list[Shape]]
    low_ace: bool
    room: list[int] = field(default_factory=list)
    lost: set[tuple[int, Open, Wanted, int, int]] = field(default_factory=set)

    @classmethod
    def over(
        cls, line: Line, counts: Counts, wanted: Sequence[Shape], fixed: Sequence[tuple[Shape, int]]
    ) -> "_Search":
        """A search that has not begun."""
        places = tuple(tuple(sorted(counts[face] for face in faces if counts[face] > 1)) for faces in line)
        amounts = Counter(wanted)
        pairs = amounts.pop(PAIR, 0)
        shapes = tuple(sorted(amounts, key=lambda shape: (-shape.size, shape)))
        starts: dict[int, list[Shape]] = {}
        for shape, top in fixed:
            starts.setdefault(top - shape.length + 1, []).append(shape)
        search = cls(places, shapes, tuple(amounts[shape] for shape in shapes), pairs, starts, bool(line[0]))
        room = [0]
        for place in reversed(places):
            room.append(room[-1] + sum(count // 2 for count in place))
        search.room = room[::-1]
        return search

    def succeeds(self) -> bool:
        """Whether everything fits."""
        return self._walk(0, (), self.wanted, self.pairs, 0)

    def _walk(self, at: int, begun: Open, wanted: Wanted, pairs: int, low: int) -> bool:
        """low: copies of the ace that stand below the lowest card already."""
        if at == len(self.places):
            return not begun and not any(wanted) and pairs == 0
        position = at, begun, wanted, pairs, low
        if position in self.lost or self._needs(begun, wanted, pairs) > self.room[at]:
            return False
        place = self._place(at, low)
        crossing = (*begun, *self.starts.get(at, ()))
        for added, rest in self._choices(at, wanted):
            units = sorted((*crossing, *added), reverse=True)
            copies = tuple(unit.copies for unit in units)
            spare = spare_pairs(copies, place)
            if spare < 0:
                continue
            going_on = tuple(Shape(unit.copies, unit.length - 1) for unit in units if unit.length > 1)
            is_low_ace = self.low_ace and at == 0
            still = pairs if is_low_ace else max(0, pairs - spare)
            if self._walk(at + 1, going_on, rest, still, sum(copies) if is_low_ace else low):
                return True
        self.lost.add(position)
        return False

    def _place(self, at: int, low: int) -> Place:
        place = self.places[at]
        if low and at == len(self.places) - 1:
            return (place[0] - low,)
        return place

    def _needs(self, begun: Open, wanted: Wanted, pairs: int) -> int:
        """Pairs that the rest takes at the very least: a quad is two, a triple one."""
        open_pairs = sum(unit.copies // 2 * unit.length for unit in begun)
        new_pairs = sum(
            amount * (shape.copies // 2) * shape.length
            for shape, amount in zip(self.shapes, wanted, strict=True)
        )
        return open_pairs + new_pairs + pairs

    def _choices(
        self, at: int, wanted: Wanted, index: int = 0, room: int = 0
    ) -> Iterator[tuple[Open, Wanted]]:
        """What may begin at this place, more before less, with what is then still wanted."""
        if index == 0:
            room = sum(self.places[at])
        if index == len(self.shapes):
            yield (), wanted
            return
        shape = self.shapes[index]
        most = min(wanted[index], room // shape.copies)
        if at + shape.length > len(self.places) or (at == 0 and self.low_ace and shape.length == 1):
            most = 0
        for amount in range(most, -1, -1):
            rest = (*wanted[:index], wanted[index] - amount, *wanted[index + 1 :])
            for added, after in self._choices(at, rest, index + 1, room - amount * shape.copies):
                yield (*((shape,) * amount), *added), after
