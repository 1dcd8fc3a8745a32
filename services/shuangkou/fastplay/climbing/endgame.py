"""Two hands are left (残局), and each seat knows what the other holds: the deal is searched to its end.

Every legal act of either seat is tried by the transitions of `deal`, and the end is worth what `payoff` says.
Positions met before are remembered, and nothing is tried that cannot change the choice. Where more positions
would have to be looked at than there is time for, nothing is known.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.bits import lowest_bit
from shuangkou.fastplay.climbing.deal import act, legal_flushes, legal_plays, may_pass
from shuangkou.fastplay.climbing.layout import (
    ACTS,
    BEST,
    FACTS,
    FIVES,
    FOURS,
    HELD,
    MASKS,
    MAY_PASS,
    OVER,
    PAID,
    PASS,
    PASSED,
    PRODUCT,
    SIZE,
    TOP,
    TOP_SEAT,
    TURN,
    deal_size,
)
from shuangkou.fastplay.climbing.outlook import FAR, has_bombs, is_own, outlook, worth
from shuangkou.fastplay.climbing.tables import BY_CARD, IS_BOMB, RANKS, SIZES, STRIDE, WORDS, Game
from shuangkou.fastplay.kernel import kernel
from shuangkou.rules.climbing.options import ClimbingOptions, Scoring, TrickEnd

Array = npt.NDArray[Any]
Arrays = tuple[Array, Array, Array, Array, Array]

MOST_POSITIONS = 250
"""Looked at for one decision: some 0.2 ms."""
_DEPTH = 64
_FULL, _END = _DEPTH - 1, _DEPTH - 2
"""Rows of deals that are room for `outlook`; one more is that of the act to be tried."""
_MOST_CHOICES = 256
_REMEMBERED = 1024
_AT_MOST, _EXACT, _AT_LEAST = range(-1, 2)

COUNT, NEXT, LOW, HIGH, FLOOR, CEILING, OWN, SO_FAR, KEY = range(9)
"""About a position on the way: its choices, the next of them, within what window its worth matters now and
mattered at first, whether the own side acts, and the best so far."""
ME, LEFT, HAS_BOMBS, WORTH, FACT_COUNT = range(5)
"""Of a search: the seat that asks, positions that may still be looked at (less than none: it has failed),
and the worth found last. FACT_COUNT: facts that make a difference."""
_CARDS = 8
_POINTS = _CARDS + 64
_LEGAL = _POINTS + 4
_FLUSHES = _LEGAL + 32
_FACTS = _FLUSHES + _MOST_CHOICES
_LOW_HALF = 32
_PASSING, _BOMBING, _ANY = 500, 1000, 100
"""In which order acts are tried: what rids the hand of most cards, passing, and bombs last."""
_FACTOR, _SHIFT = np.int64(-7046029254386353131), 29


class Room:
    """What a search works with: one for each game and thread."""

    def __init__(self, game: Game) -> None:
        deals = np.zeros((_DEPTH, deal_size(game)), dtype=np.int64)
        choices = np.zeros((_DEPTH, _MOST_CHOICES), dtype=np.int64)
        frames = np.zeros((_DEPTH, KEY + 1), dtype=np.int64)
        known = np.zeros((_REMEMBERED, 3), dtype=np.int64)
        ints = np.zeros(_FACTS + FACTS, dtype=np.int64)
        facts = _facts(game.options)
        ints[FACT_COUNT] = len(facts)
        ints[_FACTS : _FACTS + len(facts)] = facts
        self.arrays: Arrays = (deals, choices, frames, known, ints)


def _facts(options: ClimbingOptions) -> list[int]:
    """Those on which the rest of a deal and its worth depend, beside the hands."""
    if options.scoring is Scoring.PLACES and options.trick_end is TrickEnd.ALL_PASSED:
        by_seat = [fact + seat for fact in (BEST, PAID, FOURS, FIVES) for seat in range(4)]
        return [TURN, TOP, TOP_SEAT, PASSED, PRODUCT, *by_seat]
    return [fact for fact in range(FACTS) if fact not in (ACTS, MAY_PASS)]


@dataclass(frozen=True, slots=True)
class Ending:
    """The act that brings most against the best answers, and the points that it brings: those of the own side
    less those of the other."""

    play: int
    worth: int


def ending_of(game: Game, deal: Array, room: Room, rule: int, most: int = MOST_POSITIONS) -> Ending | None:
    """Of a deal in which two seats hold cards, with all hands; the act `rule` where none is better.

    None where more positions than `most` would have to be looked at.
    """
    play = solve(game.tables, deal, room.arrays, rule, most)
    ints = room.arrays[-1]
    return Ending(int(play), int(ints[WORTH])) if ints[LEFT] >= 0 else None


@kernel
def solve(t: Array, d: Array, room: Arrays, rule: int, most: int) -> int:
    """The act of the seat to act; its worth is written."""
    deals, choices, _, known, n = room
    known[:, 0] = 0
    n[ME], n[LEFT], n[HAS_BOMBS] = d[TURN], most, has_bombs(t, d)
    count, best, chosen = _write_choices(t, d, choices[0], n), -FAR, rule
    lowest, highest = outlook(t, d, d[TURN], (deals[_FULL], deals[_END], n[_POINTS:]))
    if not count:
        n[LEFT] = -1
    for place in range(-1, count):
        play = rule if place < 0 else choices[0, place]
        if n[LEFT] < 0 or best >= highest or (place >= 0 and play == rule):
            continue
        deals[1, :] = d
        act(t, deals[1], play, n[_CARDS:])
        found = _worth(t, room, max(lowest - 1, best), highest)
        if found > best:
            best, chosen = found, play
    n[WORTH] = best
    return chosen


@kernel
def _worth(t: Array, room: Arrays, low: int, high: int) -> int:
    """Of the deal in row 1, exact within the window; a bound of it beyond."""
    deals, choices, frames, _, n = room
    level = 1
    frames[level, LOW], frames[level, HIGH] = low, high
    is_known = _begin(t, room, level)
    while n[LEFT] >= 0:
        if is_known:
            level -= 1
            if not level:
                return n[WORTH]
            _hear(frames[level], n[WORTH])
        frame = frames[level]
        is_known = frame[LOW] >= frame[HIGH] or frame[NEXT] == frame[COUNT]
        if is_known:
            _remember(room, level)
            continue
        deals[level + 1, :] = deals[level]
        act(t, deals[level + 1], choices[level, frame[NEXT]], n[_CARDS:])
        frame[NEXT] += 1
        level += 1
        frames[level, LOW], frames[level, HIGH] = frame[LOW], frame[HIGH]
        is_known = _begin(t, room, level)
    return -FAR


@kernel
def _begin(t: Array, room: Arrays, level: int) -> bool:
    """Look at a position; True where its worth is known, or on which side of the window it lies."""
    deals, choices, frames, known, n = room
    d, frame = deals[level], frames[level]
    if d[OVER]:
        n[WORTH] = worth(t, d, n[ME], n[_POINTS:])
        return True
    n[LEFT] -= 1
    frame[KEY] = _key(t, d, n)
    seen = known[frame[KEY] & (_REMEMBERED - 1)]
    if seen[0] == frame[KEY]:
        n[WORTH] = seen[2]
        is_beyond = seen[1] == _AT_LEAST and seen[2] >= frame[HIGH]
        if seen[1] == _EXACT or is_beyond or (seen[1] == _AT_MOST and seen[2] <= frame[LOW]):
            return True
    if n[HAS_BOMBS]:
        lowest, highest = outlook(t, d, n[ME], (deals[_FULL], deals[_END], n[_POINTS:]))
        if lowest >= frame[HIGH] or highest <= frame[LOW] or lowest == highest:
            n[WORTH] = highest if highest <= frame[LOW] else lowest
            return True
        frame[LOW], frame[HIGH] = max(frame[LOW], lowest), min(frame[HIGH], highest)
    frame[COUNT], frame[NEXT] = _write_choices(t, d, choices[level], n), 0
    if not frame[COUNT] or level + 1 == _END:
        n[LEFT] = -1
    frame[FLOOR], frame[CEILING] = frame[LOW], frame[HIGH]
    frame[OWN] = is_own(t, d[TURN], n[ME])
    frame[SO_FAR] = -FAR if frame[OWN] else FAR
    return False


@kernel
def _hear(frame: Array, found: int) -> None:
    """One more choice is worth so much."""
    if frame[OWN]:
        frame[SO_FAR] = max(frame[SO_FAR], found)
        frame[LOW] = max(frame[LOW], found)
    else:
        frame[SO_FAR] = min(frame[SO_FAR], found)
        frame[HIGH] = min(frame[HIGH], found)


@kernel
def _remember(room: Arrays, level: int) -> None:
    frame, known, n = room[2][level], room[3], room[4]
    n[WORTH] = frame[SO_FAR]
    seen = known[frame[KEY] & (_REMEMBERED - 1)]
    seen[0], seen[1], seen[2] = frame[KEY], _EXACT, frame[SO_FAR]
    if frame[SO_FAR] <= frame[FLOOR]:
        seen[1] = _AT_MOST
    elif frame[SO_FAR] >= frame[CEILING]:
        seen[1] = _AT_LEAST


@kernel
def _key(t: Array, d: Array, n: Array) -> int:
    """A number that tells positions apart, save by a chance of about 1 to 2**50."""
    key: Any = np.int64(1)
    for place in range(_FACTS, _FACTS + n[FACT_COUNT]):
        key = (key ^ d[n[place]]) * _FACTOR
        key ^= key >> _SHIFT
    hands = MASKS if t[BY_CARD] else HELD
    for seat in range(4):
        if d[SIZE + seat]:
            for rank in range(hands + seat * STRIDE, hands + seat * STRIDE + t[RANKS]):
                key = (key ^ d[rank]) * _FACTOR
                key ^= key >> _SHIFT
    return key if key else 1


@kernel
def _write_choices(t: Array, d: Array, into: Array, n: Array) -> int:
    """Write the legal acts in the order in which they are tried; how many, 0 where they are too many."""
    flushes = n[_FLUSHES : _FLUSHES + _MOST_CHOICES]
    plays, number = legal_plays(t, d, n[_LEGAL:]), legal_flushes(t, d, flushes)
    if plays + number + 1 > _MOST_CHOICES:
        return 0
    size, count = d[SIZE + d[TURN]], 0
    if may_pass(t, d):
        count = _insert(into, count, _PASSING, PASS)
    for word in range(t[WORDS]):
        members = n[_LEGAL + word]
        while members:
            play = word * 64 + lowest_bit(members)
            members &= members - 1
            spent = t[t[SIZES] + play]
            order = 0 if spent == size else (_BOMBING if t[t[IS_BOMB] + play] else _ANY - spent)
            count = _insert(into, count, order, play)
    for place in range(number):
        count = _insert(into, count, _ANY, flushes[place])
    for place in range(count):
        into[place] = (into[place] & ((1 << _LOW_HALF) - 1)) - 1
    return count


@kernel
def _insert(into: Array, count: int, order: int, play: int) -> int:
    """Before all that come later in the order; how many there are then."""
    code, place = order << _LOW_HALF | (play + 1), count
    while place and into[place - 1] > code:
        into[place] = into[place - 1]
        place -= 1
    into[place] = code
    return count + 1
