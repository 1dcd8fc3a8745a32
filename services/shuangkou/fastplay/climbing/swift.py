"""The policy of rollouts: the rule policy with chances that were judged once, and with few acts to weigh.

It leads the groups of its hand's best plan only, and weighs the lowest few plays where it follows.
"""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.bits import lowest_bit
from shuangkou.fastplay.climbing.deal import legal_plays, may_pass
from shuangkou.fastplay.climbing.desk import (
    CHANCES,
    FINISH,
    GROUPS,
    LEFT,
    LEGAL,
    RUN_OUT,
    SPENT,
)
from shuangkou.fastplay.climbing.hands import spend
from shuangkou.fastplay.climbing.instant import (
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
from shuangkou.fastplay.climbing.layout import PASS, SIZE, TOP, TURN
from shuangkou.fastplay.climbing.planning import cost_of_left, find_fitting, first_part, hold_all, price_sets
from shuangkou.fastplay.climbing.tables import (
    BY_CARD,
    DECK,
    IS_BOMB,
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


@kernel
def foresee(t: Array, d: Array, seat: int, x: Array, n: Array) -> None:
    """Judge every play as the seat sees the deal: good for all that `swift_act` decides after it."""
    judge(t, d, seat, x, n, True)
    for rank in range(t[RANKS]):
        price_sets(t, x, CHANCES + t[PLAY_COUNT], rank, t[t[DECK] + rank])


@kernel
def swift_act(t: Array, d: Array, x: Array, n: Array) -> int:
    """The act of the seat to act."""
    plays = legal_plays(t, d, n[LEGAL:])
    if plays == 0:
        return PASS
    find_fitting(t, d, d[TURN], n)
    if d[TOP] == PASS and not t[BY_CARD]:
        return _lead(t, d, x, n)
    return _follow(t, d, x, n)


@kernel
def _lead(t: Array, d: Array, x: Array, n: Array) -> int:
    seat, costs = d[TURN], CHANCES + t[PLAY_COUNT]
    hold_all(t, d, seat, n)
    total = cost_of_left(t, x, n, costs)
    groups = n[GROUPS]
    for rank in range(t[RANKS]):
        left = n[LEFT + rank]
        while left > 0 and groups < 40:
            part = first_part(t, x, costs, rank, left)
            groups += 1
            n[GROUPS + groups] = t[t[SET_PLAYS] + rank * STRIDE + part]
            left -= part
    lead, best, highest = lead_worth(t, d, seat, x), PASS, NOTHING
    for place in range(1, groups + 1):
        play = n[GROUPS + place]
        worth = _worth(t, d, x, play, total - x[costs + play], lead)
        if worth > highest:
            best, highest = play, worth
    return best


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
