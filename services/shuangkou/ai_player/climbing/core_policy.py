"""The tiers of the climbing family: what the fast core makes of a seat's view, for a persona."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.ai_player.climbing.chance import whim
from shuangkou.ai_player.climbing.mood import grudges
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.tiers import check_budget
from shuangkou.ai_player.unanswerable import NotToAct
from shuangkou.fastplay.climbing.desk import (
    ASSIST,
    BOMB,
    IN_KIND,
    LEAD,
    MEMORY,
    SUPPORT,
    WEIGHTS,
    Desk,
)
from shuangkou.fastplay.climbing.endgame import Room, ending_of
from shuangkou.fastplay.climbing.instant import GOING_OUT, choose, weigh_acts
from shuangkou.fastplay.climbing.search import search
from shuangkou.fastplay.climbing.seen import command_for, deal_seen, show_last_hand
from shuangkou.fastplay.climbing.tables import Game, game_of
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.commands import Pass, PlayCards
from shuangkou.rules.seats import Seat

Act = PlayCards | Pass
Clock = Callable[[], float]
"""Seconds from any moment on."""
Weights = npt.NDArray[Any]

_SLIP = 0.9
"""Tricks by which a beginner misjudges an act at most."""
_ABSURD = 1.5
"""Tricks below the best from which on not even a beginner plays an act."""
_MOST_ACTS = 2048


@dataclass(frozen=True, slots=True)
class Weighed:
    """An act and what it is worth, in tricks. is_proven: to bring more than the rule policy's act, by search
    to the end of the deal."""

    act: Act
    worth: float
    is_proven: bool = False


@lru_cache(maxsize=64)
def _desk(options: ClimbingOptions) -> Desk:
    """One for each game: acts are chosen one after another."""
    return Desk(game_of(options))


@lru_cache(maxsize=64)
def _room(options: ClimbingOptions) -> Room:
    return Room(game_of(options))


def prepare(options: ClimbingOptions) -> None:
    """The tables of the game."""
    _desk(options)
    _room(options)


def weights_of(persona: Persona, view: SeatView) -> Weights:
    """The weights of a character in its present mood."""
    weights: Weights = WEIGHTS.copy()
    anger = persona.revenge * grudges(view) if persona.revenge else 0.0
    aggression = persona.aggression + anger
    weights[LEAD] *= 0.6 + aggression
    weights[SUPPORT] *= 0.3 + persona.support_partner
    weights[ASSIST] *= 0.3 + persona.support_partner
    weights[BOMB] += persona.bomb_threshold - 0.6 - anger
    weights[IN_KIND] = 0.8 - 0.5 * persona.risk
    weights[MEMORY] = float(persona.memory >= 0.5)
    return weights


def instant(options: ClimbingOptions, view: SeatView, persona: Persona) -> Act:
    """What the rule policy does, as this persona, or an act that is proven to be better; NotToAct for a view
    of another seat's turn."""
    game, desk, seat = ready(options, view, persona)
    deal = deal_seen(game, view, seat)
    if persona.whim:
        return _with_slips(options, view, persona, persona.whim)
    rule = choose(game.tables, deal, desk.floats, desk.ints)
    return command_for(game, view, deal, _or_better(game, view, persona, deal, rule))


def beginner(options: ClimbingOptions, view: SeatView, persona: Persona) -> Act:
    """The same with the slips of a beginner, who never fails to go out and never plays what is absurd."""
    return _with_slips(options, view, persona, _SLIP)


def strong(
    options: ClimbingOptions,
    view: SeatView,
    persona: Persona,
    budget_ms: float,
    clock: Clock = time.perf_counter,
) -> Act:
    """What guarded search finds within the budget on this clock; NotToAct, or BadBudget."""
    check_budget(budget_ms)
    game, desk, seat = ready(options, view, persona)
    deal = deal_seen(game, view, seat)
    rule = choose(game.tables, deal, desk.floats, desk.ints)
    play = _or_better(game, view, persona, deal, rule)
    if play == rule:
        play = search(game, view, seat, desk, budget_ms, clock).play
    return command_for(game, view, deal, play)


def weigh(options: ClimbingOptions, view: SeatView, persona: Persona) -> list[Weighed]:
    """Every legal act with its worth, the best first; one that is proven to be best has that of the best."""
    game, _, seat = ready(options, view, persona)
    deal = deal_seen(game, view, seat)
    acts, worths = _weighed(options, view, persona)
    order = np.argsort(-worths, kind="stable").tolist()
    rule = int(acts[order[0]])
    best = _or_better(game, view, persona, deal, rule)
    order.sort(key=lambda place: int(acts[place]) != best)
    worths[order[0]] = worths.max()
    return [
        Weighed(command_for(game, view, deal, act), float(worths[place]), act == best != rule)
        for place in order
        for act in (int(acts[place]),)
    ]


def _or_better(game: Game, view: SeatView, persona: Persona, deal: Weights, rule: int) -> int:
    """Where two hands are left, an act that is proven to bring more than the rule policy's; else this."""
    if view.seat is None or persona.memory < 0.5 or not show_last_hand(game, view, view.seat, deal):
        return rule
    found = ending_of(game, deal, _room(game.options), rule)
    return rule if found is None else found.play


def ready(options: ClimbingOptions, view: SeatView, persona: Persona) -> tuple[Game, Desk, Seat]:
    """The game, and a desk with the weights of the persona; NotToAct."""
    if view.seat is None or not view.is_to_act:
        raise NotToAct("it is not this seat's turn")
    desk, weights = _desk(options), weights_of(persona, view)
    desk.floats[: len(weights)] = weights
    return game_of(options), desk, view.seat


def _weighed(options: ClimbingOptions, view: SeatView, persona: Persona) -> tuple[Weights, Weights]:
    game, desk, seat = ready(options, view, persona)
    deal = deal_seen(game, view, seat)
    acts, worths = np.zeros(_MOST_ACTS, dtype=np.int64), np.zeros(_MOST_ACTS, dtype=np.float64)
    count = weigh_acts(game.tables, deal, desk.floats, desk.ints, acts, worths)
    return acts[:count], worths[:count]


def _with_slips(options: ClimbingOptions, view: SeatView, persona: Persona, strength: float) -> Act:
    game, _, seat = ready(options, view, persona)
    acts, worths = _weighed(options, view, persona)
    best = worths.max()
    slipped = worths + whim(view, len(worths), strength)
    slipped[worths < min(best, GOING_OUT) - _ABSURD] = -np.inf
    slipped[worths >= GOING_OUT / 2] += GOING_OUT
    return command_for(game, view, deal_seen(game, view, seat), int(acts[int(slipped.argmax())]))
