"""Where a deal in play holds what: one array of numbers for each deal; and room for sums beside it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.tricks.tables import FACES, SUITS

Array = npt.NDArray[Any]

(
    TURN,
    LEADER,
    NUMBER,
    LED,
    LED_SIZE,
    UNITS,
    BEST,
    BEST_SUIT,
    BEST_TOP,
    TRICK_POINTS,
    ATTACKERS,
    OVER,
    FAILED,
    KITTY_OWNER,
    WINNER,
    LAST_COPIES,
    LAST_LENGTH,
    LAST_TRUMP,
    LAST_ANY,
    LAST_ALL,
    LAST_POINTS,
    TRICKS,
    LEVEL_RANK,
    KITTY_POINTS,
    CHOICES,
    LED_PAIRS,
    FEATS,
    KITTY_SIZE,
    BURYING,
) = range(29)
"""Facts. NUMBER: plays on the table. LED: effective suit; UNITS: of the lead. BEST: seat whose play takes the
trick, of BEST_SUIT with BEST_TOP as its key. FAILED: a throw waits for the shape that is to be led, CHOICES
of them. WINNER: of the last trick. LAST_...: of the trick that ended the deal: shape of its key, whether it
was won with trumps, with any card or with cards only of the level's rank (LEVEL_RANK), and its points.
KITTY_OWNER: seat that knows the kitty, -1 where nobody does. LED_PAIRS: sets of two that the lead holds.
FEATS: whether the last trick may be a feat of the declarers (1), of the attackers (2). BURYING: the seat to
act holds the kitty as well, and buries before LEADER leads."""
TAKEN, FINES = 32, 34
"""Points by side."""
HAND = 36
"""Cards by seat."""
FACTS = 40
HELD = FACTS
GONE = HELD + 4 * FACES
"""Copies by seat and slot; then those that were played, those that lie in the kitty, and those led."""
KITTY = GONE + FACES
LEAD = KITTY + FACES
SUITED = LEAD + FACES
"""[4, 5] cards that a seat holds of each effective suit."""
VOID = SUITED + 4 * SUITS
PAIRLESS = VOID + 4 * SUITS
"""[4, 5] whether a seat has shown that it has no card of a suit, and no pair."""
UNIT = PAIRLESS + 4 * SUITS
"""[64, 4] units of the lead as they were taken out: copies, places, top, and which face of each place."""
MOST_UNITS = 64
DEAL_SIZE = UNIT + 4 * MOST_UNITS

PLAN = 0
"""Where the room holds what is to be cut: how many units, the top of the first or -1, then sets of four,
three and two, whether high ones are tried first, and for each unit its copies and places."""
PLAN_UNITS = PLAN + 6
CUT_LEFT = PLAN_UNITS + 2 * MOST_UNITS
CUT_SLOT = CUT_LEFT + FACES
CUT_AT = CUT_SLOT + 2 * MOST_UNITS
CUT_UNIT = CUT_AT + 2 * MOST_UNITS
OWED = CUT_UNIT + 2 * MOST_UNITS
"""What a hand owes: whether it is exhausted, cards, sets of four, three and two, and tractors; then these;
then cards to play in any case and those to choose from."""
OWED_UNITS = OWED + 8
MUST = OWED_UNITS + 2 * MOST_UNITS
CHOICE = MUST + FACES
MADE = CHOICE + FACES
"""A unit, or a play in the making."""
LEFT = MADE + FACES
OUT = LEFT + FACES
"""Units of a throw; a blocked one has its copies negative."""
ROOM = OUT + 4 * MOST_UNITS
EXHAUSTED, OWED_SIZE, QUADS, TRIPLES, PAIRS, TRACTORS = range(6)


def blank_deal() -> Array:
    """An array of the right size for a deal."""
    return np.zeros(DEAL_SIZE, dtype=np.int64)


def blank_room() -> Array:
    """Room for the sums of kernels, one for each thread."""
    return np.zeros(ROOM, dtype=np.int64)
