"""What a play is worth in its trick: who is likely to win it, and what then."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.deal import ABOVE
from shuangkou.fastplay.tricks.desk import (
    ABOVE_OF,
    DRAW,
    EMPTY,
    FURTHER,
    HAT,
    HATS,
    OVER_AGAIN,
    PARTNER_VOID,
    REST,
    SETS,
    SHARES,
    SINGLES,
    SUIT_WORTHS,
    TRACTOR,
    UNSEEN,
    UNSEEN_IN,
    WILLING,
)
from shuangkou.fastplay.tricks.layout import (
    HELD,
    LEVEL_RANK,
    NUMBER,
    PAIRLESS,
    SUITED,
    TURN,
    VOID,
)
from shuangkou.fastplay.tricks.sight import suit_worth
from shuangkou.fastplay.tricks.tables import (
    END,
    FACES,
    LENGTH,
    PLACE,
    PLACES,
    POINTS,
    RANK,
    START,
    STOP,
    SUIT,
    SUITS,
    TRUMPS,
)
from shuangkou.fastplay.tricks.units import holds_at

Array = npt.NDArray[Any]
Case = tuple[int, int, int, int]

_SURELY_NOT = 0.001
_SPARE_HAT = 0.25
"""What a further card that could wear a hat is worth, of the one before."""


@kernel
def cost(t: Array, d: Array, cards: Array, x: Array, w: Array) -> float:
    """What the hand loses when these cards leave it."""
    base, lost, suit, hats = HELD + d[TURN] * FACES, 0.0, -1, 0
    trumps, left = d[SUITED + d[TURN] * SUITS + TRUMPS], w[REST : REST + FACES]
    for slot in range(FACES):
        if not cards[slot]:
            continue
        if w[HATS] and t[RANK + slot] == d[LEVEL_RANK]:
            hats += cards[slot]
        if t[SUIT + slot] == suit:
            continue
        suit = t[SUIT + slot]
        for other in range(slot, t[END + suit]):
            left[other] = d[base + other] - cards[other]
        for other in range(t[END + suit] - 1, -1, -1):
            if t[SUIT + other] != suit:
                break
            left[other] = d[base + other] - cards[other]
        lost += x[SUIT_WORTHS + suit] - suit_worth(t, suit, left, x, trumps)
    if hats:
        lost += hat_cost(w, x, hats)
    return lost


@kernel
def hat_cost(w: Array, x: Array, hats: int) -> float:
    """Of parting with so many of the cards that could wear a hat; the last of them is worth most."""
    return x[HAT] * (_SPARE_HAT ** (w[HATS] - hats) - _SPARE_HAT ** w[HATS])


@kernel
def _holds(
    t: Array, d: Array, case: tuple[int, int, int], shape: tuple[int, int], x: Array, w: Array
) -> float:
    """That a seat holds a unit of this shape with a higher top. case: seat, suit, top."""
    seat, suit, top = case
    copies, length = shape
    if d[VOID + seat * SUITS + suit]:
        return 0.0
    share = x[SHARES + seat]
    if copies == 1:
        at = suit * PLACES + top
        above = w[UNSEEN_IN + suit] if top <= 0 else w[ABOVE_OF + t[START + at]]
        return 1.0 - (1.0 - share) ** above
    if d[PAIRLESS + seat * SUITS + suit]:
        return 0.0
    none, row, chance = 1.0, 0, 1.0
    for place in range(max(1, top - length + 2), t[LENGTH + suit]):
        at, ways = suit * PLACES + place, 0.0
        for slot in range(t[START + at], t[STOP + at]):
            ways = max(ways, _choose(w[UNSEEN + slot], copies))
        if length == 1:
            none *= 1.0 - min(1.0, ways * share**copies)
            continue
        row = row + 1 if ways else 0
        chance = min(1.0, ways * share**copies) if row else 0.0
        if row >= length:
            none *= 1.0 - chance**length
    return 1.0 - none


@kernel
def _choose(number: int, copies: int) -> float:
    """Ways to take so many of a number of cards."""
    ways = 1.0
    for taken in range(copies):
        ways = ways * (number - taken) / (taken + 1)
    return max(0.0, ways)


@kernel
def beat_chance(t: Array, d: Array, case: Case, shape: tuple[int, int], x: Array, w: Array) -> float:
    """That a seat beats what takes the trick. case: seat, units of the lead, strength, suit led."""
    seat, number, strength, suit = case
    further, void = x[FURTHER] ** (number - 1), 1.0
    if suit != TRUMPS and not d[VOID + seat * SUITS + suit]:
        void = (1.0 - x[SHARES + seat]) ** w[UNSEEN_IN + suit]
    unbeaten = 1.0
    for is_ruff in range(2):
        if is_ruff and (suit == TRUMPS or void < _SURELY_NOT):
            continue
        if not is_ruff and (number > 1 or strength > ABOVE):
            continue
        top = max(0, strength - ABOVE) if is_ruff else strength
        holds = _holds(t, d, (seat, TRUMPS if is_ruff else suit, top), shape, x, w)
        unbeaten *= 1.0 - (void * further * holds if is_ruff else holds)
    return 1.0 - unbeaten


@kernel
def side_wins(t: Array, d: Array, case: Case, shape: tuple[int, int], x: Array, w: Array) -> float:
    """That the side of the seat to act gets the trick. case: whose play takes it, units led, strength,
    suit led."""
    owner, number, strength, suit = case
    seat = d[TURN]
    own = 1.0 if (owner ^ seat) & 1 == 0 else 0.0
    unbeaten = 1.0
    for step in range(1, 4 - d[NUMBER]):
        other = (seat + step) & 3
        beats = x[WILLING] * beat_chance(t, d, (other, number, strength, suit), shape, x, w)
        beats *= 1.0 - x[OVER_AGAIN] * (1.0 - unbeaten)
        own = own + (1.0 - own) * beats if step == 2 else own * (1.0 - beats)
        unbeaten *= 1.0 - beats
    return own


@kernel
def face_cost(t: Array, d: Array, slot: int, copies: int, x: Array, w: Array) -> float:
    """What the hand loses when so many copies of a face leave it."""
    seat, suit, place = d[TURN], t[SUIT + slot], t[PLACE + slot]
    base = HELD + seat * FACES
    held = d[base + slot]
    lost = copies * x[SINGLES + slot] + (max(held - 1, 0) - max(held - copies - 1, 0)) * x[SETS + slot]
    if held > 1 and held - copies < 2:
        for near in (place - 1, place + 1):
            at = suit * PLACES + near
            if near > 0 and near < t[LENGTH + suit] and holds_at(t, d[base : base + FACES], at, 2):
                lost += x[TRACTOR]
    if suit != TRUMPS and d[SUITED + seat * SUITS + suit] == copies and d[SUITED + seat * SUITS + TRUMPS]:
        lost -= x[EMPTY]
    if w[HATS] and t[RANK + slot] == d[LEVEL_RANK]:
        lost += hat_cost(w, x, copies)
    return lost


@kernel
def points_in(t: Array, cards: Array) -> int:
    """Of cards by slot."""
    points = 0
    for slot in range(FACES):
        points += cards[slot] * t[POINTS + slot]
    return points


@kernel
def lead_bonus(d: Array, suit: int, size: int, x: Array, w: Array) -> float:
    """What a lead of a suit brings besides: trumps that are drawn, and a partner that can ruff."""
    seat = d[TURN]
    if suit == TRUMPS:
        surplus = d[SUITED + seat * SUITS + TRUMPS] - w[UNSEEN_IN + TRUMPS] / 3.0
        return x[DRAW] * size * surplus
    partner = seat ^ 2
    ruffs = d[VOID + partner * SUITS + suit] and not d[VOID + partner * SUITS + TRUMPS]
    return x[PARTNER_VOID] if ruffs else 0.0
