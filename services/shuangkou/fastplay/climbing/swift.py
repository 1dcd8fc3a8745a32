"""The policy of rollouts: the rule policy with few acts to weigh.

It leads the groups of its hand's best plan only, and weighs the lowest few plays where it follows.
"""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.bits import lowest_bit
from shuangkou.fastplay.climbing.deal import legal_plays, may_pass
from shuangkou.fastplay.climbing.desk import (
    CHANCES,
    FINISH,
    FITS_COUNT,
    FITTING,
    GROUPS,
    LEFT,
    LEGAL,
    MOST_HELD,
    RUN_OUT,
    SETS,
    SPENT,
)
from shuangkou.fastplay.climbing.hands import spend
from shuangkou.fastplay.climbing.instant import (
    CERTAIN,
    FORCED,
    GOING_OUT,
    NOTHING,
    by_rank,
    gain_of,
    lead_worth,
    partner_share,
    pass_worth,
    risk,
    win_chance,
)
from shuangkou.fastplay.climbing.judging import judge
from shuangkou.fastplay.climbing.layout import FLUSH, HELD, PASS, SIZE, TOP, TOP_SEAT, TURN
from shuangkou.fastplay.climbing.planning import (
    IMPOSSIBLE,
    cost_of_left,
    find_fitting,
    first_part,
    hold_all,
    price_sets,
)
from shuangkou.fastplay.climbing.tables import (
    BY_CARD,
    COUNTS_OF,
    IS_BOMB,
    PARTNERS,
    PARTS,
    PLACES_OF,
    PLAY_COUNT,
    RANKS,
    SET_PLAYS,
    SIZES,
    STRIDE,
    WORDS,
)
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]

MOST_PLAYS, MOST_BOMBS = 6, 2
"""Weighed where a play is followed, from the lowest up."""
_LEAVING = 0.5
"""Chance of a partner's play from which on it is left alone."""


@kernel
def swift_act(t: Array, d: Array, x: Array, n: Array) -> int:
    """The act of the seat to act."""
    plays = legal_plays(t, d, n[LEGAL:])
    if plays == 0:
        return PASS
    seat = d[TURN]
    judge(t, d, seat, x, n)
    for rank in range(t[RANKS]):
        price_sets(t, x, CHANCES + t[PLAY_COUNT], rank, d[HELD + seat * STRIDE + rank])
    if d[TOP_SEAT] == seat ^ 2 and t[PARTNERS] and _leaves(t, d, x, n):
        return PASS
    find_fitting(t, d, seat, n)
    hold_all(t, d, seat, n)
    _drop_worthless(t, x, n)
    if d[TOP] == PASS and not t[BY_CARD]:
        return _lead(t, d, x, n)
    return _follow(t, d, x, n)


@kernel
def _leaves(t: Array, d: Array, x: Array, n: Array) -> bool:
    """Whether the trick is left to the partner without another thought: he may well win it, and the hand
    cannot go out."""
    if not may_pass(t, d) or d[TOP] >= FLUSH or x[CHANCES + d[TOP]] < _LEAVING:
        return False
    for word in range(t[WORDS]):
        members = n[LEGAL + word]
        while members:
            if t[t[SIZES] + word * 64 + lowest_bit(members)] == d[SIZE + d[TURN]]:
                return False
            members &= members - 1
    return True


@kernel
def _drop_worthless(t: Array, x: Array, n: Array) -> None:
    """Forget the runs and chains that save nothing of the hand in LEFT."""
    costs, kept = CHANCES + t[PLAY_COUNT], 0
    for place in range(n[FITS_COUNT]):
        play = n[FITTING + place]
        saved, at = -x[costs + play], play * STRIDE
        for part in range(t[t[PARTS] + play]):
            rank = t[t[PLACES_OF] + at + part]
            sets, left = SETS + rank * MOST_HELD, n[LEFT + rank] - t[t[COUNTS_OF] + at + part]
            saved += x[sets + n[LEFT + rank]] - x[sets + left] if left >= 0 else -IMPOSSIBLE
        if saved > 0.0:
            n[FITTING + kept] = play
            kept += 1
    n[FITS_COUNT] = kept


@kernel
def _lead(t: Array, d: Array, x: Array, n: Array) -> int:
    seat, costs = d[TURN], CHANCES + t[PLAY_COUNT]
    hold_all(t, d, seat, n)
    total = cost_of_left(t, x, n, costs)
    groups = _split_sets(t, x, n, costs)
    beatable = 0
    for place in range(1, groups + 1):
        beatable += x[CHANCES + n[GROUPS + place]] < CERTAIN
    lead, best, highest = lead_worth(t, d, seat, x), PASS, NOTHING
    for place in range(1, groups + 1):
        play = n[GROUPS + place]
        worth = _worth(t, d, x, play, total - x[costs + play], lead)
        if beatable <= 1 and x[CHANCES + play] >= CERTAIN:
            worth += FORCED
        if worth > highest:
            best, highest = play, worth
    return best


@kernel
def _split_sets(t: Array, x: Array, n: Array, costs: int) -> int:
    """Write what is left as equal cards to the groups of the plan; how many there are in all."""
    groups = n[GROUPS]
    for rank in range(t[RANKS]):
        left = n[LEFT + rank]
        while left > 0 and groups < 40:
            part = first_part(t, x, costs, rank, left)
            groups += 1
            n[GROUPS + groups] = t[t[SET_PLAYS] + rank * STRIDE + part]
            left -= part
    return groups


@kernel
def _worth(t: Array, d: Array, x: Array, play: int, after: float, lead: float) -> float:
    seat, number = d[TURN], t[t[SIZES] + play]
    if number == d[SIZE + seat]:
        return GOING_OUT + gain_of(t, d, x, play)
    wins = win_chance(t, d, x, play)
    finish = x[RUN_OUT] if d[TOP] == PASS else x[FINISH]
    worth = wins * (lead + finish * min(1.0, max(0.0, (2.0 - after) / 2.0))) - after
    worth += (1.0 - wins) * (partner_share(t, d, seat, x, number) - risk(t, d, seat, x, number))
    return worth + gain_of(t, d, x, play)


@kernel
def _follow(t: Array, d: Array, x: Array, n: Array) -> int:
    seat, costs = d[TURN], CHANCES + t[PLAY_COUNT]
    lead, best, highest = lead_worth(t, d, seat, x), PASS, NOTHING
    if may_pass(t, d):
        hold_all(t, d, seat, n)
        highest = pass_worth(t, d, seat, x, lead) - cost_of_left(t, x, n, costs)
    most = 64 if d[TOP] == PASS else MOST_PLAYS
    plays, bombs = 0, 0
    for word in range(t[WORDS]):
        members = n[LEGAL + word]
        while members:
            play = word * 64 + lowest_bit(members)
            members &= members - 1
            if t[t[IS_BOMB] + play]:
                bombs += 1
            else:
                plays += 1
            if bombs > MOST_BOMBS or (plays > most and not t[t[IS_BOMB] + play]):
                continue
            number = spend(t, d, seat, play, n[SPENT:])
            by_rank(t, n, number)
            hold_all(t, d, seat, n)
            for place in range(number):
                n[LEFT + n[SPENT + place]] -= 1
            worth = _worth(t, d, x, play, cost_of_left(t, x, n, costs), lead)
            if worth > highest:
                best, highest = play, worth
    return best
