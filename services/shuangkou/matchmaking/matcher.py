"""Who plays with whom: a pure function of those who wait for one game."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from shuangkou.matchmaking.game import GameKey, seats_of
from shuangkou.matchmaking.quality import UNKNOWN, Skill, draw_probability
from shuangkou.matchmaking.unit import Queued, Unit

Side = tuple[Queued, ...]

_NEAREST = 8
"""Of how many neighbours in rating the best company is chosen."""

_PAIRINGS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


@dataclass(frozen=True, slots=True)
class Group:
    """Units for one table of so many seats; bots take the seats that are left.

    ``quality``: the chance of a draw between the sides, 0 with bots.
    """

    game: GameKey
    units: tuple[Unit, ...]
    seats: int
    sides: tuple[Side, Side]
    quality: float

    @property
    def tickets(self) -> list[Queued]:
        """Everybody, first come first."""
        return [queued for unit in self.units for queued in unit.tickets]

    @property
    def bots(self) -> int:
        """How many seats are left."""
        return self.seats - len(self.tickets)


def group_of(game: GameKey, units: Sequence[Unit]) -> Group:
    """The units at one table, on the sides that make the match most even; a party is one side."""
    seats = seats_of(game.ruleset_id)
    people = [
        (queued, skill) for unit in units for queued, skill in zip(unit.tickets, unit.skills, strict=True)
    ]
    sides, quality = _best_sides(units, people, seats)
    return Group(game, tuple(units), seats, sides, quality if len(people) == seats else 0.0)


def groups(game: GameKey, waiting: Iterable[Unit], now_ms: int) -> Iterator[Group]:
    """The tables of one game that can be opened now, those of whoever came first first.

    As many people as the game is for make a table as soon as they suit each other; nobody is passed over
    who could be seated. Of those left, whoever takes bots is seated together as soon as the time of one of
    them has come: ``bots_at_ms`` is the latest moment, and company is better than bots.
    """
    seats = seats_of(game.ruleset_id)
    line = sorted(waiting, key=lambda unit: unit.rank)
    ladder = _Ladder(line)
    for unit in line:
        if ladder.people < seats:
            break
        if unit in ladder:
            company = _best_company(game, unit, ladder, seats, now_ms)
            if company:
                ladder.remove(company)
                yield group_of(game, sorted(company, key=lambda unit: unit.rank))
    yield from _fills(game, [unit for unit in line if unit in ladder and unit.takes_bots], seats, now_ms)


class _Ladder:
    """Units in the order of their rating."""

    def __init__(self, units: Iterable[Unit]) -> None:
        number = count()
        self._places = {unit: (unit.rating, next(number)) for unit in units}
        self._order = sorted((place, unit) for unit, place in self._places.items())
        self.people = sum(unit.size for unit in self._places)

    def __contains__(self, unit: Unit) -> bool:
        return unit in self._places

    def remove(self, units: Iterable[Unit]) -> None:
        for unit in units:
            place = self._places.pop(unit)
            del self._order[bisect_left(self._order, (place,))]
            self.people -= unit.size

    def around(self, unit: Unit, window: float) -> Iterator[Unit]:
        """The others within the window, nearest first."""
        here = bisect_left(self._order, (self._places[unit],))
        below, above = here - 1, here + 1
        while below >= 0 or above < len(self._order):
            gap_below = unit.rating - self._order[below][0][0] if below >= 0 else float("inf")
            gap_above = self._order[above][0][0] - unit.rating if above < len(self._order) else float("inf")
            if min(gap_below, gap_above) > window:
                return
            if gap_below <= gap_above:
                yield self._order[below][1]
                below -= 1
            else:
                yield self._order[above][1]
                above += 1


def _best_company(
    game: GameKey, unit: Unit, ladder: _Ladder, seats: int, now_ms: int
) -> tuple[Unit, ...] | None:
    """The unit and those who make the most even table with it; None where nobody fits."""
    free = seats - unit.size
    if not free:
        return (unit,)
    near: list[Unit] = []
    rest = ladder.around(unit, unit.window(now_ms))
    for other in rest:
        if other.size <= free and unit.suits(other, now_ms):
            near.append(other)
            if len(near) == _NEAREST:
                break
    tables = [(unit, *others) for others in _companies(near, free, now_ms)]
    if tables:
        return max(tables, key=lambda units: group_of(game, units).quality)
    # Neighbours that avoid each other must not keep somebody waiting whom others suit.
    far = [other for other in rest if other.size <= free and unit.suits(other, now_ms)]
    found = next(_companies([*near, *far], free, now_ms), None) if far else None
    return (unit, *found) if found else None


def _companies(others: Sequence[Unit], free: int, now_ms: int) -> Iterator[tuple[Unit, ...]]:
    """Every choice of units that suit each other and take exactly the free seats."""
    for place, one in enumerate(others):
        if one.size == free:
            yield (one,)
        elif one.size < free:
            left = free - one.size
            later = [
                other for other in others[place + 1 :] if other.size <= left and one.suits(other, now_ms)
            ]
            for more in _companies(later, left, now_ms):
                yield (one, *more)


def _fills(game: GameKey, willing: Sequence[Unit], seats: int, now_ms: int) -> Iterator[Group]:
    """Tables with bots: one for each unit whose time has come, with all company that there is."""
    left = dict.fromkeys(willing)
    for unit in willing:
        if unit not in left or unit.bots_at_ms > now_ms:
            continue
        company = [unit]
        free = seats - unit.size
        for other in left:
            suits = other.size <= free and all(other.suits(one, now_ms) for one in company)
            if other is not unit and suits:
                company.append(other)
                free -= other.size
        for one in company:
            del left[one]
        yield group_of(game, sorted(company, key=lambda unit: unit.rank))


def _best_sides(
    units: Sequence[Unit], people: Sequence[tuple[Queued, Skill]], seats: int
) -> tuple[tuple[Side, Side], float]:
    pairings = _PAIRINGS if seats == len(_PAIRINGS[0][0]) * 2 else (((0,), (1,)),)
    skills = [skill for _, skill in people] + [UNKNOWN] * (seats - len(people))
    parties = _parties(units)
    fitting = [
        sides for sides in pairings if all(any(party <= {*side} for side in sides) for party in parties)
    ]
    even = [(draw_probability(*([skills[n] for n in side] for side in sides)), sides) for sides in fitting]
    quality, (one, other) = max(even, key=lambda choice: choice[0])
    return (_side(one, people), _side(other, people)), quality


def _parties(units: Sequence[Unit]) -> list[set[int]]:
    """The places of each party among the people."""
    place, parties = 0, []
    for unit in units:
        if unit.size > 1:
            parties.append(set(range(place, place + unit.size)))
        place += unit.size
    return parties


def _side(places: Iterable[int], people: Sequence[tuple[Queued, Skill]]) -> Side:
    return tuple(people[place][0] for place in places if place < len(people))
