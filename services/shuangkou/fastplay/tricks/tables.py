"""What a deal is played by, as kernels read it: the trump order and the options, in one array of numbers.

A face is known by its *slot*: its place among all faces by effective suit, by strength and by suit, so that
the faces of an effective suit are neighbours and rise in strength. All of it is read from `rules`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.tricks.options import KittyMultiplier, Level, Scoring, TricksOptions
from shuangkou.rules.tricks.order import EffectiveSuit, Trump, TrumpOrder
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.state import order_with

Array = npt.NDArray[Any]

FACES = len(CARDS)
SUITS = len(EffectiveSuit)
TRUMPS = int(EffectiveSuit.TRUMP)
PLACES = 24
"""More places than any effective suit has."""

DECKS, THROWS, FINE, CHOOSE, HIGH, TIMES, MOST_TIMES, TOTALS = range(8)
"""FINE: points for each blocked card. CHOOSE: opponents name what a failed throw leads. HIGH: the option
`high_follow`. TIMES: multiplier of the kitty. TOTALS: both sides' points are compared."""
SUIT = 16
PLACE = SUIT + FACES
POINTS = PLACE + FACES
RANK = POINTS + FACES
"""By slot, as SUIT and PLACE are."""
FIRST = RANK + FACES
END = FIRST + SUITS
"""Slots of each effective suit."""
LENGTH = END + SUITS
"""Places of each effective suit, that below the lowest included."""
START = LENGTH + SUITS
STOP = START + SUITS * PLACES
"""[5, PLACES] slots of each place; where the ace stands below the lowest card, place 0 is the ace's slot."""
SIZE = STOP + SUITS * PLACES

MULTIPLIERS = tuple(KittyMultiplier)


def times_number(rule: KittyMultiplier) -> int:
    """The number by which kernels know a multiplier of the kitty."""
    return MULTIPLIERS.index(rule)


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """slots: by the value of a card. faces: by slot."""

    options: TricksOptions
    order: TrumpOrder
    tables: Array
    slots: Array
    faces: tuple[Card, ...]

    def counts(self, cards: Iterable[Card]) -> Array:
        """Copies of each slot."""
        values = np.frombuffer(bytes(cards), dtype=np.uint8)
        return np.bincount(self.slots[values], minlength=FACES).astype(np.int64)

    def cards(self, counts: Array) -> tuple[Card, ...]:
        """The cards that are counted, plain suits first, from low to high."""
        return tuple(self.faces[slot] for slot in np.flatnonzero(counts) for _ in range(counts[slot]))


@lru_cache(maxsize=512)
def game_of(options: TricksOptions, level: Level | None, trump: Trump | None) -> Game:
    """The same value for the same question; an unknown trump counts as none."""
    order = order_with(options, level, trump)
    faces = order.ascending(CARDS)
    slots = np.zeros(FACES, dtype=np.int64)
    slots[list(faces)] = np.arange(FACES)
    return Game(options, order, _tables(options, order, faces), slots, faces)


def _tables(options: TricksOptions, order: TrumpOrder, faces: tuple[Card, ...]) -> Array:
    t = np.zeros(SIZE, dtype=np.int64)
    t[DECKS], t[THROWS], t[FINE] = options.decks, options.throws, options.throw_fine
    t[CHOOSE], t[HIGH] = options.opponents_choose, options.high_follow
    t[TIMES], t[MOST_TIMES] = times_number(options.kitty_multiplier), options.max_kitty_multiplier
    t[TOTALS] = options.scoring is Scoring.TOTALS
    t[SUIT:PLACE] = [order.suits[face] for face in faces]
    t[PLACE:POINTS] = [order.strengths[face] for face in faces]
    t[POINTS:RANK] = [points_of((face,)) for face in faces]
    t[RANK:FIRST] = [face.rank for face in faces]
    where = {face: slot for slot, face in enumerate(faces)}
    first = 0
    for suit, line in enumerate(order.lines):
        t[FIRST + suit], t[LENGTH + suit] = first, len(line)
        for place, there in enumerate(line):
            slots = [where[face] for face in there]
            start = min(slots, default=first)
            t[START + suit * PLACES + place] = start
            t[STOP + suit * PLACES + place] = start + len(slots)
            first = max(first, start + len(slots)) if place else first
        t[END + suit] = first
    return t
