"""Whole deals by chance, to measure the core and to compare it with `rules`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.bits import count_bits, lowest_bit
from shuangkou.fastplay.chance import below
from shuangkou.fastplay.climbing.deal import act, begin, legal_flushes, legal_plays, may_pass
from shuangkou.fastplay.climbing.layout import (
    ACTS,
    CAN,
    FACTS,
    HELD,
    MASKS,
    MAY_PASS,
    OVER,
    PASS,
)
from shuangkou.fastplay.climbing.payoff import settle
from shuangkou.fastplay.climbing.tables import PLAYERS, STRIDE, WORDS
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]
MOST_FLUSHES = 8192


@kernel
def member(words: Array, number: int) -> int:
    """The play with this number among the members of a set, from 0."""
    for word in range(len(words)):
        members = words[word]
        here = count_bits(members)
        if number < here:
            for _ in range(number):
                members &= members - 1
            return word * 64 + lowest_bit(members)
        number -= here
    return PASS


@kernel
def random_act(t: Array, d: Array, stream: Array, legal: Array, flushes: Array) -> int:
    """One of the legal acts, each equally likely; writes them."""
    plays = legal_plays(t, d, legal)
    flush = legal_flushes(t, d, flushes)
    passes = 1 if may_pass(t, d) else 0
    chosen = below(stream, plays + flush + passes)
    if chosen < plays:
        return member(legal, chosen)
    return flushes[chosen - plays] if chosen < plays + flush else PASS


@kernel
def record_deal(t: Array, d: Array, stream: Array, acts: Array, seen: tuple[Array, Array, Array]) -> int:
    """Play a begun deal to its end by chance; how many acts it had.

    acts: gets, for each, the cards with their number and the act itself last. seen: get the legal plays, the
    legal flushes and the facts before each act.
    """
    legal, flushes, facts = seen
    number = 0
    while not d[OVER]:
        d[MAY_PASS] = may_pass(t, d)
        facts[number] = d[:FACTS]
        flushes[number, :] = 0
        chosen = random_act(t, d, stream, legal[number], flushes[number])
        acts[number, -2] = act(t, d, chosen, acts[number])
        acts[number, -1] = chosen
        number += 1
    return number


@kernel
def deal_cards(t: Array, d: Array, hand_size: int, stream: Array, deck: Array) -> None:
    """Shuffle as many cards of the deck as are dealt, and give them to the seats in turn."""
    d[HELD:CAN] = 0
    for place in range(hand_size * t[PLAYERS]):
        other = place + below(stream, len(deck) - place)
        card = deck[other]
        deck[other], deck[place] = deck[place], card
        seat = place % t[PLAYERS]
        d[HELD + seat * STRIDE + (card >> 2)] += 1
        d[MASKS + seat * STRIDE + (card >> 2)] |= 1 << (card & 3)


@kernel
def play_random_deals(t: Array, d: Array, hand_size: int, deals: int, stream: Array, deck: Array) -> int:
    """Deal, play by chance and settle so many deals; how many acts they had. deck: rank * 4 + suit."""
    legal = np.zeros(t[WORDS], dtype=np.int64)
    flushes = np.zeros(MOST_FLUSHES, dtype=np.int64)
    cards, points = np.zeros(64, dtype=np.int64), np.zeros(4, dtype=np.int64)
    total = 0
    for _ in range(deals):
        deal_cards(t, d, hand_size, stream, deck)
        begin(t, d, below(stream, t[PLAYERS]))
        while not d[OVER]:
            act(t, d, random_act(t, d, stream, legal, flushes), cards)
        settle(t, d, points)
        total += d[ACTS]
    return total
