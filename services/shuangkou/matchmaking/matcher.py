"""Who plays with whom: a pure function of those who wait for one game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from shuangkou.matchmaking.game import GameKey, seats_of
from shuangkou.matchmaking.ladder import Ladder
from shuangkou.matchmaking.quality import UNKNOWN, Skill, draw_probability
from shuangkou.matchmaking.unit import Queued, Unit

Side = tuple[Queued, ...]

_NEAREST = 8
"""Of how many neighbours in rating the best company is chosen."""

_FAR = 32
"""Of how many companies the best is chosen where the neighbours make none."""

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


def groups(
    game: GameKey, waiting: Iterable[Unit], now_ms: int, fresh: Iterable[Unit] | None = None
) -> Iterator[Group]:
    """The tables of one game that can be opened now, those of whoever came first first.

    As many people as the game is for make a table as soon as they suit each other; nobody is passed over
    who could be seated. With ``fresh`` the others are known to make no table by themselves. Of those left,
    whoever takes bots is seated together as soon as the time of one of them has come: ``bots_at_ms`` is the
    latest moment, and company is better than bots.
    """
    seats = seats_of(game.ruleset_id)
    line = sorted(waiting, key=lambda unit: unit.rank)
    ladder = Ladder(line, now_ms)
    hopeful = ladder.bits(line if fresh is None else fresh)
    for unit in line:
        if ladder.people < seats or not hopeful:
            break
        if unit in ladder:
            company = _best_company(game, unit, ladder, hopeful)
            hopeful &= ~ladder.bits(company or (unit,))
            if company:
                ladder.remove(company)
                yield group_of(game, sorted(company, key=lambda unit: unit.rank))
    yield from _fills(game, [unit for unit in line if unit in ladder and unit.takes_bots], seats, now_ms)


def _best_company(game: GameKey, unit: Unit, ladder: Ladder, fresh: int) -> tuple[Unit, ...] | None:
    """The unit and those who make the most even table with it; None where nobody fits."""
    free = seats_of(game.ruleset_id) - unit.size
    if not free:
        return (unit,)
    suited = ladder.suited_by(unit)
    if not fresh & (suited | ladder.bits((unit,))):
        return None

    def best(companies: Iterable[tuple[Unit, ...]]) -> tuple[Unit, ...] | None:
        tables = [(unit, *others) for others in companies]
        return max(tables, key=lambda units: group_of(game, units).quality, default=None)

    near = islice(ladder.nearest(unit, suited), _NEAREST)
    found = best(ladder.companies(ladder.bits(near), free))
    # Neighbours that avoid each other must not keep somebody waiting whom others suit.
    return found or best(islice(_with_any(unit, ladder, free, fresh), _FAR))


def _with_any(unit: Unit, ladder: Ladder, free: int, fresh: int) -> Iterator[tuple[Unit, ...]]:
    """All company for the unit, or for one that is not fresh all with somebody fresh."""
    suited = ladder.suited_by(unit)
    if fresh & ladder.bits((unit,)):
        yield from ladder.companies(suited, free)
        return
    for one in ladder.nearest(unit, suited & fresh):
        if one.size == free:
            yield (one,)
        elif one.size < free:
            rest = suited & ladder.suited_by(one)
            yield from ((one, *more) for more in ladder.companies(rest, free - one.size))


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
            if not free:
                break
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
