"""How the unseen cards may lie, by what the seats have done: exact chances of how many each holds of a rank.

A small net, trained on deals of the rule policy (`learning`), reads the evidence of one seat and one rank and
says how much likelier each number of cards is than by chance. These factors and the sizes of the hands make
one distribution of all hands, which is summed up rank by rank, so that hands can be drawn from it exactly.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import below, uniform
from shuangkou.fastplay.climbing.evidence import COUNTED, MADE, PASSED, RUNS
from shuangkou.fastplay.climbing.layout import BOMBS, GONE, HELD, MASKS, PLAYS, SIZE
from shuangkou.fastplay.climbing.tables import DECK, PARTNERS, RANKS, STRIDE
from shuangkou.fastplay.kernel import kernel

Array = npt.NDArray[Any]

_AROUND = 4
"""Ranks on either side that tell something of a rank."""
_BESIDE = 6
"""Inputs for each of them."""
_PLACE = 19
INPUTS = COUNTED + _PLACE + 2 * _AROUND * _BESIDE
"""Of the net: what is counted, as logarithms; where the seat and the rank stand; the ranks around."""
HELD_AT_MOST = 10
"""Numbers of cards that the net tells apart, from none on; the last stands for all above it."""
_MOST = 17
"""More equal cards than any deck has."""
_WAYS = np.array([float(factorial(number)) for number in range(_MOST)])


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """inner: [INPUTS + 1, n] weights of the hidden units, their constants last. outer: [n + 1,
    HELD_AT_MOST] those of the logarithms of the factors."""

    inner: Array
    outer: Array


@cache
def trained_net() -> Net:
    """The net that comes with the package."""
    with np.load(str(files(__package__).joinpath("inference.npz"))) as kept:
        return Net(kept["inner"].astype(np.float64), kept["outer"].astype(np.float64))


@kernel
def describe(
    t: Array, d: Array, evidence: Array, unseen: tuple[Array, int], spot: tuple[int, int, int], x: Array
) -> None:
    """Write the inputs of the net.

    unseen: cards that the seat that looks does not see, by rank, and how many of them the others hold.
    spot: the seat that looks, the other seat, and the rank.
    """
    _, seat, rank = spot
    for fact in range(COUNTED):
        x[fact] = np.log1p(evidence[seat, rank, fact])
    _describe_place(t, d, evidence[seat], unseen, spot, x[COUNTED:])
    at = COUNTED + _PLACE
    for other in range(rank - _AROUND, rank + _AROUND + 1):
        if other == rank:
            continue
        x[at : at + _BESIDE] = 0.0
        if 0 <= other < t[RANKS]:
            for size in range(4):
                x[at + size] = np.log1p(evidence[seat, other, MADE + size])
            x[at + 4] = np.log1p(evidence[seat, other, RUNS])
            x[at + 5] = unseen[0][other] / 8.0
        at += _BESIDE


@kernel
def _describe_place(
    t: Array, d: Array, acts: Array, unseen: tuple[Array, int], spot: tuple[int, int, int], x: Array
) -> None:
    looking, seat, rank = spot
    counts, total = unseen
    ranks, size = t[RANKS], d[SIZE + seat]
    x[0], x[1], x[2], x[3] = counts[rank] / 8.0, size / 27.0, rank / ranks, size / total
    x[4] = 1.0 if t[PARTNERS] and seat == looking ^ 2 else 0.0
    x[5], x[6] = np.log1p(d[PLAYS + seat]), np.log1p(d[BOMBS + seat])
    x[7], x[8] = t[t[DECK] + rank] / 8.0, 1.0 if rank >= ranks - 2 else 0.0
    for cards in range(3):
        x[9 + cards] = np.log1p(acts[ranks - 1, PASSED + cards])
    for cards in range(4):
        made = 0.0
        for other in range(ranks):
            made += acts[other, MADE + cards]
        x[12 + cards] = np.log1p(made)
    x[16], x[17] = d[GONE + rank] / 8.0, d[HELD + looking * STRIDE + rank] / 8.0
    above = 0
    for other in range(rank + 1, ranks):
        above += counts[other]
    x[18] = above / total


@kernel
def factors_of(net: tuple[Array, Array], x: Array, into: Array) -> None:
    """Write how much likelier each number of cards is than by chance, the likeliest 1."""
    inner, outer = net
    units, inputs = inner.shape[1], len(x)
    hidden = inner[inputs].copy()
    for place in range(inputs):
        if x[place] != 0.0:
            hidden += x[place] * inner[place]
    into[:] = outer[units]
    for unit in range(units):
        into += np.tanh(hidden[unit]) * outer[unit]
    into[:] = np.exp(into - into.max())


@kernel
def weigh_hands(
    t: Array, d: Array, evidence: Array, net: tuple[Array, Array], unseen: tuple[Array, Array, Array, int]
) -> tuple[Array, Array]:
    """Sum up the hands that the blind seats may hold.

    unseen: by rank how many cards are unseen, the three seats that hold them (-1 for none), how many of them
    each holds, and the seat that looks; what no seat holds lies aside. Returns [R, n, n, n] the weight of so
    many of a rank at the first and second of them and aside, and [R + 1, a, b, c] that of all ways to deal
    the ranks from one on so that the first gets a of them, the second b, and c lie aside.
    """
    counts, blind, sizes, looking = unseen
    ranks, total = t[RANKS], counts.sum()
    aside, most = total - sizes.sum(), counts.max()
    shares = np.zeros((ranks, most + 1, most + 1, min(most, aside) + 1), dtype=np.float64)
    factors = np.ones((3, HELD_AT_MOST), dtype=np.float64)
    x = np.zeros(INPUTS, dtype=np.float64)
    for rank in range(ranks):
        factors[:] = 1.0
        for place in range(3):
            if blind[place] >= 0 and sizes[place] and counts[rank]:
                describe(t, d, evidence, (counts, total), (looking, blind[place], rank), x)
                factors_of(net, x, factors[place])
        _share(counts[rank], factors, shares[rank])
    ahead = np.zeros((ranks + 1, sizes[0] + 1, sizes[1] + 1, aside + 1), dtype=np.float64)
    ahead[ranks, 0, 0, 0] = 1.0
    for rank in range(ranks - 1, -1, -1):
        _sum_up(counts[rank], shares[rank], ahead[rank + 1], ahead[rank])
    return shares, ahead


@kernel
def _share(count: int, factors: Array, shares: Array) -> None:
    last = HELD_AT_MOST - 1
    for first in range(count + 1):
        for second in range(count - first + 1):
            for aside in range(min(count - first - second, shares.shape[2] - 1) + 1):
                third = count - first - second - aside
                ways = _WAYS[count] / (_WAYS[first] * _WAYS[second] * _WAYS[third] * _WAYS[aside])
                ways *= factors[0, min(first, last)] * factors[1, min(second, last)]
                shares[first, second, aside] = ways * factors[2, min(third, last)]


@kernel
def _sum_up(count: int, shares: Array, later: Array, now: Array) -> None:
    for a in range(now.shape[0]):
        for b in range(now.shape[1]):
            for c in range(now.shape[2]):
                total = 0.0
                for first in range(min(count, a) + 1):
                    for second in range(min(count - first, b) + 1):
                        for aside in range(min(count - first - second, c) + 1):
                            weight = later[a - first, b - second, c - aside]
                            total += shares[first, second, aside] * weight
                now[a, b, c] = total


@kernel
def draw_hands(
    t: Array, d: Array, pool: Array, blind: Array, weights: tuple[Array, Array], stream: Array
) -> None:
    """Deal the pool, whose cards lie in the order of ranks, by these weights."""
    shares, ahead = weights
    a, b, c, start = ahead.shape[1] - 1, ahead.shape[2] - 1, ahead.shape[3] - 1, 0
    for rank in range(t[RANKS]):
        count = 0
        while start + count < len(pool) and pool[start + count] >> 2 == rank:
            count += 1
        total = ahead[rank, a, b, c]
        first, second, aside = _draw(shares[rank], ahead[rank + 1], (count, a, b, c), total, stream)
        for number in range(count - aside):
            other = start + number + below(stream, count - number)
            pool[start + number], pool[other] = pool[other], pool[start + number]
            place = 0 if number < first else 1 if number < first + second else 2
            d[HELD + blind[place] * STRIDE + rank] += 1
            d[MASKS + blind[place] * STRIDE + rank] |= 1 << (pool[start + number] & 3)
        a, b, c, start = a - first, b - second, c - aside, start + count


@kernel
def _draw(
    shares: Array, later: Array, left: tuple[int, int, int, int], total: float, stream: Array
) -> tuple[int, int, int]:
    count, a, b, c = left
    rest = uniform(stream) * total
    found = (0, 0, 0)
    for first in range(min(count, a) + 1):
        for second in range(min(count - first, b) + 1):
            for aside in range(min(count - first - second, c) + 1):
                weight = shares[first, second, aside] * later[a - first, b - second, c - aside]
                if weight > 0.0:
                    found = (first, second, aside)
                    rest -= weight
                    if rest < 0.0:
                        return found
    return found
