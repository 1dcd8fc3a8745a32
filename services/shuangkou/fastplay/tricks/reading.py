"""A deal of `rules` as kernels read it."""

from typing import Any

import numpy.typing as npt

from shuangkou.fastplay.tricks.deal import begin
from shuangkou.fastplay.tricks.layout import HELD, KITTY, KITTY_OWNER, LEVEL_RANK, blank_deal
from shuangkou.fastplay.tricks.scores import RANK_PLAYED, results_of
from shuangkou.fastplay.tricks.tables import FACES, Game, game_of
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.state import DealState
from shuangkou.rules.tricks.view import Standing

Array = npt.NDArray[Any]


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
    deal[LEVEL_RANK] = results[RANK_PLAYED]
    deal[KITTY_OWNER] = -1 if state.kitty_owner is None else state.kitty_owner
    return game, results, deal
