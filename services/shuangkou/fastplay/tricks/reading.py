"""A deal of `rules`, or a seat's view of one, as kernels read it."""

from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.kernel import kernel
from shuangkou.fastplay.tricks.deal import begin, follow, lead
from shuangkou.fastplay.tricks.layout import (
    BURYING,
    FEATS,
    FINES,
    HAND,
    HELD,
    KITTY,
    KITTY_OWNER,
    KITTY_SIZE,
    LEADER,
    LEVEL_RANK,
    NUMBER,
    TAKEN,
    TURN,
    blank_deal,
)
from shuangkou.fastplay.tricks.scores import results_of
from shuangkou.fastplay.tricks.tables import FACES, Game, game_of
from shuangkou.rules.seats import SEATS, Seat, Side
from shuangkou.rules.tricks.events import SideLevels
from shuangkou.rules.tricks.options import MatchEnd, TricksOptions
from shuangkou.rules.tricks.state import DealState
from shuangkou.rules.tricks.view import SeatView, Standing

Array = npt.NDArray[Any]

_HATS = (MatchEnd.HAT_ANY, MatchEnd.HAT_ALL)


def deal_at_start(options: TricksOptions, standing: Standing, state: DealState) -> tuple[Game, Array, Array]:
    """A deal whose play begins: the game, what its scores become, and the deal.

    ValueError where the play has not begun.
    """
    if state.turn is None or state.attackers is None:
        raise ValueError("the play has not begun")
    game = game_of(options, state.level, state.trump)
    deal, results = blank_deal(), results_of(options, standing.levels, state.attackers)
    for seat, hand in enumerate(state.hands):
        deal[HELD + seat * FACES : HELD + (seat + 1) * FACES] = game.counts(hand)
    deal[KITTY : KITTY + FACES] = game.counts(state.kitty)
    begin(game.tables, deal, state.turn, state.attackers)
    deal[LEVEL_RANK] = _rank(standing.levels, state.attackers)
    deal[KITTY_OWNER] = -1 if state.kitty_owner is None else state.kitty_owner
    deal[FEATS] = _feats(options, standing.levels, state.attackers)
    return game, results, deal


def _rank(levels: SideLevels, attackers: Side) -> int:
    """Of the declaring side's level, -1 for none."""
    level = levels[1 - attackers]
    return -1 if level is None or level.rank is None else int(level.rank)


def _feats(options: TricksOptions, levels: SideLevels, attackers: Side) -> int:
    """Of which sides the last trick may be a feat (§10.3, §10.4), as bits: declarers first."""
    level = levels[1 - attackers]
    is_hat = options.match_end in _HATS and level is options.ladder[-1]
    return int(is_hat) | int(level in options.hook_levels) << 1


def deal_seen(options: TricksOptions, view: SeatView, seat: Seat, room: Array) -> tuple[Game, Array]:
    """The deal before the seat's play: hands that it does not see are empty, but their sizes are right.

    ValueError where nothing is being played.
    """
    if view.attackers is None or view.trump is None:
        raise ValueError("the play has not begun")
    game = game_of(options, view.level, view.trump)
    deal, levels = blank_deal(), view.standing.levels
    values = np.frombuffer(bytes(chain.from_iterable([play.cards for play in view.history])), dtype=np.uint8)
    plays = np.array([(play.seat, len(play.cards)) for play in view.history], dtype=np.int64).reshape(-1, 2)
    deal[HELD + seat * FACES : HELD + (seat + 1) * FACES] = game.counts(view.hand)
    deal[KITTY : KITTY + FACES] = game.counts(view.kitty)
    leader = int(plays[0, 0]) if len(plays) else seat
    _replay(game.tables, deal, game.slots[values], plays, (leader, view.attackers), room)
    for other in SEATS:
        deal[HAND + other] = view.hand_sizes[other]
    deal[TAKEN : TAKEN + 2], deal[FINES : FINES + 2] = view.taken, view.fines
    deal[LEVEL_RANK], deal[KITTY_SIZE] = _rank(levels, view.attackers), view.kitty_size
    deal[KITTY_OWNER] = seat if view.kitty_owner == seat else -1
    deal[FEATS] = _feats(options, levels, view.attackers)
    deal[TURN] = seat
    return game, deal


def deal_to_bury(options: TricksOptions, view: SeatView, seat: Seat, room: Array) -> tuple[Game, Array]:
    """The deal before the seat buries, as if nobody showed anything afterwards.

    ValueError where it is not known yet who leads against whom.
    """
    if view.declarer is None:
        raise ValueError("who leads is not known")
    game, deal = deal_seen(options, view, seat, room)
    deal[LEADER], deal[BURYING] = view.declarer, 1
    deal[KITTY_OWNER], deal[KITTY_SIZE] = seat, options.kitty
    return game, deal


@kernel
def _replay(t: Array, d: Array, slots: Array, plays: Array, start: tuple[int, int], w: Array) -> None:
    """Begin with the cards in HELD and those that were played, and play these."""
    at = 0
    for number in range(len(plays)):
        for place in range(at, at + plays[number, 1]):
            d[HELD + plays[number, 0] * FACES + slots[place]] += 1
        at += plays[number, 1]
    begin(t, d, start[0], start[1])
    for seat in range(4):
        d[HAND + seat] += 1
    cards, at = np.zeros(FACES, dtype=np.int64), 0
    for number in range(len(plays)):
        cards[:] = 0
        for place in range(at, at + plays[number, 1]):
            cards[slots[place]] += 1
        at += plays[number, 1]
        d[TURN] = plays[number, 0]
        if d[NUMBER]:
            follow(t, d, cards, w)
        else:
            lead(t, d, cards, w)
