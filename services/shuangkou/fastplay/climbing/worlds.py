"""Deals that a seat cannot tell from its own: the cards that it has not seen, dealt to the others by chance.

What is public binds them: how many cards each holds, what was declared, which hands are open. A seat that
did not beat a rival's play is less likely to hold what would have beaten it.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import below, uniform
from shuangkou.fastplay.climbing.hands import find_plays
from shuangkou.fastplay.climbing.layout import CAN, FLUSH, HELD, MASKS, SIZE
from shuangkou.fastplay.climbing.tables import BEATERS, BOMB_SET, STRIDE, WORDS, Game, place_of
from shuangkou.fastplay.kernel import kernel
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.climbing.calls import standing_declaration
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.seats import SEATS, Seat, partner, side_of

Array = npt.NDArray[Any]

DECLINED = 0.5
"""How likely a seat passes though it could beat a rival's play without a bomb."""
_TRIES = 4
_MOST_PASSES = 24


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """pool: unseen cards as rank * 4 + suit. known: [4, n] cards that each seat is known to hold, -1 for
    none. passes: [n, 2] a seat and the play of a rival that it did not beat."""

    pool: Array
    known: Array
    passes: Array


def hidden_from(game: Game, view: SeatView, seat: Seat, plays: Array) -> Hidden:
    """What the seat does not see. plays: the numbers of the acts of the deal."""
    shown = Counter(view.hand) + Counter(view.partner_hand) + Counter(view.kitty) + Counter(view.discarded)
    for act in view.history:
        if isinstance(act, CardsPlayed):
            shown.update(act.cards)
    unseen = Counter(full_deck(game.options.decks, game.options.jokers)) - shown
    known = _known(game, view, seat, unseen)
    pool = [_code(game, card) for card in unseen.elements()]
    return Hidden(np.array(pool, dtype=np.int64), known, _passes(view, seat, plays))


def _code(game: Game, card: Card) -> int:
    return place_of(game.table, card) * 4 + (card.suit or 0)


def _known(game: Game, view: SeatView, seat: Seat, unseen: Counter[Card]) -> Array:
    """What was declared and is still held (§12.1); taken out of the unseen cards."""
    known = np.full((len(SEATS), 32), -1, dtype=np.int64)
    declared = standing_declaration(view.opening)
    if declared is None or declared.seat == seat:
        return known
    held = Counter(declared.cards)
    for act in view.history:
        if isinstance(act, CardsPlayed) and act.seat == declared.seat:
            held -= Counter(act.cards)
    for place, card in enumerate((held & unseen).elements()):
        known[declared.seat, place] = _code(game, card)
        unseen[card] -= 1
    return known


def _passes(view: SeatView, seat: Seat, plays: Array) -> Array:
    found, top = [], None
    for act, play in zip(view.history, plays.tolist(), strict=True):
        if isinstance(act, CardsPlayed):
            top = (act.seat, play)
        elif top is not None and act.seat != seat and side_of(top[0]) != side_of(act.seat):
            found.append((act.seat, top[1]))
    return np.array(found[-_MOST_PASSES:], dtype=np.int64).reshape(-1, 2)


def is_seen(view: SeatView, seat: Seat, other: Seat) -> bool:
    """The seat sees the other's cards."""
    return other == seat or (other == partner(seat) and bool(view.partner_hand))


@kernel
def sample_world(t: Array, d: Array, unseen: tuple[Array, Array, Array], stream: Array) -> None:
    """Deal the unseen cards to the seats whose hands are empty; tried anew, a few times, where it is
    unlikely."""
    pool, known, passes = unseen
    blind = 0
    for seat in range(4):
        held = 0
        for rank in range(STRIDE):
            held += d[HELD + seat * STRIDE + rank]
        if held < d[SIZE + seat]:
            blind |= 1 << seat
    for attempt in range(_TRIES):
        _deal_out(t, d, pool, known, blind, stream)
        likely = 1.0
        for number in range(len(passes)):
            seat = passes[number, 0]
            if blind >> seat & 1 and _could_beat(t, d, seat, passes[number, 1]):
                likely *= DECLINED
        if attempt == _TRIES - 1 or uniform(stream) < likely:
            return


@kernel
def _deal_out(t: Array, d: Array, pool: Array, known: Array, blind: int, stream: Array) -> None:
    dealt = 0
    for seat in range(4):
        if not blind >> seat & 1:
            continue
        d[HELD + seat * STRIDE : HELD + (seat + 1) * STRIDE] = 0
        d[MASKS + seat * STRIDE : MASKS + (seat + 1) * STRIDE] = 0
        size = d[SIZE + seat]
        for place in range(known.shape[1]):
            if known[seat, place] >= 0:
                _give(d, seat, known[seat, place])
                size -= 1
        for _ in range(size):
            other = dealt + below(stream, len(pool) - dealt)
            card = pool[other]
            pool[other], pool[dealt] = pool[dealt], card
            dealt += 1
            _give(d, seat, card)
        find_plays(t, d, seat)


@kernel
def _give(d: Array, seat: int, card: int) -> None:
    d[HELD + seat * STRIDE + (card >> 2)] += 1
    d[MASKS + seat * STRIDE + (card >> 2)] |= 1 << (card & 3)


@kernel
def _could_beat(t: Array, d: Array, seat: int, play: int) -> bool:
    """With what is no bomb."""
    if play < 0 or play >= FLUSH:
        return False
    words = t[WORDS]
    for word in range(words):
        if d[CAN + seat * words + word] & t[t[BEATERS] + play * words + word] & ~t[t[BOMB_SET] + word]:
            return True
    return False
