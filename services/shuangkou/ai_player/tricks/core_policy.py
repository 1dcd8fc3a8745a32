"""The tiers of the trick-taking family: what the fast core makes of a seat's view, for a persona."""

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.ai_player.mind import Clock
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.tiers import check_budget
from shuangkou.ai_player.tricks.chance import whims
from shuangkou.ai_player.unanswerable import NotToAct
from shuangkou.fastplay.tricks.desk import ACTS, DRAW, FEED, LEADS, MEMORY, WEIGHTS, WILLING, WORTHS, Desk
from shuangkou.fastplay.tricks.instant import weigh_acts
from shuangkou.fastplay.tricks.reading import deal_seen
from shuangkou.fastplay.tricks.search import cards_of, search
from shuangkou.fastplay.tricks.tables import FACES
from shuangkou.rules.commands import PlayCards
from shuangkou.rules.seats import Seat
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.view import SeatView

Weights = npt.NDArray[Any]

_STRAYING = 6.0
"""Points that a whim of 1 may cost."""
_SLIP = 6.0
"""Points by which a beginner misjudges a play at most."""
_ABSURD = 10.0
"""Points below the best from which on not even a beginner plays an act."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A play and what it is worth, in points."""

    act: PlayCards
    worth: float


@lru_cache(maxsize=1)
def _desk() -> Desk:
    """One for all games: acts are chosen one after another."""
    return Desk()


def desk_of(persona: Persona, view: SeatView) -> Desk:
    """The desk with the weights of the persona."""
    weights = weights_of(persona, view)
    _desk().floats[: len(weights)] = weights
    return _desk()


def weights_of(persona: Persona, view: SeatView) -> Weights:
    """The weights of a character in its present mood."""
    weights: Weights = WEIGHTS.copy()
    is_behind = view.seat is not None and view.standing.totals[view.seat] < 0
    aggression = persona.aggression + (persona.revenge if is_behind else 0.0)
    weights[LEADS] *= 0.6 + aggression
    weights[DRAW] *= 0.6 + aggression
    weights[FEED] *= 0.3 + persona.support_partner
    weights[WILLING] = min(1.0, weights[WILLING] + 0.4 - persona.risk)
    weights[MEMORY] = persona.memory >= 0.5
    return weights


def instant(options: TricksOptions, view: SeatView, persona: Persona) -> PlayCards:
    """The play that is worth most to the persona, but for its whims; NotToAct."""
    weighed = weigh(options, view, persona)
    strays = whims(view, len(weighed), _STRAYING * persona.whim)
    return max(zip(weighed, strays, strict=True), key=lambda pair: pair[0].worth + pair[1])[0].act


def beginner(options: TricksOptions, view: SeatView, persona: Persona) -> PlayCards:
    """The same with a player's slips, but nothing that nobody would play; NotToAct."""
    weighed = weigh(options, view, persona)
    slips = whims(view, len(weighed), _SLIP)
    least = weighed[0].worth - _ABSURD
    sound = [pair for pair in zip(weighed, slips, strict=True) if pair[0].worth >= least]
    return max(sound, key=lambda pair: pair[0].worth + pair[1])[0].act


def strong(
    options: TricksOptions,
    view: SeatView,
    persona: Persona,
    budget_ms: float,
    clock: Clock = time.monotonic,
) -> PlayCards:
    """The play that guarded search finds within the budget; NotToAct, or BadBudget."""
    check_budget(budget_ms)
    seat = asked(view)
    return PlayCards(seat, cards_of(search(options, view, seat, desk_of(persona, view), budget_ms, clock)))


def weigh(options: TricksOptions, view: SeatView, persona: Persona) -> list[Weighed]:
    """Plays worth a thought with what each is worth, the best first; NotToAct."""
    seat, used = asked(view), desk_of(persona, view)
    floats, ints = used.floats, used.ints
    game, deal = deal_seen(options, view, seat, ints)
    count = weigh_acts(game.tables, deal, floats, ints)
    acts = ints[ACTS : ACTS + count * FACES].reshape(count, FACES)
    worths = floats[WORTHS : WORTHS + count]
    order = np.argsort(-worths, kind="stable").tolist()
    return [Weighed(PlayCards(seat, game.cards(acts[place])), float(worths[place])) for place in order]


def asked(view: SeatView) -> Seat:
    """The seat of the view; NotToAct where it is another one's turn."""
    if view.seat is None or not view.is_to_act:
        raise NotToAct("it is not this seat's turn")
    return view.seat
