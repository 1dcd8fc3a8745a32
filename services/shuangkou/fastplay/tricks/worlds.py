"""Deals that a seat cannot tell from its own: the cards that it has not seen, dealt to the others by chance.

What is public binds them: how many cards each holds, which suits it has none of, in which it has no pair,
what was shown for trump and is still held. Who buries keeps trumps, high cards and points in the hand, and
who shows something for trump is strong there.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import below, uniform
from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.deal import count_suits
from shuangkou.fastplay.tricks.layout import (
    HAND,
    HELD,
    KITTY,
    KITTY_OWNER,
    KITTY_POINTS,
    KITTY_SIZE,
    PAIRLESS,
    TURN,
    VOID,
)
from shuangkou.fastplay.tricks.tables import FACES, PLACE, POINTS, SUIT, SUITS, TRUMPS, Game
from shuangkou.rules.cards import Card, full_deck
from shuangkou.rules.seats import SEATS, Seat
from shuangkou.rules.tricks.options import Declare
from shuangkou.rules.tricks.view import SeatView

Array = npt.NDArray[Any]

_TRIES = 12
_BURIED_TRUMP, _BURIED_POINTS, _BURIED_HIGH = 0.05, 0.35, 0.35
"""How likely such a card is buried, beside a low one."""
_HIGH = 11
_OF_OWNER, _OF_SHOWER = 1.8, 1.1
"""How much likelier an unseen trump is dealt to the seat that buried, and to one that showed, than by the
room in its hand: with these, worlds give them as many trumps as they hold in deals of the rule policy."""


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """pool: slots of the unseen cards that may be anywhere. known: [4, FACES] cards that each seat is known
    to hold. trumps: [4] how much likelier an unseen trump lies with each seat than by the room in its hand.
    """

    pool: Array
    known: Array
    trumps: Array

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        """As kernels take it."""
        return self.pool, self.known, self.trumps


def hidden_from(game: Game, view: SeatView) -> Hidden:
    """What the seat does not see."""
    gone = Counter(card for play in view.history for card in play.cards)
    unseen = Counter(full_deck(game.options.decks)) - gone - Counter(view.hand) - Counter(view.kitty)
    known = np.zeros((len(SEATS), FACES), dtype=np.int64)
    for other, shown in _shown(game, view).items():
        if other == view.seat:
            continue
        played = Counter(card for play in view.history if play.seat == other for card in play.cards)
        held = (shown - played) & unseen
        unseen -= held
        known[other] = game.counts(held.elements())
    pool = np.repeat(np.arange(FACES), game.counts(unseen.elements()))
    return Hidden(pool, known, _trumps(view))


def _trumps(view: SeatView) -> Array:
    trumps = np.ones(len(SEATS), dtype=np.float64)
    trumps[list({show.seat for show in view.shows})] *= _OF_SHOWER
    if view.kitty_owner is not None:
        trumps[view.kitty_owner] *= _OF_OWNER
    return trumps


def _shown(game: Game, view: SeatView) -> dict[Seat, Counter[Card]]:
    """Cards shown openly; where pairs change hands, only the last of them (§3.14)."""
    shows = view.shows[-1:] if game.options.declare is Declare.ANY_PAIR else view.shows
    shown: dict[Seat, Counter[Card]] = {}
    for show in shows:
        shown[show.seat] = shown.get(show.seat, Counter()) | Counter(show.cards)
    return shown


@kernel
def sample_world(t: Array, d: Array, hidden: tuple[Array, Array, Array], stream: Array) -> None:
    """Deal the unseen cards to the other seats, and to the kitty where the seat to act does not know it."""
    pool, known, trumps = hidden
    for attempt in range(_TRIES + 1):
        _clear(d, known)
        left = len(pool)
        if d[KITTY_OWNER] != d[TURN]:
            left = _bury(t, d, pool, stream)
        if _deal_out(t, d, (pool, trumps), left, (stream, attempt == _TRIES)):
            break
    for seat in range(4):
        if seat != d[TURN]:
            count_suits(t, d, seat)
    d[KITTY_POINTS] = 0
    for slot in range(FACES):
        d[KITTY_POINTS] += d[KITTY + slot] * t[POINTS + slot]


@kernel
def _clear(d: Array, known: Array) -> None:
    for seat in range(4):
        if seat != d[TURN]:
            d[HELD + seat * FACES : HELD + (seat + 1) * FACES] = known[seat]
    if d[KITTY_OWNER] != d[TURN]:
        d[KITTY : KITTY + FACES] = 0


@kernel
def _bury(t: Array, d: Array, pool: Array, stream: Array) -> int:
    """The cards of the kitty go to the end of the pool; how many cards stand before them."""
    left = len(pool)
    while len(pool) - left < d[KITTY_SIZE]:
        at = below(stream, left)
        slot = pool[at]
        likely = 1.0
        if t[SUIT + slot] == TRUMPS:
            likely = _BURIED_TRUMP
        elif t[POINTS + slot]:
            likely = _BURIED_POINTS
        elif t[PLACE + slot] >= _HIGH:
            likely = _BURIED_HIGH
        if uniform(stream) < likely:
            left -= 1
            pool[at], pool[left] = pool[left], slot
            d[KITTY + slot] += 1
    return left


@kernel
def _deal_out(t: Array, d: Array, cards: tuple[Array, Array], left: int, luck: tuple[Array, bool]) -> bool:
    """Deal the first cards of the pool, those first that the fewest seats can have; False where one can go
    nowhere. With the second of `luck` what seats have shown not to hold is forgotten instead."""
    (pool, trumps), (stream, is_last) = cards, luck
    room, shares = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.float64)
    for seat in range(4):
        room[seat] = 0 if seat == d[TURN] else d[HAND + seat]
        for slot in range(FACES):
            room[seat] -= d[HELD + seat * FACES + slot] if seat != d[TURN] else 0
    for place in range(left - 1, 0, -1):
        other = below(stream, place + 1)
        pool[place], pool[other] = pool[other], pool[place]
    for lacking in range(2, -1, -1):
        for place in range(left):
            slot, voids = pool[place], 0
            for seat in range(4):
                voids += seat != d[TURN] and d[VOID + seat * SUITS + t[SUIT + slot]]
            if voids != lacking and not (lacking == 2 and voids == 3):
                continue
            for other in range(4):
                shares[other] = room[other] * (trumps[other] if t[SUIT + slot] == TRUMPS else 1.0)
            seat = _taker(d, slot, t[SUIT + slot], shares, stream)
            if seat < 0 and is_last:
                seat = 0
                while not room[seat]:
                    seat += 1
            if seat < 0:
                return False
            room[seat] -= 1
            d[HELD + seat * FACES + slot] += 1
    return True


@kernel
def _taker(d: Array, slot: int, suit: int, shares: Array, stream: Array) -> int:
    """A seat that may have the card, drawn by its share; -1 for none."""
    total = 0.0
    for seat in range(4):
        total += shares[seat] if _may_have(d, seat, slot, suit) else 0.0
    rest, found = uniform(stream) * total, -1
    for seat in range(4):
        if shares[seat] > 0.0 and _may_have(d, seat, slot, suit):
            found = seat
            rest -= shares[seat]
            if rest < 0.0:
                break
    return found


@kernel
def _may_have(d: Array, seat: int, slot: int, suit: int) -> bool:
    if d[VOID + seat * SUITS + suit]:
        return False
    return not (d[PAIRLESS + seat * SUITS + suit] and d[HELD + seat * FACES + slot])
