"""Who suits whom in a queue, as bits: company, or that there is none, is found fast whoever avoids whom."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from shuangkou.matchmaking.unit import Unit


class Ladder:
    """Units in the order of their rating. A set of them is a number whose bits are their places."""

    def __init__(self, units: Iterable[Unit], now_ms: int) -> None:
        self._units = sorted(units, key=lambda unit: (unit.rating, unit.rank))
        self._ratings = [unit.rating for unit in self._units]
        self._places = {unit: place for place, unit in enumerate(self._units)}
        self._windows = [unit.window(now_ms) for unit in self._units]
        self._here = (1 << len(self._units)) - 1
        self._singles = self.bits(unit for unit in self._units if unit.size == 1)
        self._with_window = {
            window: self.bits(
                unit for unit, its in zip(self._units, self._windows, strict=True) if its == window
            )
            for window in set(self._windows)
        }
        self._apart = self._who_avoid()
        self._suiting: dict[int, int] = {}
        self.people = sum(unit.size for unit in self._units)

    def __contains__(self, unit: Unit) -> bool:
        return bool(self._here >> self._places[unit] & 1)

    def bits(self, units: Iterable[Unit]) -> int:
        """The set of these."""
        found = bytearray(len(self._units) // 8 + 1)
        for unit in units:
            place = self._places[unit]
            found[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(found, "little")

    def remove(self, units: Iterable[Unit]) -> None:
        """They have found a table."""
        for unit in units:
            self._here &= ~(1 << self._places[unit])
            self.people -= unit.size

    def suited_by(self, unit: Unit) -> int:
        """Those who are left and suit the unit: the same as asking ``Unit.suits`` of each."""
        return self._suited_at(self._places[unit]) & self._here

    def nearest(self, unit: Unit, among: int) -> Iterator[Unit]:
        """Units of a set, those of the nearest rating first."""
        place = self._places[unit]
        below, above = among & ((1 << place) - 1), among >> (place + 1)
        while below or above:
            low = below.bit_length() - 1
            high = place + (above & -above).bit_length()
            is_low = not above or (
                bool(below) and unit.rating - self._ratings[low] <= self._ratings[high] - unit.rating
            )
            if is_low:
                below ^= 1 << low
            else:
                above &= above - 1
            yield self._units[low if is_low else high]

    def companies(self, among: int, free: int) -> Iterator[tuple[Unit, ...]]:
        """Every choice of units of a set that suit each other and take exactly the free seats."""
        left = self._up_to(free, among)
        while left:
            lowest = left & -left
            left ^= lowest
            place = lowest.bit_length() - 1
            unit = self._units[place]
            if unit.size == free:
                yield (unit,)
                continue
            rest = self._up_to(free - unit.size, left & self._suited_at(place))
            for more in self.companies(rest, free - unit.size) if rest else ():
                yield (unit, *more)

    def _up_to(self, seats: int, among: int) -> int:
        """Those of a set who find room on so many seats; two is the most that come together."""
        return among & self._here & (self._singles if seats == 1 else self._here)

    def _suited_at(self, place: int) -> int:
        known = self._suiting.get(place)
        if known is None:
            rating = self._ratings[place]
            mutual = 0
            for window, units in self._with_window.items():
                mutual |= units & self._within(rating, window)
            own = self._within(rating, self._windows[place])
            known = self._suiting[place] = mutual & own & ~self._apart[place] & ~(1 << place)
        return known

    def _within(self, rating: float, window: float) -> int:
        """Whose rating is no further from this than the window is wide, to the last bit as ``abs`` has it."""
        if window == float("inf"):
            return self._here
        ratings = self._ratings
        # Both grow with the place, so each is false up to somewhere and true from there on.
        start = bisect_left(ratings, True, key=lambda other: rating - other <= window)
        end = bisect_left(ratings, True, key=lambda other: other - rating > window)
        return (1 << end) - (1 << start)

    def _who_avoid(self) -> Sequence[int]:
        """For each place those who avoid, or are avoided by, whoever is there."""
        place_of = {name: place for place, unit in enumerate(self._units) for name in unit.names}
        apart = [0] * len(self._units)
        for place, unit in enumerate(self._units):
            for name in unit.avoided:
                other = place_of.get(name)
                if other is not None:
                    apart[place] |= 1 << other
                    apart[other] |= 1 << place
        return apart
