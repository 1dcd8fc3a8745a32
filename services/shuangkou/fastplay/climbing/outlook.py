"""What a deal in which two seats hold cards may still be worth: between these bounds lies how it ends."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.bits import lowest_bit
from shuangkou.fastplay.climbing.layout import (
    BEST,
    CAN,
    FACTS,
    FIVES,
    FOURS,
    ORDER,
    OUT,
    PAID,
    PRODUCT,
    SIZE,
)
from shuangkou.fastplay.climbing.payoff import settle
from shuangkou.fastplay.climbing.scores import PLACES
from shuangkou.fastplay.climbing.tables import (
    BOMB_SET,
    GROUP_MULTIPLIERS,
    GROUP_PAYS,
    MULTIPLIERS,
    PARTNERS,
    PAYS,
    SCORING,
    SIZES,
    WORDS,
)
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]

FAR = 1 << 40
"""More than any deal is worth."""
_LARGE = 64
"""More cards than a bomb has."""


@kernel
def is_own(t: Array, seat: int, me: int) -> bool:
    """The seat plays for the same side."""
    return seat == me or (t[PARTNERS] == 1 and seat == me ^ 2)


@kernel
def worth(t: Array, d: Array, me: int, points: Array) -> int:
    """Points of the side of seat `me` less those of the others, of a deal that is over."""
    settle(t, d, points)
    total = 0
    for seat in range(4):
        total += points[seat] if is_own(t, seat, me) else -points[seat]
    return total


@kernel
def has_bombs(t: Array, d: Array) -> bool:
    """A seat can still play one."""
    for seat in range(4):
        for word in range(t[WORDS]):
            if d[SIZE + seat] and d[CAN + seat * t[WORDS] + word] & t[t[BOMB_SET] + word]:
                return True
    return False


@kernel
def outlook(t: Array, d: Array, me: int, room: tuple[Array, Array, Array]) -> tuple[int, int]:
    """The least and the most that the deal can be worth to the side of seat `me`; no bounds where plays
    earn points. room: for the facts of two deals, and for points.

    Whoever goes out next ends the deal. In between bombs add what `_promise` says at most, to either side.
    """
    if t[SCORING] != PLACES:
        return -FAR, FAR
    full, end, points = room
    low, high, cases = FAR, -FAR, 1
    full[:FACTS] = d[:FACTS]
    for seat in range(4):
        if d[SIZE + seat] and _promise(t, d, seat, full):
            cases = 4
    for case in range(cases):
        multiplied, paid = case & 1 == 1, case & 2 == 2
        for winner in range(4):
            if d[SIZE + winner]:
                end[:FACTS] = d[:FACTS]
                end[ORDER + d[OUT]] = winner
                end[OUT] += 1
                end[PRODUCT] = full[PRODUCT] if multiplied else d[PRODUCT]
                for seat in range(4):
                    end[BEST + seat] = full[BEST + seat] if multiplied else d[BEST + seat]
                    if is_own(t, seat, me) == paid:
                        end[PAID + seat] = full[PAID + seat]
                total = worth(t, end, me, points)
                low, high = min(low, total), max(high, total)
    return low, high


@kernel
def _promise(t: Array, d: Array, seat: int, full: Array) -> bool:
    """Credit a seat with no less than all bombs bring that it may still play; False where it has none."""
    best, pay, least = 1, 0, _LARGE
    for word in range(t[WORDS]):
        members = d[CAN + seat * t[WORDS] + word] & t[t[BOMB_SET] + word]
        while members:
            play = word * 64 + lowest_bit(members)
            members &= members - 1
            best, pay = max(best, t[t[MULTIPLIERS] + play]), max(pay, t[t[PAYS] + play])
            least = min(least, t[t[SIZES] + play])
    if least == _LARGE:
        return False
    number, grouped = d[SIZE + seat] // least, 0
    for group in range(2 * (d[FOURS + seat] + d[FIVES + seat] + number) + 2):
        best = max(best, t[t[GROUP_MULTIPLIERS] + group])
        grouped = max(grouped, t[t[GROUP_PAYS] + group])
    full[BEST + seat] = max(full[BEST + seat], best)
    full[PAID + seat] += number * pay + grouped
    for _ in range(number):
        full[PRODUCT] *= best
    return True
