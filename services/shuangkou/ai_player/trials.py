"""What the acts of a hint bring in worlds that they all share, and which of them goes first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shuangkou.fastplay.guard import Gains

SEARCH_SHARE = 0.4
"""Of the budget, in which a search looks for the first act; then all acts are played out."""
_MOST_WORLDS = 200

Column = tuple[float, ...]
"""What an act brought in each world, the same worlds for all acts."""


@dataclass(frozen=True, slots=True)
class Played:
    """What an act brought in `worlds`, and the standard error of the mean, 0 for a single world."""

    mean: float
    error: float
    worlds: int


def columns_of(play: Callable[[], Sequence[float]], until: float, clock: Callable[[], float]) -> list[Column]:
    """`play` brings one more world, with what each act brings in it: once at least, then as time allows."""
    played = [play()]
    while len(played) < _MOST_WORLDS and clock() < until:
        played.append(play())
    return list(zip(*played, strict=True))


def order_of(columns: Sequence[Column], usual: int = 0) -> list[int]:
    """The acts as they stand, but that one goes first than which none is proven to bring more.

    The first was found by search and has to bring what the usual one does here as well.
    """
    first = usual if sum(columns[usual]) > sum(columns[0]) else 0
    while (better := _proven_best(columns, first)) != first:
        first = better
    return [first, *(place for place in range(len(columns)) if place != first)]


def played_out(column: Column) -> Played:
    """The mean of a column."""
    gains = _gains(column, (0.0,) * len(column))
    return Played(gains.mean, gains.error if gains.count > 1 else 0.0, gains.count)


def _proven_best(columns: Sequence[Column], first: int) -> int:
    """The act that brings most of those proven to gain over this one in the same worlds, else this one."""
    proven = [place for place, column in enumerate(columns) if _gains(column, columns[first]).is_proven]
    return max(proven, key=lambda place: sum(columns[place]), default=first)


def _gains(points: Column, others: Column) -> Gains:
    gains = Gains()
    for one, other in zip(points, others, strict=True):
        gains.add(one - other)
    return gains
