"""What a finished deal is worth: a pure function of public facts (§7)."""

from dataclasses import dataclass

from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import BombPlayed, Result
from shuangkou.rules.climbing.options import ClimbingOptions, MultiplierSource
from shuangkou.rules.seats import SEATS, Seat, partner, side_of

_BY_PARTNER_PLACE = {1: Result.DOUBLE, 2: Result.SINGLE, 3: Result.DRAW}


@dataclass(frozen=True, slots=True)
class Settlement:
    """base: points of a winner before the multiplier. scores: by seat."""

    result: Result
    base: int
    multiplier: int
    scores: tuple[int, ...]


def settle(
    options: ClimbingOptions, finish_order: tuple[Seat, ...], bombs: tuple[BombPlayed, ...]
) -> Settlement:
    """finish_order: seats by place, at least the first; bombs: all that were played, in any order."""
    head = finish_order[0]
    result = result_of(finish_order)
    base = _base(options, result)
    multiplier = _multiplier(options, head, bombs)
    won = base * multiplier
    scores = tuple(won if side_of(seat) == side_of(head) else -won for seat in SEATS)
    return Settlement(result, base, multiplier, scores)


def result_of(finish_order: tuple[Seat, ...]) -> Result:
    """The result by the place of the first seat's partner (§6.2)."""
    mate = partner(finish_order[0])
    return _BY_PARTNER_PLACE[finish_order.index(mate)] if mate in finish_order else Result.WIN


def _base(options: ClimbingOptions, result: Result) -> int:
    bases = {
        Result.DOUBLE: options.base_double,
        Result.SINGLE: options.base_single,
        Result.DRAW: options.base_draw,
        Result.WIN: options.base_win,
    }
    return bases[result]


def _multiplier(options: ClimbingOptions, head: Seat, bombs: tuple[BombPlayed, ...]) -> int:
    match options.multiplier_source:
        case MultiplierSource.NONE:
            return 1
        case MultiplierSource.WINNERS_BEST:
            winners = [bomb.combination for bomb in bombs if side_of(bomb.seat) == side_of(head)]
            return max((_bomb_multiplier(options, bomb) for bomb in winners), default=1)


def _bomb_multiplier(options: ClimbingOptions, bomb: Combination) -> int:
    if bomb.kind is Kind.JOKER_BOMB:
        return options.joker_bomb_mult
    return dict(options.bomb_mults).get(bomb.size, 1)
