"""What the seat to act knows of the cards, and what those of its hand are worth (记牌)."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.desk import (
    ABOVE_OF,
    EACH,
    EMPTY,
    FATE,
    HATS,
    LAST,
    LOW_FATE,
    MASTER,
    MEMORY,
    NEXT_FATE,
    NEXT_MASTER,
    NEXT_TOP,
    PAIR,
    SAFETY,
    SETS,
    SHARES,
    SINGLES,
    STAKES,
    SUIT_WORTHS,
    TOP_HAT,
    TOP_PAIR,
    TRACTOR,
    TRUMP,
    TRUMP_FATE,
    TRUMP_PAIR,
    TRUMP_TOP,
    UNKNOWN_KITTY,
    UNSEEN,
    UNSEEN_IN,
)
from shuangkou.fastplay.tricks.layout import (
    ATTACKERS,
    FEATS,
    GONE,
    HAND,
    HELD,
    KITTY,
    KITTY_OWNER,
    KITTY_POINTS,
    KITTY_SIZE,
    LEVEL_RANK,
    SUITED,
    TURN,
    VOID,
)
from shuangkou.fastplay.tricks.payoff import multiplier
from shuangkou.fastplay.tricks.tables import (
    DECKS,
    END,
    FACES,
    FIRST,
    PLACE,
    POINTS,
    RANK,
    SUITS,
    TIMES,
    TRUMPS,
    times_number,
)
from shuangkou.rules.tricks.options import KittyMultiplier

Array = npt.NDArray[Any]

_LAST_TRICK = times_number(KittyMultiplier.LAST_TRICK)
_POINTS_OF_LAST = 10.0
_END = 8
"""Cards in a hand from which on the last trick is thought of."""


@kernel
def see(t: Array, d: Array, x: Array, w: Array) -> None:
    """Write what the seat to act knows, and the worth of its cards."""
    _count(t, d, x, w)
    _share(d, x, w)
    for suit in range(SUITS):
        _value(t, suit, x, w)
    _stake(t, d, x)
    _keep_for_last(t, d, x, w)
    _find_hats(t, d, w)
    base = HELD + d[TURN] * FACES
    for slot in range(FACES):
        held = d[base + slot]
        x[EACH + slot] = x[SINGLES + slot] + (x[SETS + slot] * (held - 1) / held if held > 1 else 0.0)
    for suit in range(SUITS):
        x[SUIT_WORTHS + suit] = suit_worth(
            t, suit, d[base : base + FACES], x, d[SUITED + d[TURN] * SUITS + 4]
        )


@kernel
def _count(t: Array, d: Array, x: Array, w: Array) -> None:
    base, owns = HELD + d[TURN] * FACES, d[KITTY_OWNER] == d[TURN]
    for slot in range(FACES):
        left = t[DECKS] - d[base + slot]
        if owns:
            left -= d[KITTY + slot]
        if x[MEMORY] >= 0.5:
            left -= d[GONE + slot]
        w[UNSEEN + slot] = left
    for suit in range(SUITS):
        above, place, here = 0, -1, 0
        for slot in range(t[END + suit] - 1, t[FIRST + suit] - 1, -1):
            if t[PLACE + slot] != place:
                above += here
                place, here = t[PLACE + slot], 0
            w[ABOVE_OF + slot] = above
            here += w[UNSEEN + slot]
        w[UNSEEN_IN + suit] = above + here


@kernel
def _share(d: Array, x: Array, w: Array) -> None:
    for seat in range(4):
        room = 0
        for suit in range(SUITS):
            if not d[VOID + seat * SUITS + suit]:
                room += w[UNSEEN_IN + suit]
        x[SHARES + seat] = min(1.0, d[HAND + seat] / room) if room else 0.0


@kernel
def _value(t: Array, suit: int, x: Array, w: Array) -> None:
    is_trump = suit == TRUMPS
    base, beyond, step = 0.0, x[MASTER], x[NEXT_MASTER]
    if is_trump:
        base, beyond, step = x[TRUMP], x[TRUMP_TOP], x[NEXT_TOP]
    elif w[UNSEEN_IN + TRUMPS]:
        beyond *= min(1.0, x[SAFETY] + w[UNSEEN_IN + suit] / 10.0)
    pair = x[TRUMP_PAIR] if is_trump else x[PAIR]
    factor, before = 1.0, 0
    pairs_above, pairs_here, place = 0, 0, -1
    for slot in range(t[END + suit] - 1, t[FIRST + suit] - 1, -1):
        if t[PLACE + slot] != place:
            place = t[PLACE + slot]
            pairs_above += pairs_here
            pairs_here = 0
        above = w[ABOVE_OF + slot]
        while before < above:
            factor *= step
            before += 1
        fate = x[TRUMP_FATE]
        if not is_trump:
            fate = x[FATE] if above == 0 else (x[NEXT_FATE] if above == 1 else x[LOW_FATE])
        x[SINGLES + slot] = base + beyond * factor + t[POINTS + slot] * fate
        x[SETS + slot] = pair + x[TOP_PAIR] / (1 + pairs_above)
        pairs_here += w[UNSEEN + slot] > 1


@kernel
def _stake(t: Array, d: Array, x: Array) -> None:
    for pair in range(2):
        times = multiplier(t, pair + 1, 1, 1)
        if t[TIMES] == _LAST_TRICK:
            x[STAKES + pair] = (times - 1) * _POINTS_OF_LAST
        elif d[KITTY_SIZE]:
            x[STAKES + pair] = times * (d[KITTY_POINTS] if d[KITTY_OWNER] == d[TURN] else x[UNKNOWN_KITTY])
        else:
            x[STAKES + pair] = 0.0


@kernel
def _keep_for_last(t: Array, d: Array, x: Array, w: Array) -> None:
    """The highest trump of the hand, as a pair if it is one, if nothing unseen beats it."""
    size, base = d[HAND + d[TURN]], HELD + d[TURN] * FACES
    if size > _END:
        return
    nearness = x[LAST] * (1.0 - (size - 1.0) / _END)
    for slot in range(t[END + TRUMPS] - 1, t[FIRST + TRUMPS] - 1, -1):
        if d[base + slot]:
            if w[ABOVE_OF + slot] == 0:
                x[SINGLES + slot] += nearness * x[STAKES]
                x[SETS + slot] += nearness * x[STAKES + 1]
            return


@kernel
def _find_hats(t: Array, d: Array, w: Array) -> None:
    """§10.3, §10.4: cards with which the last trick is a feat, where it counts for the side of the seat."""
    w[HATS], w[TOP_HAT] = 0, -1
    is_attacking = d[TURN] & 1 == d[ATTACKERS]
    if not d[FEATS] >> is_attacking & 1:
        return
    base = HELD + d[TURN] * FACES
    for slot in range(FACES):
        if d[base + slot] and t[RANK + slot] == d[LEVEL_RANK]:
            w[HATS] += d[base + slot]
            w[TOP_HAT] = slot


@kernel
def suit_worth(t: Array, suit: int, counts: Array, x: Array, trumps: int) -> float:
    """What cards of a suit are worth together to a seat with so many trumps."""
    worth, is_empty, is_beside, is_pair, place = 0.0, True, False, False, -1
    for slot in range(t[FIRST + suit], t[END + suit]):
        if t[PLACE + slot] != place:
            is_beside = is_pair and t[PLACE + slot] == place + 1
            is_pair, place = False, t[PLACE + slot]
        held = counts[slot]
        if held:
            is_empty = False
            worth += held * x[SINGLES + slot]
            if held > 1:
                worth += (held - 1) * x[SETS + slot] + (x[TRACTOR] if is_beside else 0.0)
                is_pair = True
    return worth + x[EMPTY] if is_empty and suit != TRUMPS and trumps else worth
