"""What each seat scores at the end of a deal: the ruleset's real score (§7, §11, §13)."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.climbing.layout import (
    BEST,
    BID,
    BOMBS,
    EARNED,
    FIVES,
    FOURS,
    HELD,
    KITTY,
    LANDLORD,
    LAST,
    ORDER,
    OUT,
    PAID,
    PLAYS,
    PRODUCT,
    TOP_SEAT,
    TRICK_CARDS,
    WON,
)
from shuangkou.fastplay.climbing.scores import (
    ALL_PRODUCT,
    BOMBS_AND_MATCHES,
    CARDS_WON,
    LANDLORD_SIDES,
    PLACES,
    PLAYS_BY_PLACE,
    RANKS_PLAYED,
    TRICK_PIPS,
    WINNERS_BEST,
)
from shuangkou.fastplay.climbing.tables import (
    BASES,
    DEAL_END,
    FIRST_OUT,
    GROUP_MULTIPLIERS,
    GROUP_PAYS,
    LEFT,
    MATCH_POINTS,
    MAX_MULTIPLIER,
    NO_BOMB_POINTS,
    OUT_POINTS,
    QUARTERS,
    RANKS,
    SCORING,
    SOURCE,
    SPRING_POINTS,
    STRIDE,
    TOPS,
    TRICK_CARD_POINTS,
)
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]


@kernel
def settle(t: Array, d: Array, points: Array) -> None:
    """Write the points by seat of a deal that is over, without fines."""
    scoring = t[SCORING]
    if scoring == PLACES:
        _by_places(t, d, points)
    elif scoring == CARDS_WON:
        _by_cards_won(t, d, points)
    elif scoring == BOMBS_AND_MATCHES:
        _by_matches(t, d, points)
    elif scoring == PLAYS_BY_PLACE:
        for place in range(4):
            seat = place_of_order(d, place)
            points[seat] = d[EARNED + seat] * t[t[QUARTERS] + place + 1] // 4
    elif scoring == LANDLORD_SIDES:
        _by_landlord(t, d, points)
    elif scoring == RANKS_PLAYED:
        for seat in range(4):
            points[seat] = d[EARNED + seat] + d[EARNED + (seat ^ 2)]
    elif scoring == TRICK_PIPS:
        for seat in range(4):
            points[seat] = d[EARNED + seat]
    else:
        _by_cards_left(t, d, points)


@kernel
def place_of_order(d: Array, place: int) -> int:
    """The seat at a place, 0 for the first; who is not out follows in turn order after the last (§6.3)."""
    f = d
    if place < f[OUT]:
        return f[ORDER + place]
    last, left = f[ORDER + f[OUT] - 1], place - f[OUT]
    for step in range(1, 4):
        seat = (last + step) & 3
        is_out = False
        for earlier in range(f[OUT]):
            is_out = is_out or f[ORDER + earlier] == seat
        if not is_out:
            if left == 0:
                return seat
            left -= 1
    return last


@kernel
def _by_places(t: Array, d: Array, points: Array) -> None:
    f = d
    head = f[ORDER]
    result = 3
    if t[DEAL_END] != FIRST_OUT:
        for place in range(1, 4):
            if place_of_order(d, place) == head ^ 2:
                result = place - 1
    multiplier = 1
    if t[SOURCE] == WINNERS_BEST:
        multiplier = max(_best(t, d, head), _best(t, d, head ^ 2))
    elif t[SOURCE] == ALL_PRODUCT:
        multiplier = f[PRODUCT]
    if t[MAX_MULTIPLIER]:
        multiplier = min(multiplier, t[MAX_MULTIPLIER])
    for seat in range(4):
        points[seat] = t[t[BASES] + 2 * result + ((seat ^ head) & 1)] * multiplier
    for seat in range(4):
        paid = f[PAID + seat] + t[t[GROUP_PAYS] + _group(d, seat)]
        for other in range(4):
            points[other] += 3 * paid if other == seat else -paid


@kernel
def _group(d: Array, seat: int) -> int:
    """Where the tables have the group of a seat."""
    return 2 * (d[FOURS + seat] + d[FIVES + seat]) + int(d[FIVES + seat] >= 2)


@kernel
def _best(t: Array, d: Array, seat: int) -> int:
    group = t[t[GROUP_MULTIPLIERS] + _group(d, seat)]
    return max(d[BEST + seat], group)


@kernel
def _by_cards_left(t: Array, d: Array, points: Array) -> None:
    """§11.2: the first seat out gets what all others pay."""
    first, total = d[ORDER], 0
    for seat in range(4):
        worth = 0
        for rank in range(t[RANKS]):
            worth += d[HELD + seat * STRIDE + rank] * t[t[LEFT] + rank]
        points[seat] = -worth
        total += worth
    points[first] += total


@kernel
def _by_cards_won(t: Array, d: Array, points: Array) -> None:
    """§11.6: the trick on the table goes to its top play."""
    f = d
    for seat in range(4):
        cards = f[WON + seat] + f[WON + (seat ^ 2)]
        if f[TOP_SEAT] >= 0 and (f[TOP_SEAT] ^ seat) & 1 == 0:
            cards += f[TRICK_CARDS]
        points[seat] = t[TRICK_CARD_POINTS] * cards
        if (seat ^ f[ORDER]) & 1 == 0:
            points[seat] += f[KITTY]


@kernel
def _by_matches(t: Array, d: Array, points: Array) -> None:
    """§11.5."""
    top = t[t[TOPS] + d[LAST]]
    for seat in range(4):
        points[seat] = d[EARNED + seat]
        if seat == d[ORDER]:
            points[seat] += t[OUT_POINTS]
        elif top < t[RANKS]:
            points[seat] += t[MATCH_POINTS] * d[HELD + seat * STRIDE + top]


@kernel
def _by_landlord(t: Array, d: Array, points: Array) -> None:
    """§13.3."""
    f = d
    winner, landlord = f[ORDER] & 1, f[LANDLORD] & 1
    losers = f[PLAYS + 1 - winner] + f[PLAYS + 3 - winner]
    is_spring = losers == (0 if winner == landlord else 1)
    for seat in range(4):
        mate = seat ^ 2
        points[seat] = f[EARNED + seat] + f[EARNED + mate]
        if f[BOMBS + seat] + f[BOMBS + mate] == 0:
            points[seat] += t[NO_BOMB_POINTS]
        if seat & 1 == winner:
            points[seat] += f[BID] + (t[SPRING_POINTS] if is_spring else 0)
