"""Whole deals by chance, to measure the core and to compare it with `rules`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import below
from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.deal import begin, blocked_copies, is_legal_lead, name_shape, play
from shuangkou.fastplay.tricks.duty import is_legal_follow, make_follow, owe
from shuangkou.fastplay.tricks.layout import (
    FACTS,
    FAILED,
    HAND,
    HELD,
    KITTY,
    LEFT,
    NUMBER,
    OUT,
    OVER,
    SUITED,
    TURN,
)
from shuangkou.fastplay.tricks.payoff import SETTLED, settle
from shuangkou.fastplay.tricks.tables import DECKS, FACES, SUIT, SUITS, THROWS
from shuangkou.fastplay.tricks.units import add_unit, decompose

Array = npt.NDArray[Any]
SAMPLES = 4
"""Sets of cards that are judged beside each act."""
NAMED = FACES
"""Where a recorded act has the copies of a shape that it names, 0 for cards that it plays."""


@kernel
def random_cards(d: Array, stream: Array, pool: tuple[int, int], number: int, into: Array) -> None:
    """So many cards of a seat, each equally likely; only of one suit, given by its first slot and its end."""
    first, end = pool
    hand = d[HELD + d[TURN] * FACES : HELD + (d[TURN] + 1) * FACES]
    into[:] = 0
    total = 0
    for slot in range(first, end):
        total += hand[slot]
    for _ in range(min(number, total)):
        chosen = below(stream, total)
        for slot in range(first, end):
            chosen -= hand[slot] - into[slot]
            if chosen < 0:
                into[slot] += 1
                break
        total -= 1


@kernel
def _random_lead(t: Array, d: Array, stream: Array, into: Array, w: Array) -> None:
    """Some units of a suit, or any cards of it where they may be thrown."""
    seat = d[TURN]
    chosen = below(stream, d[HAND + seat])
    suit = 0
    while chosen >= d[SUITED + seat * SUITS + suit]:
        chosen -= d[SUITED + seat * SUITS + suit]
        suit += 1
    first, end = 0, FACES
    for slot in range(FACES):
        first = first if t[SUIT + slot] >= suit else slot + 1
        end = end if t[SUIT + slot] <= suit else min(end, slot)
    if t[THROWS] and below(stream, 4) == 0:
        random_cards(d, stream, (first, end), 1 + below(stream, 5), into)
        return
    hand = d[HELD + seat * FACES : HELD + (seat + 1) * FACES]
    into[:] = 0
    into[first:end] = hand[first:end]
    units = w[OUT:]
    number = decompose(t, suit, into, units, w[LEFT : LEFT + FACES])
    into[:] = 0
    for _ in range(1 + (below(stream, 3) if t[THROWS] else 0)):
        u = 4 * below(stream, number)
        if units[u]:
            add_unit(t, suit, units[u : u + 4], into, 1)
            units[u] = 0


@kernel
def random_play(t: Array, d: Array, stream: Array, into: Array, w: Array) -> None:
    """Write a legal play by chance."""
    if d[NUMBER] == 0:
        _random_lead(t, d, stream, into, w)
        return
    taste = np.empty(FACES, dtype=np.float64)
    for slot in range(FACES):
        taste[slot] = below(stream, 1000)
    owe(t, d, d[TURN], w)
    make_follow(t, taste, into, w)


@kernel
def _sample(t: Array, d: Array, stream: Array, record: tuple[Array, Array], w: Array) -> None:
    """Judge some sets of cards of the hand, most of them near to a legal play."""
    samples, verdicts = record
    for number in range(SAMPLES):
        cards = samples[number]
        random_play(t, d, stream, cards, w)
        if number % 2:
            size = 0
            for slot in range(FACES):
                size += cards[slot]
            random_cards(d, stream, (0, FACES), size, cards)
        elif number:
            _exchange(d, stream, cards)
        if d[NUMBER]:
            owe(t, d, d[TURN], w)
            verdicts[number] = is_legal_follow(t, d, cards, w)
        else:
            verdicts[number] = is_legal_lead(t, d, cards, w)


@kernel
def _exchange(d: Array, stream: Array, cards: Array) -> None:
    """One card for another one of the hand."""
    base = HELD + d[TURN] * FACES
    for _ in range(40):
        give, take = below(stream, FACES), below(stream, FACES)
        if cards[give] and d[base + take] > cards[take]:
            cards[give] -= 1
            cards[take] += 1
            return


@kernel
def record_deal(t: Array, d: Array, stream: Array, acts: Array, seen: tuple[Array, Array, Array]) -> int:
    """Play a begun deal to its end by chance; how many acts it had.

    acts: gets each, by slot. seen: get sets of cards with verdicts on them, and the facts before each act.
    """
    samples, verdicts, facts = seen
    w, named = np.zeros(4096, dtype=np.int64), np.zeros(8, dtype=np.int64)
    count = 0
    while not d[OVER]:
        facts[count] = d[:FACTS]
        acts[count, NAMED] = 0
        if d[FAILED]:
            number = blocked_copies(t, d, named, w)
            acts[count, NAMED] = named[below(stream, number)]
            name_shape(t, d, acts[count, NAMED], w)
        else:
            _sample(t, d, stream, (samples[count], verdicts[count]), w)
            random_play(t, d, stream, acts[count, :FACES], w)
            play(t, d, acts[count, :FACES], w)
        count += 1
    return count


@kernel
def deal_out(d: Array, stream: Array, kitty: int, deck: Array) -> None:
    """Shuffle the slots of a deck and give each seat as many of them."""
    for place in range(len(deck) - 1, 0, -1):
        other = below(stream, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    d[HELD : HELD + 4 * FACES] = 0
    d[KITTY : KITTY + FACES] = 0
    for place in range(kitty):
        d[KITTY + deck[place]] += 1
    for place in range(kitty, len(deck)):
        d[HELD + (place & 3) * FACES + deck[place]] += 1


@kernel
def play_random_deals(t: Array, s: Array, stream: Array, kitty: int, number: int, w: Array) -> int:
    """Deal, play and settle so many deals by chance; the sum of their scores."""
    deck = np.empty(FACES * t[DECKS], dtype=np.int64)
    for place in range(len(deck)):
        deck[place] = place % FACES
    d, cards = np.zeros(2048, dtype=np.int64), np.zeros(FACES, dtype=np.int64)
    out, named = np.zeros(SETTLED, dtype=np.int64), np.zeros(8, dtype=np.int64)
    total = 0
    for _ in range(number):
        deal_out(d, stream, kitty, deck)
        begin(t, d, below(stream, 4), below(stream, 2))
        while not d[OVER]:
            if d[FAILED]:
                choices = blocked_copies(t, d, named, w)
                name_shape(t, d, named[below(stream, choices)], w)
            else:
                random_play(t, d, stream, cards, w)
                play(t, d, cards, w)
        settle(t, s, d, out)
        total += out[0] + out[1]
    return total
