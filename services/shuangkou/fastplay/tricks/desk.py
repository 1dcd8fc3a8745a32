"""What a policy works with: its weights and the room for its sums, kept from one decision to the next."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.tricks.layout import ROOM
from shuangkou.fastplay.tricks.tables import FACES, SUITS

Array = npt.NDArray[Any]

(
    MASTER,
    NEXT_MASTER,
    TRUMP,
    TRUMP_TOP,
    NEXT_TOP,
    PAIR,
    TRUMP_PAIR,
    TOP_PAIR,
    TRACTOR,
    EMPTY,
    LEADS,
    FEED,
    GIFT,
    DRAW,
    WILLING,
    LAST,
    HAT,
    MEMORY,
    FATE,
    NEXT_FATE,
    TRUMP_FATE,
    EVEN,
    OVER_AGAIN,
    FURTHER,
    UNKNOWN_KITTY,
    SAFETY,
    LOW_FATE,
    PARTNER_VOID,
) = range(28)
"""Weights, in points. MASTER: a plain card that nothing unseen beats; NEXT_MASTER: how much of it is left for
each unseen card above. TRUMP: any trump; TRUMP_TOP: what the highest has on top, NEXT_TOP as before. PAIR,
TRUMP_PAIR: the second card of a pair; TOP_PAIR: what a pair has on top that no unseen one beats. TRACTOR:
neighbouring pairs. EMPTY: to be rid of a plain suit while there are trumps. LEADS: to lead the next trick.
FEED: points that a partner adds to a trick that is won, for each card; GIFT: that opponents have to add.
DRAW: to draw trumps, for each card and trump more than the others have. WILLING: how likely a seat plays what
beats a trick; OVER_AGAIN: how much less it beats what has beaten another play. LAST: the share of the last
trick that its best cards are worth before it. HAT: the last trick won with a level card where that counts.
MEMORY: 1 where cards that are gone are counted. FATE, NEXT_FATE, LOW_FATE, TRUMP_FATE: how much likelier than
not the points of a plain card are won that has none, one and more unseen ones above it, and of a trump. EVEN:
the chance to win points that are not in the trick. FURTHER: that a hand which can beat one unit of a throw
can match another one. UNKNOWN_KITTY: points in a kitty that another seat buried. SAFETY: how safe the high
cards of a very short suit are from trumps. PARTNER_VOID: to lead a suit that the partner can ruff."""
WEIGHTS = np.array(
    [
        *(2.0, 0.5, 1.5, 5.0, 0.85, 0.5, 1.2, 1.5, 1.5, 1.5, 3.0, 2.5, 1.0, 0.15, 0.85, 0.5, 60.0, 1.0),
        *(0.35, 0.1, 0.1, 0.5, 0.45, 0.5, 8.0, 0.3, 0.0, 0.0),
    ],
    dtype=np.float64,
)
"""A sound player's."""

SINGLES = 32
"""Where the floats have, by slot, what a card is worth by itself, what every further copy adds, what one copy
is worth with its share of that, and which cards are played sooner."""
SETS = SINGLES + FACES
EACH = SETS + FACES
PREFER = EACH + FACES
SHARES = PREFER + FACES
"""By seat, the chance that an unseen card of a suit that it does not lack is in its hand."""
SUIT_WORTHS = SHARES + 4
"""By suit, what the hand is worth as it is."""
STAKES = SUIT_WORTHS + SUITS
"""Points that the winner of the last trick decides about when a single is led, when a pair is."""
WORTHS = STAKES + 2
MOST_ACTS = 96
FLOATS = WORTHS + MOST_ACTS

UNSEEN = ROOM
"""Where the integers have the unseen copies of each slot, the unseen cards above each one, unseen cards by
suit, and the cards that could wear a hat: how many, and the highest."""
ABOVE_OF = UNSEEN + FACES
UNSEEN_IN = ABOVE_OF + FACES
HATS = UNSEEN_IN + SUITS
TOP_HAT = HATS + 1
ONE = TOP_HAT + 1
"""A unit by itself; then cards of a suit, and cards that are left."""
PART = ONE + 4
REST = PART + FACES
ACTS = REST + FACES
"""[MOST_ACTS, FACES] candidates, by slot."""
ABOUT = ACTS + MOST_ACTS * FACES
"""[MOST_ACTS, 8] what `acts` says about each."""
INTS = ABOUT + MOST_ACTS * 8


class Desk:
    """floats, ints: as laid out above. One for each thread."""

    def __init__(self, weights: Array = WEIGHTS) -> None:
        self.floats = np.zeros(FLOATS, dtype=np.float64)
        self.floats[: len(weights)] = weights
        self.ints = np.zeros(INTS, dtype=np.int64)
