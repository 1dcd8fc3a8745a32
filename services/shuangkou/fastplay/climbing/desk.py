"""What a policy works with: its weights and the room for its sums, kept from one decision to the next."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.climbing.tables import PLAY_COUNT, STRIDE, WORDS, Game

Array = npt.NDArray[Any]

(
    CONTROL,
    LEAD,
    URGENCY,
    NEAR_OUT,
    FINISH,
    KEEP,
    KEEP_URGENCY,
    RUN_OUT,
    THREAT,
    SUPPORT,
    ASSIST,
    BOMB,
    CONTRIBUTION,
    IN_KIND,
    WITH_BOMB,
    AFTER_PASS,
    PARTNER_OUT,
    STAKE,
    POINTS,
    MEMORY,
) = range(20)
"""Weights, in tricks. CONTROL: a play kept that surely wins. LEAD: gaining the lead; KEEP: not losing it.
URGENCY, KEEP_URGENCY: the same on top, the nearer a rival is to going out. NEAR_OUT: cards at which that
begins. FINISH, RUN_OUT: the lead, gained or not lost, with a hand that needs it only once more. THREAT: a
play that lets a rival go out. SUPPORT: the partner's lead. ASSIST: a play that lets the partner go out.
BOMB: a bomb kept. CONTRIBUTION: each point that a bomb earns from every other seat. IN_KIND, WITH_BOMB: how
readily a rival beats a play if it can, AFTER_PASS times that once it passed. PARTNER_OUT: leaving the trick
to a partner who is going out. STAKE: each further time that the base points are multiplied. POINTS: each
point that a play earns its side. MEMORY: 1 where it counts the cards that are gone."""
WEIGHTS = np.array(
    [0.75, 0.4, 1.5, 10.0, 0.8, 0.4, 0.5, 0.8, 1.5, 0.8, 0.5, 0.3, 0.2, 0.6, 0.15, 0.4, 0.0, 0.0, 0.0, 1.0],
    dtype=np.float64,
)
"""A sound player's."""

MOST_HELD = 12
"""More equal cards than a play has, wild cards included."""
SETS = 32
"""Where the floats have [STRIDE, MOST_HELD] the least cost of n equal cards of a rank."""
TAILS = SETS + STRIDE * MOST_HELD
"""[STRIDE, MOST_HELD] the chance that a rival holds at least n cards of a rank."""
CHANCES = TAILS + STRIDE * MOST_HELD
"""[M] of a play to win its trick; then [M] costs, and [M] how likely rivals play it."""

LEGAL = 0
"""Where the integers have [W] a set of plays, [STRIDE] ranks left, stand-ins of a wild card, cards spent,
and last [W] the plays that unseen cards could make."""
LEFT = 32
UNSEEN = LEFT + STRIDE
STAND_INS = UNSEEN + STRIDE
SPENT = STAND_INS + STRIDE
GROUPS = SPENT + 64
FITS_COUNT = GROUPS + 64
FITTING = FITS_COUNT + 1
MOST_FITTING = 400
FLUSHES_AT = FITTING + MOST_FITTING
MOST_FLUSHES = 64
POSSIBLE = FLUSHES_AT + MOST_FLUSHES
MOST_WORDS = 32


class Desk:
    """floats, ints: as laid out above. One for each thread."""

    def __init__(self, game: Game, weights: Array = WEIGHTS) -> None:
        plays = int(game.tables[PLAY_COUNT])
        self.floats = np.zeros(CHANCES + 3 * plays, dtype=np.float64)
        self.floats[: len(weights)] = weights
        self.ints = np.zeros(POSSIBLE + MOST_WORDS, dtype=np.int64)
        assert int(game.tables[WORDS]) <= MOST_WORDS
