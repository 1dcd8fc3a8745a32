"""Scoring of the landlord's game (§13.3): each side earns by its plays, the winning side the bid too."""

from shuangkou.rules.climbing.calls import landlord_of
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.play_points import plays_of
from shuangkou.rules.climbing.record import DealRecord, Settlement, won_by_points
from shuangkou.rules.seats import SEATS, SIDES, Side, seats_of, side_of

BOMB_POINTS, JOKER_BOMB_POINTS, NO_BOMB_POINTS = 5, 10, 5


def by_landlord_sides(options: ClimbingOptions, record: DealRecord) -> Settlement:
    """§13.3: every seat gets what its side has."""
    named, winner = landlord_of(record.opening), side_of(record.finish_order[0])
    assert named is not None  # the auction comes before the first play
    landlords = side_of(named.seat)
    plays = tuple(plays_of(record))
    totals = {side: _earned([play for play in plays if side_of(play.seat) == side]) for side in SIDES}
    totals[winner] += named.bid
    if _is_spring(plays, winner, landlords):
        totals[winner] += options.spring_points
    points = tuple(totals[side_of(seat)] for seat in SEATS)
    return won_by_points(options, record, points, seats_of(winner))


def _is_spring(plays: tuple[CardsPlayed, ...], winner: Side, landlords: Side) -> bool:
    """春天: the losers played nothing; as the landlord leads, its side at most that first play."""
    losers = sum(1 for play in plays if side_of(play.seat) != winner)
    return losers == (0 if winner == landlords else 1)


def _earned(plays: list[CardsPlayed]) -> int:
    """反主分 is for a side without a bomb."""
    has_bomb = any(play.combination.is_bomb for play in plays)
    return sum(side_worth(play.combination) for play in plays) + (0 if has_bomb else NO_BOMB_POINTS)


def side_worth(combination: Combination) -> int:
    """What one play brings its side."""
    if combination.kind is Kind.JOKER_BOMB:
        return JOKER_BOMB_POINTS
    if combination.is_bomb:
        return BOMB_POINTS
    is_paired = combination.kind in (Kind.PAIR, Kind.CONSECUTIVE_PAIRS)
    return combination.length if is_paired else 0
