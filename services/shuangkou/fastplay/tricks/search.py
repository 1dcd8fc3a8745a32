"""Guarded search: candidates are rolled out in worlds that all share, and the best is tested in fresh ones.

The rule policy's own act is overruled only where the gain is above zero at the lower end of its 95 %
interval, one-sided. Everything follows from the view and the seed, but for how many worlds the budget allows.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import Stream, stream_of
from shuangkou.fastplay.guard import Gains, Pace
from shuangkou.fastplay.tricks.desk import ACTS, WORTHS, Desk
from shuangkou.fastplay.tricks.instant import weigh_acts
from shuangkou.fastplay.tricks.layout import ATTACKERS
from shuangkou.fastplay.tricks.reading import deal_seen, deal_to_bury
from shuangkou.fastplay.tricks.rollouts import try_acts
from shuangkou.fastplay.tricks.scores import results_of, values_of
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
_WORSE = 12.0
"""Points below the rule policy's act from which on an act is not tried."""
_HALVED_AFTER = (6, 12, 24, 48)
"""Worlds after which half of the challengers are given up, until one is left."""
_NOMINATING_SHARE = 0.6
"""Of the budget: then whoever leads is tested."""
_MOST_TESTED = 4
"""Challengers that are tested one after another, while there is time: most of them are hopeless soon."""
_MOST_TESTING = 1000
_GUARD = 1.645
"""Standard errors by which the mean gain of a challenger is above zero at least: one side of 95 %."""
_BEYOND_DOUBT = 3.0
"""Standard errors above zero from which on more worlds tell nothing new."""
_HOPE = -0.7
"""Standard errors, below zero, under which a challenger is given up."""


@dataclass(frozen=True, slots=True)
class Found:
    """cards: what to play or bury; rule: what the rule policy does, both by slot. gains: of the nominee over
    it in fresh worlds, in levels. worlds: how many were rolled out in all."""

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
    values: Array
    deal: Array
    hidden: Hidden
    desk: Desk
    stream: Stream
    pace: Pace

    def gains(self, acts: Array, worlds: int = 1) -> Array:
        """[worlds, acts] what each act brings the seat, in levels, played on by the rule policy."""
        gains = np.zeros((worlds, len(acts)), dtype=np.float64)
        game = (self.game.tables, self.results, self.values)
        desk = (self.desk.floats, self.desk.ints)
        try_acts(game, self.deal, desk, self.hidden.arrays, self.stream, (acts, gains))
        return gains

    def has_time_for_a_world(self, acts: Array, until: float) -> bool:
        """Whether all these acts can be rolled out once until then. One rollout tells how long that takes:
        of four packs a world of twelve acts may take 15 ms. That of the last act, since the first may end the
        deal at once."""
        replace(self, stream=self.stream.copy()).gains(acts[-1:])
        self.pace.took(1)
        return self.pace.has_time(len(acts), until)


def trial_of(options: TricksOptions, view: SeatView, seat: Seat, desk: Desk, clock: Clock) -> Trial:
    """The trial of a play; ValueError where nothing is being played."""
    return _trial(options, view, desk, clock, deal_seen(options, view, seat, desk.ints))


def trial_of_burials(options: TricksOptions, view: SeatView, seat: Seat, desk: Desk, clock: Clock) -> Trial:
    """The trial of a burial; ValueError where it is not known yet who leads against whom."""
    return _trial(options, view, desk, clock, deal_to_bury(options, view, seat, desk.ints))


def _trial(
    options: TricksOptions, view: SeatView, desk: Desk, clock: Clock, seen: tuple[Game, Array]
) -> Trial:
    game, deal = seen
    asked = options, view.standing.levels, Side(int(deal[ATTACKERS]))
    seed = view.seed_hash + f"/{view.deal_number}/{len(view.history)}/{view.seat}".encode()
    hidden, stream = hidden_from(game, view), stream_of(seed)
    return Trial(game, results_of(*asked), values_of(*asked), deal, hidden, desk, stream, Pace(clock))


def search(
    options: TricksOptions,
    view: SeatView,
    seat: Seat,
    desk: Desk,
    budget_ms: float,
    clock: Clock = time.monotonic,
) -> Found:
    """The play for the seat to act, after about `budget_ms`."""
    until = clock() + budget_ms / 1000
    trial = trial_of(options, view, seat, desk, clock)
    return find(trial, candidates(trial), until)


def find(trial: Trial, acts: Array, until: float) -> Found:
    """The best of these acts. The first is the rule policy's; the others challenge it."""
    rule, began = acts[0], trial.pace.begin()
    if len(acts) == 1 or began >= until or not trial.has_time_for_a_world(acts, until):
        return Found(trial.game, rule, rule, Gains(), 0)
    challengers, worlds = nominate(trial, acts, began + _NOMINATING_SHARE * (until - began))
    gains = Gains()
    for challenger in challengers[:_MOST_TESTED]:
        tested = prove(trial, acts[[challenger, 0]], until)
        if not tested.count:
            break
        gains, worlds = tested, worlds + tested.count
        if gains.is_believed and gains.is_above(_GUARD):
            return Found(trial.game, acts[challenger], rule, gains, worlds)
    return Found(trial.game, rule, rule, gains, worlds)


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


def nominate(trial: Trial, acts: Array, until: float) -> tuple[list[int], int]:
    """The challengers of the first act, those that last longest in worlds that all share first; how many
    worlds."""
    left, fallen, worlds = list(range(len(acts))), list[int](), 0
    sums = np.zeros(len(acts))
    for halved_after in _HALVED_AFTER:
        if len(left) == 2:
            break
        while worlds < halved_after and (trial.pace.has_time(len(left), until) or not worlds):
            count = trial.pace.rounds(len(left), halved_after - worlds) if worlds else 1
            sums[left] += trial.gains(acts[left], count).sum(axis=0)
            trial.pace.took(count * len(left))
            worlds += count
        ranked = sorted(left[1:], key=lambda place: -sums[place])
        kept = max(1, len(ranked) // 2)
        left, fallen = [0, *ranked[:kept]], ranked[kept:] + fallen
    return left[1:] + fallen, worlds


def prove(trial: Trial, both: Array, until: float) -> Gains:
    """What the first act gains over the second in fresh worlds, until that is clear or time is up."""
    gains = Gains()
    while gains.count < _MOST_TESTING and trial.pace.has_time(2, until):
        count = trial.pace.rounds(2, _MOST_TESTING - gains.count)
        for one, other in trial.gains(both, count).tolist():
            gains.add(one - other)
        trial.pace.took(2 * count)
        if gains.is_believed and (gains.is_above(_BEYOND_DOUBT) or not gains.is_above(_HOPE)):
            break
    return gains


def cards_of(found: Found) -> tuple[Card, ...]:
    """The cards to play or to bury."""
    return found.game.cards(found.cards)
