"""A deal in play: what may be played, and what it does (§6), as `rules.tricks.playing`."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.duty import needed_sets
from shuangkou.fastplay.tricks.layout import (
    ATTACKERS,
    BEST,
    BEST_SUIT,
    BEST_TOP,
    BURYING,
    CHOICES,
    FACTS,
    FAILED,
    FINES,
    GONE,
    HAND,
    HELD,
    KITTY,
    KITTY_OWNER,
    KITTY_POINTS,
    KITTY_SIZE,
    LAST_ALL,
    LAST_ANY,
    LAST_COPIES,
    LAST_LENGTH,
    LAST_POINTS,
    LAST_TRUMP,
    LEAD,
    LEADER,
    LED,
    LED_PAIRS,
    LED_SIZE,
    LEFT,
    LEVEL_RANK,
    MADE,
    NUMBER,
    OUT,
    OVER,
    PAIRLESS,
    SUITED,
    TAKEN,
    TRICK_POINTS,
    TRICKS,
    TURN,
    UNIT,
    UNITS,
    VOID,
    WINNER,
)
from shuangkou.fastplay.tricks.tables import (
    CHOOSE,
    FACES,
    FINE,
    PLACE,
    POINTS,
    RANK,
    SUIT,
    SUITS,
    THROWS,
    TRUMPS,
)
from shuangkou.fastplay.tricks.units import add_unit, best_top, decompose, highest_top

Array = npt.NDArray[Any]


@kernel
def begin(t: Array, d: Array, leader: int, attackers: int) -> None:
    """The start of play: hands and kitty are in HELD and KITTY; all else is set here."""
    d[:FACTS] = 0
    d[TURN], d[LEADER], d[BEST], d[WINNER] = leader, leader, leader, -1
    d[ATTACKERS], d[KITTY_OWNER], d[LEVEL_RANK] = attackers, -1, -1
    d[GONE : GONE + FACES] = 0
    d[LEAD : LEAD + FACES] = 0
    d[VOID : PAIRLESS + 4 * SUITS] = 0
    for slot in range(FACES):
        d[KITTY_POINTS] += d[KITTY + slot] * t[POINTS + slot]
        d[KITTY_SIZE] += d[KITTY + slot]
    for seat in range(4):
        count_suits(t, d, seat)


@kernel
def count_suits(t: Array, d: Array, seat: int) -> None:
    """Set the numbers of cards of a seat by what it holds."""
    d[HAND + seat] = 0
    d[SUITED + seat * SUITS : SUITED + (seat + 1) * SUITS] = 0
    for slot in range(FACES):
        number = d[HELD + seat * FACES + slot]
        d[HAND + seat] += number
        d[SUITED + seat * SUITS + t[SUIT + slot]] += number


@kernel
def bury(t: Array, d: Array, cards: Array) -> None:
    """The seat to act lays these cards of its hand down as the kitty (§4), and LEADER is to lead."""
    base = HELD + d[TURN] * FACES
    d[KITTY_POINTS] = 0
    for slot in range(FACES):
        d[base + slot] -= cards[slot]
        d[KITTY + slot] = cards[slot]
        d[KITTY_POINTS] += cards[slot] * t[POINTS + slot]
    count_suits(t, d, d[TURN])
    d[BURYING], d[TURN] = 0, d[LEADER]


@kernel
def is_legal_lead(t: Array, d: Array, cards: Array, w: Array) -> bool:
    """§6.1: cards of the hand, of one suit, and one unit where there are no throws."""
    suit, total, seat = -1, 0, d[TURN]
    for slot in range(FACES):
        if cards[slot]:
            if (suit >= 0 and t[SUIT + slot] != suit) or cards[slot] > d[HELD + seat * FACES + slot]:
                return False
            suit = t[SUIT + slot]
            total += cards[slot]
    if not total:
        return False
    return t[THROWS] == 1 or decompose(t, suit, cards, w[OUT:], w[LEFT : LEFT + FACES]) == 1


@kernel
def _spend(t: Array, d: Array, seat: int, cards: Array) -> int:
    """The cards leave the hand; their points. What is not known to be held is only gone."""
    points = 0
    for slot in range(FACES):
        number = cards[slot]
        if number:
            d[GONE + slot] += number
            d[HELD + seat * FACES + slot] -= number
            d[SUITED + seat * SUITS + t[SUIT + slot]] -= number
            d[HAND + seat] -= number
            points += number * t[POINTS + slot]
    return points


@kernel
def lead(t: Array, d: Array, cards: Array, w: Array) -> None:
    """The seat to act leads these cards, whatever others hold."""
    seat, slot = d[TURN], 0
    while not cards[slot]:
        slot += 1
    suit = t[SUIT + slot]
    d[LEAD : LEAD + FACES] = cards
    d[UNITS] = decompose(t, suit, cards, d[UNIT:], w[LEFT : LEFT + FACES])
    before = d[HAND + seat]
    d[TRICK_POINTS] = _spend(t, d, seat, cards)
    d[LEADER], d[BEST], d[BEST_SUIT], d[BEST_TOP] = seat, seat, suit, d[UNIT + 2]
    d[LED], d[LED_SIZE], d[NUMBER] = suit, before - d[HAND + seat], 1
    d[LED_PAIRS] = needed_sets(d, 2)
    d[FAILED] = 0
    if d[HAND + seat] == 0:
        _note_last(t, d, cards)
    d[TURN] = (seat + 1) & 3


@kernel
def try_lead(t: Array, d: Array, cards: Array, w: Array) -> None:
    """The seat to act leads these cards, or what a failed throw leaves (§6.2 to §6.5)."""
    slot = 0
    while not cards[slot]:
        slot += 1
    suit = t[SUIT + slot]
    number = decompose(t, suit, cards, w[OUT:], w[LEFT : LEFT + FACES])
    if number == 1:
        lead(t, d, cards, w)
        return
    blocked = mark_blocked(t, d, suit, number, w)
    if not blocked:
        lead(t, d, cards, w)
        return
    d[FINES + (d[TURN] & 1)] += t[FINE] * blocked
    d[LEAD : LEAD + FACES] = cards
    d[LED] = suit
    d[CHOICES] = _choices(number, w)
    if t[CHOOSE] and d[CHOICES] > 1:
        d[FAILED], d[LEADER] = 1, d[TURN]
        d[TURN] = (d[TURN] + 1) & 3
        return
    _lead_lowest(t, d, _fewest(number, w, 0), number, w)


@kernel
def mark_blocked(t: Array, d: Array, suit: int, number: int, w: Array) -> int:
    """Mark the units of a throw that other hands can beat; how many cards they are."""
    cards, copies, length, best = 0, 0, 0, 0
    for u in range(OUT, OUT + 4 * number, 4):
        if w[u] != copies or w[u + 1] != length:
            copies, length, best = w[u], w[u + 1], 0
            for step in range(1, 4):
                other = HELD + ((d[TURN] + step) & 3) * FACES
                best = max(best, highest_top(t, suit, d[other : other + FACES], copies, length))
        if w[u + 2] < best:
            cards += copies * length
            w[u] = -copies
    return cards


@kernel
def _fewest(number: int, w: Array, only_copies: int) -> int:
    """The blocked unit of the fewest cards, then of the fewest copies; only of so many copies at one
    place, where they are named. -1 for none."""
    best = -1
    for u in range(OUT, OUT + 4 * number, 4):
        if w[u] >= 0 or (only_copies and (w[u] != -only_copies or w[u + 1] != 1)):
            continue
        size = -w[u] * w[u + 1]
        if best < 0 or size < -w[best] * w[best + 1] or (size == -w[best] * w[best + 1] and w[u] > w[best]):
            best = u
    return best


@kernel
def _choices(number: int, w: Array) -> int:
    """How many sets of one place are blocked, by their copies; one tractor where there are none."""
    found = 0
    for copies in range(1, 5):
        found += _fewest(number, w, copies) >= 0
    return max(1, found)


@kernel
def _lead_lowest(t: Array, d: Array, like: int, number: int, w: Array) -> None:
    """Lead the lowest unit of the throw that has the shape of this one."""
    copies, length, low = abs(w[like]), w[like + 1], like
    for u in range(OUT, OUT + 4 * number, 4):
        if abs(w[u]) == copies and w[u + 1] == length:
            is_lower = w[u + 2] < w[low + 2] or (w[u + 2] == w[low + 2] and w[u + 3] < w[low + 3])
            low = u if is_lower else low
    w[low] = copies
    made = w[MADE : MADE + FACES]
    made[:] = 0
    add_unit(t, d[LED], w[low : low + 4], made, 1)
    lead(t, d, made, w)


@kernel
def name_shape(t: Array, d: Array, copies: int, w: Array) -> None:
    """§6.5: the opponents of a failed throw name sets of so many copies."""
    d[TURN] = d[LEADER]
    cards = w[MADE : MADE + FACES]
    cards[:] = d[LEAD : LEAD + FACES]
    number = decompose(t, d[LED], cards, w[OUT:], w[LEFT : LEFT + FACES])
    mark_blocked(t, d, d[LED], number, w)
    _lead_lowest(t, d, _fewest(number, w, copies), number, w)


@kernel
def blocked_copies(t: Array, d: Array, into: Array, w: Array) -> int:
    """Write what may be named for a failed throw, the fewest copies first; how many that are."""
    number = decompose(t, d[LED], d[LEAD : LEAD + FACES], w[OUT:], w[LEFT : LEFT + FACES])
    turn, found = d[TURN], 0
    d[TURN] = d[LEADER]
    mark_blocked(t, d, d[LED], number, w)
    d[TURN] = turn
    for copies in range(1, 5):
        if _fewest(number, w, copies) >= 0:
            into[found] = copies
            found += 1
    return found


@kernel
def strength(t: Array, d: Array, cards: Array, w: Array) -> int:
    """§6.8: the best top of a follow as the key of the led shape, 0 where it cannot win by its suit or shape;
    trumps on a plain suit count PLACES more."""
    suit, highest = -1, 0
    for slot in range(FACES):
        if cards[slot]:
            if suit >= 0 and t[SUIT + slot] != suit:
                return 0
            suit = t[SUIT + slot]
            highest = t[PLACE + slot]
    is_ruff = suit == TRUMPS and d[LED] != TRUMPS
    if not is_ruff and (suit != d[LED] or d[UNITS] > 1):
        return 0
    if d[UNIT] > 1:
        if d[UNITS] == 1 and d[UNIT + 1] == 1:
            highest = highest_top(t, suit, cards, d[UNIT], 1)
        else:
            highest = best_top(t, suit, cards, d[UNIT:], d[UNITS], w)
    return highest + ABOVE if is_ruff and highest else highest


ABOVE = 64
"""What a ruff has more than any place."""


@kernel
def standing(d: Array) -> int:
    """The strength of the play that takes the trick so far."""
    is_ruff = d[BEST_SUIT] == TRUMPS and d[LED] != TRUMPS
    return d[BEST_TOP] + ABOVE if is_ruff else d[BEST_TOP]


@kernel
def follow(t: Array, d: Array, cards: Array, w: Array) -> None:
    """The seat to act follows with these cards; nothing is checked."""
    seat = d[TURN]
    found = strength(t, d, cards, w)
    _note_lacks(t, d, seat, cards)
    d[TRICK_POINTS] += _spend(t, d, seat, cards)
    d[NUMBER] += 1
    if found > standing(d):
        d[BEST], d[BEST_TOP] = seat, found & (ABOVE - 1)
        d[BEST_SUIT] = TRUMPS if found > ABOVE else d[LED]
        if d[HAND + seat] == 0:
            _note_last(t, d, cards)
    if d[NUMBER] < 4:
        d[TURN] = (seat + 1) & 3
        return
    d[TAKEN + (d[BEST] & 1)] += d[TRICK_POINTS]
    d[TURN], d[LEADER], d[WINNER], d[NUMBER] = d[BEST], d[BEST], d[BEST], 0
    d[TRICKS] += 1
    if d[HAND + seat] == 0:
        d[OVER] = 1
        d[LAST_COPIES], d[LAST_LENGTH] = d[UNIT], d[UNIT + 1]
        d[LAST_TRUMP], d[LAST_POINTS] = d[BEST_SUIT] == TRUMPS, d[TRICK_POINTS]


@kernel
def _note_lacks(t: Array, d: Array, seat: int, cards: Array) -> None:
    """§6.6 read backwards: who does not follow a suit has none left, who does not pair it no pair."""
    own, pairs = 0, 0
    for slot in range(FACES):
        if cards[slot] and t[SUIT + slot] == d[LED]:
            own += cards[slot]
            pairs += cards[slot] // 2
    if own < d[LED_SIZE]:
        d[VOID + seat * SUITS + d[LED]] = 1
        d[PAIRLESS + seat * SUITS + d[LED]] = 1
    elif pairs < d[LED_PAIRS]:
        d[PAIRLESS + seat * SUITS + d[LED]] = 1


@kernel
def _note_last(t: Array, d: Array, cards: Array) -> None:
    """Whether these cards, which take the last trick, are of the level's rank."""
    d[LAST_ANY], d[LAST_ALL] = 0, 1
    for slot in range(FACES):
        if cards[slot]:
            is_level = t[RANK + slot] == d[LEVEL_RANK]
            d[LAST_ANY] |= is_level
            d[LAST_ALL] &= is_level


@kernel
def play(t: Array, d: Array, cards: Array, w: Array) -> None:
    """The seat to act leads or follows with these cards."""
    if d[NUMBER]:
        follow(t, d, cards, w)
    else:
        try_lead(t, d, cards, w)
