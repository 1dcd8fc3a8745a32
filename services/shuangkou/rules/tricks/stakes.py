"""Coins beside the points (§8.8)."""

from shuangkou.rules.seats import SEATS, Seat, Side, side_of
from shuangkou.rules.tricks.options import TricksOptions


def stake_multiplier(options: TricksOptions, overturns: int) -> int:
    """What the stake counts times after so many overturns in the deal."""
    return 2**overturns if options.stake_doubles else 1


def stake(options: TricksOptions, overturns: int) -> int:
    """The coins that a seat wins or loses by a deal; 0 where there are no stakes."""
    return options.base_stake * stake_multiplier(options, overturns)


def coins_won(options: TricksOptions, winners: Side, overturns: int) -> tuple[int, ...]:
    """Coins by seat for a deal won by this side; they sum to zero."""
    amount = stake(options, overturns)
    return tuple(amount if side_of(seat) == winners else -amount for seat in SEATS)


def throw_coins(options: TricksOptions, leader: Seat) -> tuple[int, ...]:
    """Coins by seat for a failed throw: half the stake of the table, to both opponents alike."""
    fine = options.base_stake // 2 if options.throw_costs_stake else 0
    return tuple(_share(fine, leader, seat) for seat in SEATS)


def forfeit_coins(options: TricksOptions, leaver: Seat, overturns: int) -> tuple[int, ...]:
    """Coins by seat when this one left: the stake to each of the others, its partner too (§12.2)."""
    amount = stake(options, overturns)
    return tuple(-3 * amount if seat == leaver else amount for seat in SEATS)


def _share(fine: int, leader: Seat, seat: Seat) -> int:
    if seat == leader:
        return -fine
    return 0 if side_of(seat) == side_of(leader) else fine // 2
