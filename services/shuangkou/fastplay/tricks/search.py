"""Guarded search: candidates are rolled out in worlds that all share, and the best is tested in fresh ones.

The rule policy's own play is overruled only where the gain is above zero at the lower end of its 95 %
interval. Everything follows from the view and the seed, but for how many worlds the budget allows.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import Stream, stream_of
from shuangkou.fastplay.guard import Gains
from shuangkou.fastplay.tricks.desk import ACTS, WORTHS, Desk
from shuangkou.fastplay.tricks.instant import weigh_acts
from shuangkou.fastplay.tricks.layout import ATTACKERS
from shuangkou.fastplay.tricks.reading import deal_seen
from shuangkou.fastplay.tricks.rollouts import try_plays
from shuangkou.fastplay.tricks.scores import results_of
from shuangkou.fastplay.tricks.tables import FACES, Game
from shuangkou.fastplay.tricks.worlds import Hidden, hidden_from
from shuangkou.rules.cards import Card
from shuangkou.rules.seats import Seat, Side
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.view import SeatView

Array = npt.NDArray[Any]

Clock = Callable[[], float]
"""Seconds from any moment on."""

MOST_CANDIDATES = 12
MOST_NOMINATING = 100
MOST_TESTING = 1000
_WORSE = 12.0
"""Points below the rule policy's act from which on an act is not tried."""
_NOMINATING_SHARE = 0.5
_HALVED_AFTER = (6, 16, 40)
"""Worlds after which half of the candidates are given up."""


@dataclass(frozen=True, slots=True)
class Found:
    """cards: what to play; rule: what the rule policy plays, both by slot. gains: of the nominee over it in
    fresh worlds, in points of a deal. worlds: how many were rolled out in all."""

    game: Game
    cards: Array
    rule: Array
    gains: Gains
    worlds: int


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """All that one decision needs: the deal as seen, what is hidden, and what chance follows."""

    game: Game
    results: Array
    deal: Array
    hidden: Hidden
    desk: Desk
    stream: Stream
    clock: Clock

    def gains(self, plays: Array) -> list[float]:
        """What each of these plays brings the seat in one world, played on by the rule policy."""
        gains = np.zeros(len(plays), dtype=np.float64)
        hidden = (self.hidden.pool, self.hidden.known)
        desk = (self.desk.floats, self.desk.ints)
        try_plays((self.game.tables, self.results), self.deal, desk, hidden, self.stream, (plays, gains))
        found: list[float] = gains.tolist()
        return found


def trial_of(options: TricksOptions, view: SeatView, seat: Seat, desk: Desk, clock: Clock) -> Trial:
    """The trial of a decision; ValueError where nothing is being played."""
    game, deal = deal_seen(options, view, seat, desk.ints)
    results = results_of(options, view.standing.levels, Side(int(deal[ATTACKERS])))
    seed = view.seed_hash + f"/{view.deal_number}/{len(view.history)}/{seat}".encode()
    return Trial(game, results, deal, hidden_from(game, view, seat), desk, stream_of(seed), clock)


def search(
    options: TricksOptions,
    view: SeatView,
    seat: Seat,
    desk: Desk,
    budget_ms: float,
    clock: Clock = time.monotonic,
) -> Found:
    """The play for the seat to act, after at most `budget_ms` and one world more."""
    until = clock() + budget_ms / 1000
    trial = trial_of(options, view, seat, desk, clock)
    plays = candidates(trial)
    if len(plays) == 1 or budget_ms <= 0:
        return Found(trial.game, plays[0], plays[0], Gains(), 0)
    nominee, worlds = nominate(trial, plays, clock() + (until - clock()) * _NOMINATING_SHARE)
    if nominee == 0:
        return Found(trial.game, plays[0], plays[0], Gains(), worlds)
    gains = prove(trial, plays[[nominee, 0]], until)
    best = nominee if gains.is_proven else 0
    return Found(trial.game, plays[best], plays[0], gains, worlds + gains.count)


def candidates(trial: Trial) -> Array:
    """The plays that the rule policy weighs highest, each once, its own first."""
    floats, ints = trial.desk.floats, trial.desk.ints
    count = weigh_acts(trial.game.tables, trial.deal, floats, ints)
    acts = ints[ACTS : ACTS + count * FACES].reshape(count, FACES)
    worths = floats[WORTHS : WORTHS + count]
    order = np.argsort(-worths, kind="stable")
    ranked = order[worths[order] >= worths.max() - _WORSE].tolist()
    distinct = list({acts[place].tobytes(): place for place in reversed(ranked)}.values())[::-1]
    return acts[distinct[:MOST_CANDIDATES]].copy()


def nominate(trial: Trial, plays: Array, until: float) -> tuple[int, int]:
    """The play that brought most in worlds that were the same for all, and how many there were.

    The first of the plays is kept to the end.
    """
    left = list(range(len(plays)))
    sums = [0.0] * len(plays)
    worlds = 0
    while worlds < MOST_NOMINATING and (trial.clock() < until or not worlds):
        for place, gain in zip(left, trial.gains(plays[left]), strict=True):
            sums[place] += gain
        worlds += 1
        if worlds in _HALVED_AFTER and len(left) > 2:
            best = sorted(left[1:], key=lambda place: -sums[place])
            left = [left[0], *best[: max(1, len(left) // 2)]]
    return max(left, key=lambda place: sums[place]), worlds


def prove(trial: Trial, both: Array, until: float) -> Gains:
    """What the first play gains over the second in fresh worlds."""
    gains = Gains()
    while gains.count < MOST_TESTING and trial.clock() < until and not gains.is_hopeless:
        one, other = trial.gains(both)
        gains.add(one - other)
    return gains


def cards_of(found: Found) -> tuple[Card, ...]:
    """The cards to play."""
    return found.game.cards(found.cards)
