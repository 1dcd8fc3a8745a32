"""What a hand could lead, which cards a play takes, and what is left (§3)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.bits import lowest_bit
from shuangkou.fastplay.climbing.layout import (
    CAN,
    FLUSH,
    FLUSH_SUIT,
    GONE,
    HELD,
    MASKS,
    SIZE,
    SUIT_COUNT,
)
from shuangkou.fastplay.climbing.plays import Pick
from shuangkou.fastplay.climbing.tables import (
    BY_CARD,
    COUNTS_OF,
    FITS,
    LACK_ONE,
    LACK_TWO,
    PARTS,
    PICKS,
    PLACES_OF,
    RANKS,
    STRIDE,
    SUITS,
    USING,
    VALUES,
    WILD,
    WORDS,
)
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]

_ANY, _CARD, _BEST, _ONE_SUIT, _MIXED = (int(pick) for pick in Pick)


@kernel
def find_plays(t: Array, d: Array, seat: int) -> None:
    """Set what a seat could lead by its hand."""
    wild, words = t[WILD], t[WORDS]
    if wild >= 0 and d[HELD + seat * STRIDE + wild] > 0:
        _find_wild(t, d, seat)
        return
    hand = (MASKS if t[BY_CARD] else HELD) + seat * STRIDE
    can, fits, step = CAN + seat * words, t[FITS], t[VALUES] * words
    for word in range(words):
        d[can + word] = t[fits + d[hand] * words + word]
    for rank in range(1, t[RANKS]):
        fits += step
        fit = fits + d[hand + rank] * words
        for word in range(words):
            d[can + word] &= t[fit + word]
    if t[BY_CARD]:
        _drop_forced_flushes(t, d, seat)


@kernel
def _find_wild(t: Array, d: Array, seat: int) -> None:
    """As `rules.climbing.wild_fits`: rows that lack at most 0, 1 or 2 cards, rank by rank."""
    wild, words, hand = t[WILD], t[WORDS], HELD + seat * STRIDE
    step = t[VALUES] * words
    using, can = t[USING], CAN + seat * words
    for word in range(words):
        none, one, two = np.int64(-1), np.int64(-1), np.int64(-1)
        for rank in range(wild):
            at = rank * step + d[hand + rank] * words + word
            zero, upto_one = t[t[FITS] + at], t[t[LACK_ONE] + at]
            two = two & zero | one & upto_one | none & t[t[LACK_TWO] + at]
            one = one & zero | none & upto_one
            none &= zero
        unused, once, twice = t[using + word], t[using + words + word], t[using + 2 * words + word]
        if d[hand + wild] == 1:
            d[can + word] = one & unused | none & once
        else:
            d[can + word] = two & unused | one & once | none & twice


@kernel
def _drop_forced_flushes(t: Array, d: Array, seat: int) -> None:
    """A straight of mixed suits cannot be made where each rank has but one card, all of one suit."""
    for word in range(t[WORDS]):
        members = d[CAN + seat * t[WORDS] + word]
        while members:
            bit = members & -members
            members ^= bit
            play = word * 64 + lowest_bit(bit)
            if t[t[PICKS] + play] == _MIXED and not _can_mix(t, d, seat, play):
                d[CAN + seat * t[WORDS] + word] &= ~bit


@kernel
def _can_mix(t: Array, d: Array, seat: int, play: int) -> bool:
    masks, parts = MASKS + seat * STRIDE, t[PLACES_OF] + play * STRIDE
    first = d[masks + t[parts]]
    if first & (first - 1):
        return True
    others = 0
    for part in range(1, t[t[PARTS] + play]):
        others += d[masks + t[parts + part]] != first
    return others > 0


@kernel
def spend(t: Array, d: Array, seat: int, play: int, cards: Array) -> int:
    """Write what a play takes from a hand as rank * 4 + suits, or as rank where only ranks count, in the
    order of ranks, wild cards last; how many cards. Natural cards first; low suits where they do not matter.
    """
    number = 0
    if play >= FLUSH:
        suit = play >> FLUSH_SUIT & 3
        for rank in range(t[RANKS]):
            if play >> rank & 1:
                cards[number] = rank * SUIT_COUNT + suit
                number += 1
        return number
    if t[BY_CARD]:
        return _spend_by_card(t, d, seat, play, cards)
    lacking = 0
    for part in range(t[t[PARTS] + play]):
        rank, need = t[t[PLACES_OF] + play * STRIDE + part], t[t[COUNTS_OF] + play * STRIDE + part]
        if t[WILD] >= 0 and rank != t[WILD] and need > d[HELD + seat * STRIDE + rank]:
            lacking += need - d[HELD + seat * STRIDE + rank]
            need = d[HELD + seat * STRIDE + rank]
        for _ in range(need):
            cards[number] = rank
            number += 1
    for _ in range(lacking):
        cards[number] = t[WILD]
        number += 1
    return number


@kernel
def _spend_by_card(t: Array, d: Array, seat: int, play: int, cards: Array) -> int:
    number, pick, suit = 0, t[t[PICKS] + play], t[t[SUITS] + play]
    last = t[t[PARTS] + play] - 1
    for part in range(t[t[PARTS] + play]):
        rank, need = t[t[PLACES_OF] + play * STRIDE + part], t[t[COUNTS_OF] + play * STRIDE + part]
        left = d[MASKS + seat * STRIDE + rank]
        if pick in (_CARD, _ONE_SUIT) or (pick == _BEST and part == last):
            cards[number] = rank * SUIT_COUNT + suit
            number, need = number + 1, need - 1
            left &= -1 << (suit + 1)
        for low in range(SUIT_COUNT):
            own = SUIT_COUNT - 1 - low
            if need > 0 and left >> own & 1:
                cards[number] = rank * SUIT_COUNT + own
                number, need = number + 1, need - 1
    if pick == _MIXED:
        _mix(d, seat, cards, number)
    return number


@kernel
def _mix(d: Array, seat: int, cards: Array, number: int) -> None:
    """Exchange a card for one of another suit where all are of one."""
    suit = cards[0] % SUIT_COUNT
    for place in range(1, number):
        if cards[place] % SUIT_COUNT != suit:
            return
    for place in range(number):
        rank = cards[place] // SUIT_COUNT
        others = d[MASKS + seat * STRIDE + rank] & ~(1 << suit)
        if others:
            cards[place] = rank * SUIT_COUNT + lowest_bit(others)
            return


@kernel
def take_cards(t: Array, d: Array, seat: int, cards: Array, number: int) -> None:
    """The cards leave the hand and are gone."""
    was_wild = t[WILD] >= 0 and d[HELD + seat * STRIDE + t[WILD]] > 0
    for place in range(number):
        rank = cards[place]
        if t[BY_CARD]:
            rank = cards[place] // SUIT_COUNT
            d[MASKS + seat * STRIDE + rank] &= ~(1 << cards[place] % SUIT_COUNT)
        d[HELD + seat * STRIDE + rank] -= 1
        d[GONE + rank] += 1
    d[SIZE + seat] -= number
    if was_wild or t[BY_CARD]:
        find_plays(t, d, seat)
        return
    words = t[WORDS]
    before = -1
    for place in range(number):
        rank = cards[place]
        if rank != before:
            before = rank
            fit = t[FITS] + (rank * t[VALUES] + d[HELD + seat * STRIDE + rank]) * words
            for word in range(words):
                d[CAN + seat * words + word] &= t[fit + word]
