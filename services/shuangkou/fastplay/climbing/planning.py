"""What a hand costs to get rid of: how many tricks others must give, less those that it can win."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.bits import lowest_bit
from shuangkou.fastplay.climbing.desk import (
    FITS_COUNT,
    FITTING,
    GROUPS,
    LEFT,
    MOST_FITTING,
    MOST_HELD,
    SETS,
    STAND_INS,
)
from shuangkou.fastplay.climbing.layout import CAN, HELD
from shuangkou.fastplay.climbing.tables import (
    COUNTS_OF,
    PARTS,
    PLACES_OF,
    RANKS,
    SET_PLAYS,
    SPREADS,
    STRIDE,
    WILD,
    WORDS,
)
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]
IMPOSSIBLE = 64.0


@kernel
def survey(t: Array, d: Array, seat: int, x: Array, n: Array, costs: int) -> None:
    """Make ready for `cost_of_rest`: the costs of sets, and the runs and chains that a hand holds.

    costs: where the floats have the cost of each play.
    """
    wilds = d[HELD + seat * STRIDE + t[WILD]] if t[WILD] >= 0 else 0
    for rank in range(t[RANKS]):
        price_sets(t, x, costs, rank, d[HELD + seat * STRIDE + rank] + (1 if wilds else 0))
    find_fitting(t, d, seat, n)
    n[STAND_INS] = 0
    if wilds:
        _choose_stand_ins(t, d, seat, x, n, costs)


@kernel
def price_sets(t: Array, x: Array, costs: int, rank: int, most: int) -> None:
    """Write the least costs of up to so many cards of a rank, split in the best way."""
    sets, plays = SETS + rank * MOST_HELD, t[SET_PLAYS] + rank * STRIDE
    x[sets] = 0.0
    for number in range(1, min(most, MOST_HELD - 1) + 1):
        best = IMPOSSIBLE
        for part in range(1, number + 1):
            play = t[plays + part]
            if play >= 0:
                best = min(best, x[costs + play] + x[sets + number - part])
        x[sets + number] = best


@kernel
def find_fitting(t: Array, d: Array, seat: int, n: Array) -> None:
    """List the runs and chains that the seat could lead."""
    total, words = 0, t[WORDS]
    for word in range(words):
        members = d[CAN + seat * words + word] & t[t[SPREADS] + word]
        while members and total < MOST_FITTING:
            n[FITTING + total] = word * 64 + lowest_bit(members)
            members &= members - 1
            total += 1
    n[FITS_COUNT] = total


@kernel
def cost_of_left(t: Array, x: Array, n: Array, costs: int) -> float:
    """The cost of the cards in LEFT: equal cards go together, then the run or chain that saves most is
    taken out, one by one. These are written to GROUPS, their number first, and LEFT keeps what goes as
    equal cards."""
    total, taken = 0.0, 0
    for rank in range(t[RANKS]):
        total += x[SETS + rank * MOST_HELD + n[LEFT + rank]]
    while True:
        best, saving = -1, 1e-9
        for place in range(n[FITS_COUNT]):
            play = n[FITTING + place]
            saved = -x[costs + play]
            parts, at = t[t[PARTS] + play], play * STRIDE
            for part in range(parts):
                rank = t[t[PLACES_OF] + at + part]
                left = n[LEFT + rank] - t[t[COUNTS_OF] + at + part]
                if left < 0:
                    saved = -IMPOSSIBLE
                    break
                sets = SETS + rank * MOST_HELD
                saved += x[sets + n[LEFT + rank]] - x[sets + left]
            if saved > saving:
                best, saving = play, saved
        if best < 0:
            n[GROUPS] = taken
            return total
        total -= saving
        taken += 1
        n[GROUPS + taken] = best
        for part in range(t[t[PARTS] + best]):
            n[LEFT + t[t[PLACES_OF] + best * STRIDE + part]] -= t[t[COUNTS_OF] + best * STRIDE + part]


@kernel
def first_part(t: Array, x: Array, costs: int, rank: int, left: int) -> int:
    """How many of so many equal cards go together first."""
    sets, best, chosen = SETS + rank * MOST_HELD, -IMPOSSIBLE, 1
    for part in range(1, left + 1):
        play = t[t[SET_PLAYS] + rank * STRIDE + part]
        if play >= 0:
            slack = x[sets + left] - x[costs + play] - x[sets + left - part]
            if slack > best + 1e-9:
                best, chosen = slack, part
    return chosen


@kernel
def _choose_stand_ins(t: Array, d: Array, seat: int, x: Array, n: Array, costs: int) -> None:
    """The two ranks for which a wild card saves most in the whole hand."""
    first, second, best, next_best = -1, -1, IMPOSSIBLE, IMPOSSIBLE
    for rank in range(t[WILD]):
        hold_all(t, d, seat, n)
        n[LEFT + t[WILD]] -= 1
        n[LEFT + rank] += 1
        cost = IMPOSSIBLE if n[LEFT + rank] >= MOST_HELD else cost_of_left(t, x, n, costs)
        if cost < best:
            second, next_best, first, best = first, best, rank, cost
        elif cost < next_best:
            second, next_best = rank, cost
    n[STAND_INS] = 2
    n[STAND_INS + 1], n[STAND_INS + 2] = first, second


@kernel
def hold_all(t: Array, d: Array, seat: int, n: Array) -> None:
    """LEFT is the whole hand."""
    for rank in range(t[RANKS]):
        n[LEFT + rank] = d[HELD + seat * STRIDE + rank]


@kernel
def cost_of_rest(t: Array, d: Array, seat: int, x: Array, n: Array, spent: tuple[Array, int, int]) -> float:
    """What is left to pay after these cards are played. spent: cards, how many, and where the costs
    stand."""
    cards, number, costs = spent
    _leave(t, d, seat, n, cards, number)
    wilds = n[LEFT + t[WILD]] if t[WILD] >= 0 else 0
    best = cost_of_left(t, x, n, costs)
    if not wilds:
        return best
    for place in range(n[STAND_INS]):
        _leave(t, d, seat, n, cards, number)
        rank = n[STAND_INS + 1 + place]
        n[LEFT + t[WILD]] -= 1
        n[LEFT + rank] += 1
        if n[LEFT + rank] < MOST_HELD:
            best = min(best, cost_of_left(t, x, n, costs))
    return best


@kernel
def _leave(t: Array, d: Array, seat: int, n: Array, cards: Array, number: int) -> None:
    hold_all(t, d, seat, n)
    for place in range(number):
        n[LEFT + cards[place]] -= 1
