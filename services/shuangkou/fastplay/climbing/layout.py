"""Where a deal in play holds what: one array of numbers for each deal."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.climbing.tables import (
    STRIDE,
    WORDS,
    Game,
)

Array = npt.NDArray[Any]

PASS = -1
"""The act that is no play."""
FLUSH = 1 << 20
"""A flush has this bit, its suit from bit 16 on, and a bit for each rank that it takes."""
FLUSH_SUIT = 16
SUIT_COUNT = 4

(
    TURN,
    TOP,
    TOP_SEAT,
    PASSED,
    ACTED,
    FIRST,
    OUT,
    TRICK_CARDS,
    LAST,
    OVER,
    FACTOR,
    TOP_SUIT,
    PRODUCT,
    DECLARER,
    DECLARED,
    LANDLORD,
    BID,
    KITTY,
    ACTS,
    MAY_PASS,
) = range(20)
"""Facts. TOP: play to beat, PASS where there is none. PASSED, ACTED: seats, as bits, that passed since TOP,
and that acted in the trick. FIRST: of the trick. OUT: how many are. LAST: play. FACTOR, TOP_SUIT: doublings
of the trick and suit of its top card (§13.5). PRODUCT: of all multipliers. DECLARER: seat, -1 - seat once
it has played the play DECLARED. KITTY: points that lie there. ACTS: so far. MAY_PASS: where somebody wrote
it."""
SIZE, ORDER, WON, EARNED, BOMBS, PLAYS, PAID, FOURS, FIVES, BEST, MARK = range(20, 64, 4)
"""Facts by seat, and ORDER by place. WON: cards in tricks. EARNED: points. BOMBS, PLAYS: so far. PAID:
contributions. FOURS, FIVES: bombs that make groups. BEST: multiplier. MARK: card as rank * 4 + suit, or
-1."""
FACTS = 64
HELD = FACTS
"""[5, STRIDE] cards by seat and rank, and last those that were played."""
GONE = HELD + 4 * STRIDE
MASKS = GONE + STRIDE
"""[4, STRIDE] suits by seat and rank, where they count."""
CAN = MASKS + 4 * STRIDE
"""[4, W] what each seat could lead."""


def blank_deal(game: Game) -> Array:
    """An array of the right size for a deal of this game."""
    return np.zeros(deal_size(game), dtype=np.int64)


def deal_size(game: Game) -> int:
    """Numbers that a deal takes."""
    return CAN + 4 * int(game.tables[WORDS])
