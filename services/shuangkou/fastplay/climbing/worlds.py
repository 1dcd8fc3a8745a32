"""Deals that a seat cannot tell from its own: the cards that it has not seen, dealt to the others by chance.

What is public binds them: how many cards each holds, what was declared, which hands are open. How likely
hands are follows from what seats have done (`inference`).
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import below
from shuangkou.fastplay.climbing.hands import find_plays
from shuangkou.fastplay.climbing.inference import draw_hands, trained_net, weigh_hands
from shuangkou.fastplay.climbing.layout import HELD, MASKS, SIZE
from shuangkou.fastplay.climbing.seen import unseen_cards
from shuangkou.fastplay.climbing.tables import RANKS, STRIDE, Game, place_of
from shuangkou.fastplay.kernel import kernel
from shuangkou.rules.cards import Card
from shuangkou.rules.climbing.calls import standing_declaration
from shuangkou.rules.climbing.events import CardsPlayed
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.seats import SEATS, Seat, partner

Array = npt.NDArray[Any]

_MOST_SUMS = 24_000
"""Sums over hands that a decision has time for; with many cards aside, hands are dealt by chance."""


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """pool: unseen cards as rank * 4 + suit, in the order of ranks. known: [4, n] cards that each seat is
    known to hold, -1 for none. blind: [3] the seats whose hands are hidden, -1 for none. shares, ahead:
    weights of their hands, as `weigh_hands` returns them; empty where hands are dealt by chance."""

    pool: Array
    known: Array
    blind: Array
    shares: Array
    ahead: Array

    @property
    def arrays(self) -> tuple[Array, Array, Array, Array, Array]:
        """As kernels take it."""
        return self.pool, self.known, self.blind, self.shares, self.ahead


def hidden_from(game: Game, view: SeatView, seat: Seat, deal: Array, evidence: Array) -> Hidden:
    """What the seat does not see of the deal. evidence: what its acts tell."""
    unseen = unseen_cards(game, view)
    known = _known(game, view, seat, unseen)
    pool = np.array(sorted(code_of(game, card) for card in unseen.elements()), dtype=np.int64)
    others = [int(other) for other in SEATS if not is_seen(view, seat, other)]
    blind = np.array(others + [-1] * (3 - len(others)), dtype=np.int64)
    sizes = np.zeros(3, dtype=np.int64)
    for place, other in enumerate(others):
        sizes[place] = deal[SIZE + other] - (known[other] >= 0).sum()
    shares, ahead = np.zeros((0, 0, 0, 0)), np.zeros((0, 0, 0, 0))
    aside = len(pool) - sizes.sum()
    if len(pool) and (sizes[0] + 1) * (sizes[1] + 1) * (aside + 1) * game.tables[RANKS] <= _MOST_SUMS:
        net, counts = trained_net(), np.bincount(pool >> 2, minlength=STRIDE)
        facts = (counts, blind, sizes, int(seat))
        shares, ahead = weigh_hands(game.tables, deal, evidence, (net.inner, net.outer), facts)
    return Hidden(pool, known, blind, shares, ahead)


def code_of(game: Game, card: Card) -> int:
    """A card as pools hold it: rank * 4 + suit, jokers with suit 0."""
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
        known[declared.seat, place] = code_of(game, card)
        unseen[card] -= 1
    return known


def is_seen(view: SeatView, seat: Seat, other: Seat) -> bool:
    """The seat sees the other's cards."""
    return other == seat or (other == partner(seat) and bool(view.partner_hand))


@kernel
def sample_world(t: Array, d: Array, unseen: tuple[Array, Array, Array, Array, Array], stream: Array) -> None:
    """Deal the unseen cards to the seats whose hands are hidden."""
    pool, known, blind, shares, ahead = unseen
    dealt = 0
    for place in range(3):
        if blind[place] >= 0:
            lacking = _hold_known(d, blind[place], known)
            if len(ahead) == 0:
                dealt = _deal_out(d, blind[place], lacking, pool, dealt, stream)
    if len(ahead):
        draw_hands(t, d, pool, blind, (shares, ahead), stream)
    for place in range(3):
        if blind[place] >= 0:
            find_plays(t, d, blind[place])


@kernel
def _hold_known(d: Array, seat: int, known: Array) -> int:
    """Empty the hand but for what it is known to hold; how many cards it lacks."""
    d[HELD + seat * STRIDE : HELD + (seat + 1) * STRIDE] = 0
    d[MASKS + seat * STRIDE : MASKS + (seat + 1) * STRIDE] = 0
    size = d[SIZE + seat]
    for place in range(known.shape[1]):
        if known[seat, place] >= 0:
            _give(d, seat, known[seat, place])
            size -= 1
    return size


@kernel
def _deal_out(d: Array, seat: int, lacking: int, pool: Array, dealt: int, stream: Array) -> int:
    """By chance; how many cards of the pool are dealt then."""
    for _ in range(lacking):
        other = dealt + below(stream, len(pool) - dealt)
        card = pool[other]
        pool[other], pool[dealt] = pool[dealt], card
        dealt += 1
        _give(d, seat, card)
    return dealt


@kernel
def _give(d: Array, seat: int, card: int) -> None:
    d[HELD + seat * STRIDE + (card >> 2)] += 1
    d[MASKS + seat * STRIDE + (card >> 2)] |= 1 << (card & 3)
