"""The rule policy: every legal act gets a worth in tricks, and the best is played.

The worth of a play is what it saves of the hand's cost (`planning`), plus what the lead is worth if it wins
the trick (`judging`), minus what is at risk if it does not. Passing leaves the hand as it is, and the trick
to its owner. A hand that can go out however the others hold their cards is played out.
"""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.bits import lowest_bit
from shuangkou.fastplay.climbing.deal import follows, legal_flushes, legal_plays, may_pass
from shuangkou.fastplay.climbing.desk import (
    ASSIST,
    BOMB,
    CHANCES,
    CONTRIBUTION,
    FINISH,
    FLUSHES_AT,
    GROUPS,
    KEEP,
    KEEP_URGENCY,
    LEAD,
    LEFT,
    LEGAL,
    MOST_FLUSHES,
    NEAR_OUT,
    PARTNER_OUT,
    POINTS,
    RUN_OUT,
    SPENT,
    STAKE,
    STAND_INS,
    SUPPORT,
    THREAT,
    URGENCY,
)
from shuangkou.fastplay.climbing.hands import spend
from shuangkou.fastplay.climbing.judging import is_rival, judge
from shuangkou.fastplay.climbing.layout import BEST, FLUSH, PASS, PASSED, SIZE, TOP, TOP_SEAT, TURN
from shuangkou.fastplay.climbing.planning import cost_of_rest, first_part, survey
from shuangkou.fastplay.climbing.tables import (
    BY_CARD,
    DISCARDS,
    IS_BOMB,
    MULTIPLIERS,
    PARTNERS,
    PAYS,
    PLAY_COUNT,
    RANKS,
    SET_PLAYS,
    STRIDE,
    WORDS,
    WORTHS,
)
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]

GOING_OUT = 1000.0
UNKNOWN_CHANCE = 0.7
"""That a flush wins its trick, of which no chance is known."""
FORCED = 100.0
"""A play after which the hand goes out however the others hold their cards."""
CERTAIN = 0.9995
NOTHING = -1e9


@kernel
def choose(t: Array, d: Array, x: Array, n: Array) -> int:
    """The act of the seat to act. `d` need hold no other hand than its own (and its partner's where it is
    open)."""
    plays = legal_plays(t, d, n[LEGAL:])
    passes = may_pass(t, d)
    if plays == 0 and passes and legal_flushes(t, d, n[FLUSHES_AT:]) == 0:
        return PASS
    judge(t, d, d[TURN], x, n)
    return best_act(t, d, x, n)


@kernel
def best_act(t: Array, d: Array, x: Array, n: Array) -> int:
    """The act with the highest worth by the chances and costs that are written already."""
    seat, costs = d[TURN], CHANCES + t[PLAY_COUNT]
    survey(t, d, seat, x, n, costs)
    lead = lead_worth(t, d, seat, x)
    best, highest = PASS, NOTHING
    if may_pass(t, d):
        highest = pass_worth(t, d, seat, x, lead) - cost_of_rest(t, d, seat, x, n, (n[SPENT:], 0, costs))
    legal_plays(t, d, n[LEGAL:])
    for word in range(t[WORDS]):
        members = n[LEGAL + word]
        while members:
            play = word * 64 + lowest_bit(members)
            members &= members - 1
            worth = worth_of(t, d, x, n, play, lead)
            if worth > highest:
                best, highest = play, worth
    flushes = legal_flushes(t, d, n[FLUSHES_AT : FLUSHES_AT + MOST_FLUSHES])
    for place in range(flushes):
        play = n[FLUSHES_AT + place]
        worth = worth_of(t, d, x, n, play, lead)
        if worth > highest:
            best, highest = play, worth
    return best


@kernel
def weigh_acts(t: Array, d: Array, x: Array, n: Array, acts: Array, worths: Array) -> int:
    """Write the legal acts and their worths, as many as there is room for; how many."""
    seat, costs, count = d[TURN], CHANCES + t[PLAY_COUNT], 0
    judge(t, d, seat, x, n)
    survey(t, d, seat, x, n, costs)
    lead = lead_worth(t, d, seat, x)
    if may_pass(t, d):
        rest = cost_of_rest(t, d, seat, x, n, (n[SPENT:], 0, costs))
        acts[0], worths[0], count = PASS, pass_worth(t, d, seat, x, lead) - rest, 1
    legal_plays(t, d, n[LEGAL:])
    for word in range(t[WORDS]):
        members = n[LEGAL + word]
        while members and count < len(acts):
            acts[count] = word * 64 + lowest_bit(members)
            members &= members - 1
            worths[count] = worth_of(t, d, x, n, acts[count], lead)
            count += 1
    flushes = legal_flushes(t, d, n[FLUSHES_AT : FLUSHES_AT + MOST_FLUSHES])
    for place in range(min(flushes, len(acts) - count)):
        acts[count] = n[FLUSHES_AT + place]
        worths[count] = worth_of(t, d, x, n, acts[count], lead)
        count += 1
    return count


@kernel
def worth_of(t: Array, d: Array, x: Array, n: Array, play: int, lead: float) -> float:
    """What a play of the seat to act is worth, in tricks; GOING_OUT and more where it goes out."""
    seat, costs = d[TURN], CHANCES + t[PLAY_COUNT]
    number = spend(t, d, seat, play, n[SPENT:])
    if number == d[SIZE + seat]:
        return GOING_OUT + (gain_of(t, d, x, play) if play < FLUSH else 0.0)
    by_rank(t, n, number)
    after = cost_of_rest(t, d, seat, x, n, (n[SPENT:], number, costs))
    wins = win_chance(t, d, x, play)
    finish = x[RUN_OUT] if d[TOP] == PASS else x[FINISH]
    readiness = min(1.0, max(0.0, (2.0 - after) / 2.0))
    worth = wins * (lead + finish * readiness) - after
    if wins >= CERTAIN and n[STAND_INS] == 0 and not t[BY_CARD] and open_groups(t, x, n, costs) <= 1:
        worth += FORCED
    worth += (1.0 - wins) * (partner_share(t, d, seat, x, number) - risk(t, d, seat, x, number))
    return worth + (gain_of(t, d, x, play) if play < FLUSH else 0.0)


@kernel
def open_groups(t: Array, x: Array, n: Array, costs: int) -> int:
    """How many groups of the plan made last may be beaten: one is no hindrance, for it is played last."""
    beatable = 0
    for place in range(1, n[GROUPS] + 1):
        beatable += x[CHANCES + n[GROUPS + place]] < CERTAIN
    for rank in range(t[RANKS]):
        left = n[LEFT + rank]
        while left > 0 and beatable < 2:
            part = first_part(t, x, costs, rank, left)
            play = t[t[SET_PLAYS] + rank * STRIDE + part]
            beatable += play < 0 or x[CHANCES + play] < CERTAIN
            left -= part
    return beatable


@kernel
def by_rank(t: Array, n: Array, number: int) -> None:
    """Spent cards as ranks."""
    if t[BY_CARD]:
        for place in range(number):
            n[SPENT + place] >>= 2


@kernel
def win_chance(t: Array, d: Array, x: Array, play: int) -> float:
    """Of a play to win its trick; a discard (贴牌) has none."""
    if play >= FLUSH:
        return UNKNOWN_CHANCE
    if t[DISCARDS] and not follows(t, d, play):
        return 0.0
    return x[CHANCES + play]


@kernel
def gain_of(t: Array, d: Array, x: Array, play: int) -> float:
    """What a play earns or costs beside its trick: the bomb that is gone, and what the scoring pays for
    it."""
    seat = d[TURN]
    gain = x[POINTS] * t[t[WORTHS] + play]
    if t[t[IS_BOMB] + play]:
        better = max(0, t[t[MULTIPLIERS] + play] - max(d[BEST + seat], d[BEST + (seat ^ 2)]))
        gain += x[CONTRIBUTION] * t[t[PAYS] + play] + x[STAKE] * better - x[BOMB]
    return gain


@kernel
def nearest_rival(t: Array, d: Array, seat: int) -> int:
    """Cards of the rival that holds fewest, 0 without rivals."""
    nearest = 0
    for other in range(4):
        if is_rival(t, d, seat, other) and (nearest == 0 or d[SIZE + other] < nearest):
            nearest = d[SIZE + other]
    return nearest


@kernel
def lead_worth(t: Array, d: Array, seat: int, x: Array) -> float:
    """What the next lead is worth."""
    nearness = max(0.0, 1.0 - nearest_rival(t, d, seat) / x[NEAR_OUT])
    if d[TOP] == PASS:
        return x[KEEP] + x[KEEP_URGENCY] * nearness
    return x[LEAD] + x[URGENCY] * nearness


@kernel
def risk(t: Array, d: Array, seat: int, x: Array, number: int) -> float:
    """What it costs to be beaten by a rival's last cards."""
    for other in range(4):
        if is_rival(t, d, seat, other) and d[SIZE + other] == number:
            return x[THREAT]
    return 0.0


@kernel
def partner_share(t: Array, d: Array, seat: int, x: Array, number: int) -> float:
    """What the partner gains by a lead that suits its last cards."""
    fits = t[PARTNERS] and d[TOP] == PASS and d[SIZE + (seat ^ 2)] == number
    return x[ASSIST] if fits else 0.0


@kernel
def pass_worth(t: Array, d: Array, seat: int, x: Array, lead: float) -> float:
    """What passing brings: the partner's trick."""
    mate = seat ^ 2
    if not t[PARTNERS] or d[TOP_SEAT] != mate or d[SIZE + mate] == 0:
        return 0.0
    is_won = True
    for other in range(4):
        if is_rival(t, d, seat, other) and not d[PASSED] >> other & 1:
            is_won = False
    chance = UNKNOWN_CHANCE
    if is_won:
        chance = 1.0
    elif d[TOP] < FLUSH:
        chance = x[CHANCES + d[TOP]]
    nearness = max(0.0, 1.0 - d[SIZE + mate] / x[NEAR_OUT])
    return chance * (lead + x[SUPPORT] + x[PARTNER_OUT] * nearness)
