"""Scoring by what was played (§13.1 to §13.4): each combination is worth points of its own."""

from collections.abc import Iterator

from shuangkou.rules.climbing.calls import standing_declaration
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.record import DealRecord, Settlement, richer_side, won_by_points
from shuangkou.rules.seats import SEATS, side_of

FLAT_WORTH = {Kind.SINGLE: 1, Kind.PAIR: 2, Kind.TRIPLE: 3, Kind.TRIPLE1: 6, Kind.QUAD2: 8}
RUN_WORTH = {
    Kind.STRAIGHT: (4, 5),
    Kind.CONSECUTIVE_PAIRS: (3, 10),
    Kind.CONSECUTIVE_TRIPLES: (3, 15),
    Kind.BOMB: (0, 30),
}
"""Cards that count for nothing, and points for each further one."""
_QUARTERS = 4
RUN_POINTS = 5


def plays_of(record: DealRecord) -> Iterator[CardsPlayed]:
    """Every play in order."""
    return (act for act in record.history if isinstance(act, CardsPlayed))


def worth_of(combination: Combination) -> int:
    """§13.1."""
    if combination.kind in FLAT_WORTH:
        return FLAT_WORTH[combination.kind]
    free, each = RUN_WORTH[combination.kind]
    return (combination.size - free) * each


def by_plays_and_place(options: ClimbingOptions, record: DealRecord) -> Settlement:
    """§13.2: a seat keeps as much of its points as its place allows."""
    earned = [0, 0, 0, 0]
    for play in plays_of(record):
        earned[play.seat] += worth_of(play.combination)
    declared = standing_declaration(record.opening)
    if declared is not None and any(
        (play.seat, play.combination) == (declared.seat, declared.combination) for play in plays_of(record)
    ):
        earned[declared.seat] += worth_of(declared.combination)
    weights = dict(options.place_weights)
    places = {seat: place for place, seat in enumerate(record.finish_order, start=1)}
    points = tuple(earned[seat] * weights[places[seat]] // _QUARTERS for seat in SEATS)
    return won_by_points(options, record, points, richer_side(record, points))


def by_ranks_played(options: ClimbingOptions, record: DealRecord) -> Settlement:
    """§13.4: both partners get what their side played."""
    totals = [0, 0]
    for play in plays_of(record):
        totals[side_of(play.seat)] += rank_points(options, play.combination)
    points = tuple(totals[side_of(seat)] for seat in SEATS)
    return won_by_points(options, record, points, richer_side(record, points))


def rank_points(options: ClimbingOptions, combination: Combination) -> int:
    """§13.4: what one play brings its side."""
    """The place of the highest rank, from 1 for the lowest of all."""
    assert combination.rank is not None  # games of this kind have no joker bomb
    place = options.rank_order.index(combination.rank) + 1
    return place + (RUN_POINTS if combination.length > 1 else 0)
