"""What a finished deal is worth, as arrays: the numbers of the settlement of `rules`, taken from there."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.rules.climbing.cards_left import pips_left_of
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import BombPlayed
from shuangkou.rules.climbing.landlord_points import NO_BOMB_POINTS, side_worth
from shuangkou.rules.climbing.options import ClimbingOptions, DealEnd, MultiplierSource, Scoring
from shuangkou.rules.climbing.play_points import rank_points, worth_of
from shuangkou.rules.climbing.settlement import (
    DealRecord,
    bomb_multiplier,
    groups_of,
    settle,
    stars_multiplier,
)
from shuangkou.rules.climbing.trick_pips import pips_of_rank
from shuangkou.rules.seats import SEATS

Array = npt.NDArray[Any]

SCORINGS = tuple(Scoring)
PLACES, PIPS_LEFT, CARDS_LEFT, CARDS_WON, BOMBS_AND_MATCHES = range(5)
PLAYS_BY_PLACE, LANDLORD_SIDES, RANKS_PLAYED, TRICK_PIPS = range(5, 9)
SOURCES = tuple(MultiplierSource)
WINNERS_BEST = SOURCES.index(MultiplierSource.WINNERS_BEST)
ALL_PRODUCT = SOURCES.index(MultiplierSource.ALL_PRODUCT)
_MOST_GROUPED = 28
"""More separate bombs than a hand can have."""


def number_scores(options: ClimbingOptions) -> dict[str, int]:
    """The single numbers: SCORING and SOURCE are places in SCORINGS and SOURCES, the others are options."""
    return {
        "SCORING": SCORINGS.index(options.scoring),
        "SOURCE": SOURCES.index(options.multiplier_source),
        "MAX_MULTIPLIER": options.max_multiplier,
        "OUT_POINTS": options.out_points,
        "MATCH_POINTS": options.match_points,
        "TRICK_CARD_POINTS": options.trick_card_points,
        "SPRING_POINTS": options.spring_points,
        "MARK_POINTS": options.mark_points,
        "NO_BOMB_POINTS": NO_BOMB_POINTS,
    }


def array_scores(options: ClimbingOptions, plays: Sequence[Combination]) -> dict[str, Array]:
    """BASES: [4, 2] points of the first seat's side and of the other by the place of its partner less 1, and
    last where the first seat out ends the deal. WORTHS: [M] points of a play. MULTIPLIERS, PAYS: [M] of a
    bomb. GROUPED: [M] 4 or 5 for the bombs that make groups, else 0. GROUP_MULTIPLIERS, GROUP_PAYS:
    [number, two of five or not]. LEFT: [R] points of a card that is left. QUARTERS: [5] by place.
    """
    contributions = dict(options.contributions)
    worth = _WORTHS.get(options.scoring, _no_worth)
    stars = [[_group_stars(options, number, fives) for fives in (0, 2)] for number in range(_MOST_GROUPED)]
    multipliers = [[stars_multiplier(options, s) if s else 1 for s in row] for row in stars]
    return {
        "BASES": _bases(options),
        "WORTHS": _column([worth(options, play) for play in plays]),
        "MULTIPLIERS": _column([bomb_multiplier(options, play) if play.is_bomb else 1 for play in plays]),
        "PAYS": _column([contributions.get(play.stars, 0) for play in plays]),
        "GROUPED": _column([_grouped(play) for play in plays]),
        "GROUP_MULTIPLIERS": _column(multipliers),
        "GROUP_PAYS": _column([[contributions.get(s, 0) for s in row] for row in stars]),
        "LEFT": _column([_left(options, place) for place in range(len(options.rank_order))]),
        "QUARTERS": _column([dict(options.place_weights).get(place, 0) for place in range(len(SEATS) + 1)]),
    }


def _column(values: list[Any]) -> Array:
    return np.array(values, dtype=np.int64)


def _bases(options: ClimbingOptions) -> Array:
    """By the settlement itself, of deals without a bomb."""
    if options.scoring is not Scoring.PLACES:
        return np.zeros((4, 2), dtype=np.int64)
    head, left, mate, right = SEATS
    orders = ((head, mate, left, right), (head, left, mate, right), (head, left, right, mate), (head,))
    ends_at_once = options.deal_end is DealEnd.FIRST_OUT
    scores = [settle(options, DealRecord((head,) if ends_at_once else order)).scores for order in orders]
    return _column([[by_seat[head], by_seat[left]] for by_seat in scores])


def _no_worth(_: ClimbingOptions, __: Combination) -> int:
    return 0


def _set_worth(options: ClimbingOptions, play: Combination) -> int:
    return dict(options.bomb_points).get(play.size, 0) if play.is_bomb or play.kind is Kind.SET else 0


def _pips(_: ClimbingOptions, play: Combination) -> int:
    assert play.rank is not None  # single cards have one
    return pips_of_rank(play.rank)


_WORTHS: dict[Scoring, Callable[[ClimbingOptions, Combination], int]] = {
    Scoring.BOMBS_AND_MATCHES: _set_worth,
    Scoring.PLAYS_BY_PLACE: lambda _, play: worth_of(play),
    Scoring.LANDLORD_SIDES: lambda _, play: side_worth(play),
    Scoring.RANKS_PLAYED: rank_points,
    Scoring.TRICK_PIPS: _pips,
}


def _grouped(play: Combination) -> int:
    return play.size if play.kind is Kind.BOMB and play.size in (4, 5) else 0


def _group_stars(options: ClimbingOptions, number: int, fives: int) -> int:
    """§7.6, asked of the rules with bombs of four and five."""
    sizes = [5] * min(fives, number) + [4] * max(0, number - fives)
    bombs = [BombPlayed(SEATS[0], Combination(Kind.BOMB, size, 1, None, 0)) for size in sizes]
    return sum(group.stars for group in groups_of(options, tuple(bombs)))


def _left(options: ClimbingOptions, place: int) -> int:
    match options.scoring:
        case Scoring.PIPS_LEFT:
            return pips_left_of(options, options.rank_order[place])
        case Scoring.CARDS_LEFT:
            return 1
        case _:
            return 0
