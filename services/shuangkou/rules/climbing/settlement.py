"""What a finished deal is worth: a pure function of public facts (§7, §11), by the option `scoring`."""

from collections.abc import Callable
from math import prod

from shuangkou.rules.climbing.cards_left import by_bombs_and_matches, by_cards_left, by_pips_left
from shuangkou.rules.climbing.cards_won import by_cards_won
from shuangkou.rules.climbing.combinations import Combination, Kind
from shuangkou.rules.climbing.events import BombPlayed, Result, SeatScore
from shuangkou.rules.climbing.landlord_points import by_landlord_sides
from shuangkou.rules.climbing.options import ClimbingOptions, MultiplierSource, Scoring
from shuangkou.rules.climbing.play_points import by_plays_and_place, by_ranks_played
from shuangkou.rules.climbing.record import DealRecord, Group, Settlement, fines, result_of
from shuangkou.rules.climbing.trick_pips import by_trick_pips
from shuangkou.rules.seats import SEATS, Seat, side_of

__all__ = ["DealRecord", "Group", "Settlement", "contribution", "fines", "groups_of", "result_of", "settle"]


def settle(options: ClimbingOptions, record: DealRecord) -> Settlement:
    """The settlement of one finished deal."""
    return SCORINGS[options.scoring](options, record)


def contribution(options: ClimbingOptions, seat: Seat, stars: int) -> tuple[int, ...] | None:
    """Points by seat that move to `seat` for a bomb or group of this many stars; None for none (§7.5)."""
    each = dict(options.contributions).get(stars, 0)
    return tuple(3 * each if other == seat else -each for other in SEATS) if each else None


def groups_of(options: ClimbingOptions, bombs: tuple[BombPlayed, ...]) -> tuple[Group, ...]:
    """Each seat's separate bombs, where they are worth anything (§7.6)."""
    groups = (_group(options, seat, bombs) for seat in SEATS)
    return tuple(group for group in groups if group.stars)


def _group(options: ClimbingOptions, seat: Seat, bombs: tuple[BombPlayed, ...]) -> Group:
    own = [bomb.combination for bomb in bombs if bomb.seat == seat]
    sizes = [bomb.size for bomb in own if bomb.kind is Kind.BOMB and bomb.size in (4, 5)]
    stars = max((value for number, value in options.group_stars if number <= len(sizes)), default=0)
    if sizes.count(5) >= 2:
        stars = max(stars, options.group_fives)
    return Group(seat, len(sizes), stars)


def _by_places(options: ClimbingOptions, record: DealRecord) -> Settlement:
    """§7.1: base by result, times the multiplier, plus contributions and fines."""
    head = record.finish_order[0]
    result = result_of(record.finish_order)
    base = _base(options, result)
    groups = groups_of(options, record.bombs)
    multiplier = _multiplier(options, head, record.bombs, groups)
    booked = _contributions(options, record.bombs, groups)
    fined = fines(options, record.forfeited)
    lost = 0 if result is Result.DRAW and not options.draw_zero_sum else -base
    breakdown = tuple(
        SeatScore(base if side_of(seat) == side_of(head) else lost, multiplier, booked[seat], fined[seat])
        for seat in SEATS
    )
    return Settlement(result, base, multiplier, breakdown, groups)


def _base(options: ClimbingOptions, result: Result) -> int:
    bases = {
        Result.DOUBLE: options.base_double,
        Result.SINGLE: options.base_single,
        Result.DRAW: options.base_draw,
        Result.WIN: options.base_win,
    }
    return bases[result]


def _multiplier(
    options: ClimbingOptions, head: Seat, bombs: tuple[BombPlayed, ...], groups: tuple[Group, ...]
) -> int:
    match options.multiplier_source:
        case MultiplierSource.NONE:
            return 1
        case MultiplierSource.WINNERS_BEST:
            winners = [bomb.combination for bomb in bombs if side_of(bomb.seat) == side_of(head)]
            won = [group.stars for group in groups if side_of(group.seat) == side_of(head)]
            worths = [bomb_multiplier(options, bomb) for bomb in winners]
            multiplier = max(worths + [stars_multiplier(options, stars) for stars in won], default=1)
        case MultiplierSource.ALL_PRODUCT:
            multiplier = prod(bomb_multiplier(options, bomb.combination) for bomb in bombs)
    return min(multiplier, options.max_multiplier or multiplier)


def bomb_multiplier(options: ClimbingOptions, bomb: Combination) -> int:
    """What one bomb multiplies by (§7.2)."""
    if bomb.kind is Kind.JOKER_BOMB and not bomb.stars:
        return options.joker_bomb_mult
    return stars_multiplier(options, bomb.stars or bomb.size)


def stars_multiplier(options: ClimbingOptions, stars: int) -> int:
    """The same by its stars, or its size where stars do not count."""
    return dict(options.bomb_mults).get(stars, 1)


def _contributions(
    options: ClimbingOptions, bombs: tuple[BombPlayed, ...], groups: tuple[Group, ...]
) -> tuple[int, ...]:
    owners = [(bomb.seat, bomb.combination.stars) for bomb in bombs]
    owners += [(group.seat, group.stars) for group in groups]
    booked = [contribution(options, seat, stars) or (0,) * len(SEATS) for seat, stars in owners]
    return tuple(sum(amounts[seat] for amounts in booked) for seat in SEATS)


SCORINGS: dict[Scoring, Callable[[ClimbingOptions, DealRecord], Settlement]] = {
    Scoring.PLACES: _by_places,
    Scoring.PIPS_LEFT: by_pips_left,
    Scoring.CARDS_LEFT: by_cards_left,
    Scoring.CARDS_WON: by_cards_won,
    Scoring.BOMBS_AND_MATCHES: by_bombs_and_matches,
    Scoring.PLAYS_BY_PLACE: by_plays_and_place,
    Scoring.LANDLORD_SIDES: by_landlord_sides,
    Scoring.RANKS_PLAYED: by_ranks_played,
    Scoring.TRICK_PIPS: by_trick_pips,
}
"""How a deal is scored, by the option `scoring`."""
