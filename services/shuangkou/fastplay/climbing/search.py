"""Guarded search: candidates are rolled out in worlds that all share, and the best is tested in fresh ones.

The rule policy's own act is overruled only where the gain in points is above zero at the lower end of its
95 % interval. Everything follows from the view and the seed, but for how many worlds the budget allows.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import Stream, stream_of
from shuangkou.fastplay.climbing.deal import act
from shuangkou.fastplay.climbing.desk import Desk
from shuangkou.fastplay.climbing.evidence import no_evidence
from shuangkou.fastplay.climbing.instant import choose, weigh_acts
from shuangkou.fastplay.climbing.layout import OVER, TURN
from shuangkou.fastplay.climbing.payoff import settle
from shuangkou.fastplay.climbing.seen import deal_seen
from shuangkou.fastplay.climbing.swift import swift_act
from shuangkou.fastplay.climbing.tables import PARTNERS, PLAYERS, Game
from shuangkou.fastplay.climbing.worlds import Hidden, hidden_from, sample_world
from shuangkou.fastplay.guard import Gains, Pace
from shuangkou.fastplay.kernel import kernel
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.seats import Seat

Array = npt.NDArray[Any]

Clock = Callable[[], float]
"""Seconds from any moment on."""

MOST_CANDIDATES = 12
WORSE = 3.0
"""Tricks below the best worth from which on an act is no candidate."""
HALVED_AFTER = (6, 12, 24, 48)
"""Worlds after which half of the challengers are given up, until one is left."""
NOMINATING_SHARE = 0.6
"""Of the budget: then whoever leads is tested."""
MOST_TESTED = 2
MOST_TESTING = 400
GUARD = 1.645
"""Standard errors by which the mean gain of a challenger is above zero at least: one side of 95 %."""
_BEYOND_DOUBT = 3.0
"""Standard errors above zero from which on more worlds tell nothing new."""
_HOPE = -0.7
"""Standard errors, below zero, under which a challenger is given up."""


@dataclass(frozen=True, slots=True)
class Found:
    """play: what to do. rule: what the rule policy does. gains: of the nominee over it in fresh worlds, in
    points. worlds: how many were rolled out in all."""

    play: int
    rule: int
    gains: Gains
    worlds: int


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """All that one decision needs: the deal as seen, what is hidden, and what chance follows."""

    game: Game
    deal: Array
    hidden: Hidden
    desk: Desk
    stream: Stream
    pace: Pace

    def points(self, plays: list[int], worlds: int) -> Array:
        """[worlds, plays] what each of these acts brings the seat, played on by the rollout policy."""
        gains = np.zeros((worlds, len(plays)), dtype=np.float64)
        chosen = np.array(plays, dtype=np.int64)
        desk = (self.desk.floats, self.desk.ints)
        try_plays(self.game.tables, self.deal, desk, self.hidden.arrays, self.stream, (chosen, gains))
        return gains

    def has_time_for_a_world(self, plays: list[int], until: float) -> bool:
        """Whether all these acts can be rolled out once until then. One rollout tells how long that takes:
        of four packs a world of twelve acts may take 15 ms. That of the last act, since the first may end the
        deal at once."""
        replace(self, stream=self.stream.copy()).points(plays[-1:], 1)
        self.pace.took(1)
        return self.pace.has_time(len(plays), until)


def search(
    game: Game,
    view: SeatView,
    seat: Seat,
    desk: Desk,
    budget_ms: float,
    clock: Clock = time.monotonic,
) -> Found:
    """The act for the seat to act, after about `budget_ms`."""
    until = clock() + budget_ms / 1000
    evidence = no_evidence()
    deal = deal_seen(game, view, seat, evidence)
    rule = choose(game.tables, deal, desk.floats, desk.ints)
    plays = candidates(game, deal, desk, rule)
    if len(plays) == 1 or budget_ms <= 0:
        return Found(rule, rule, Gains(), 0)
    hidden = hidden_from(game, view, seat, deal, evidence)
    seed = view.seed_hash + f"/{view.deal_number}/{len(view.history)}/{seat}".encode()
    return find(Trial(game, deal, hidden, desk, stream_of(seed), Pace(clock)), plays, until)


def find(trial: Trial, plays: list[int], until: float) -> Found:
    """The best of these plays. The first is the rule policy's; the others challenge it, the best first."""
    rule, began = plays[0], trial.pace.begin()
    if began >= until or not trial.has_time_for_a_world(plays, until):
        return Found(rule, rule, Gains(), 0)
    challengers, worlds = nominate(trial, plays, began + NOMINATING_SHARE * (until - began))
    gains = Gains()
    for challenger in challengers[:MOST_TESTED]:
        tested = prove(trial, challenger, rule, until)
        if not tested.count:
            break
        gains, worlds = tested, worlds + tested.count
        if gains.is_believed and gains.is_above(GUARD):
            return Found(challenger, rule, gains, worlds)
    return Found(rule, rule, gains, worlds)


def candidates(game: Game, deal: Array, desk: Desk, rule: int) -> list[int]:
    """The rule policy's act, and those that it weighs highest, none far below the best."""
    acts, worths = np.zeros(512, dtype=np.int64), np.zeros(512, dtype=np.float64)
    count = weigh_acts(game.tables, deal, desk.floats, desk.ints, acts, worths)
    worths = worths[:count]
    order = np.argsort(-worths, kind="stable")
    near = order[worths[order] > worths.max() - WORSE]
    others = [play for play in acts[near].tolist() if play != rule]
    return [rule, *others[: MOST_CANDIDATES - 1]]


def nominate(trial: Trial, plays: list[int], until: float) -> tuple[list[int], int]:
    """The challengers of the first play, those that last longest in worlds that all share first; how many
    worlds."""
    left, worlds = list(plays), 0
    sums = dict.fromkeys(left, 0.0)
    fallen: list[int] = []
    for halved_after in HALVED_AFTER:
        if len(left) == 2:
            break
        while worlds < halved_after and (trial.pace.has_time(len(left), until) or not worlds):
            count = trial.pace.rounds(len(left), halved_after - worlds) if worlds else 1
            for play, points in zip(left, trial.points(left, count).sum(axis=0).tolist(), strict=True):
                sums[play] += points
            trial.pace.took(count * len(left))
            worlds += count
        ranked = sorted(left[1:], key=lambda play: -sums[play])
        kept = max(1, len(ranked) // 2)
        left, fallen = [left[0], *ranked[:kept]], ranked[kept:] + fallen
    return left[1:] + fallen, worlds


def prove(trial: Trial, challenger: int, rule: int, until: float) -> Gains:
    """What the challenger gains over the rule policy's act in fresh worlds, until that is clear or time is
    up."""
    gains = Gains()
    while gains.count < MOST_TESTING and trial.pace.has_time(2, until):
        count = trial.pace.rounds(2, MOST_TESTING - gains.count)
        for one, other in trial.points([challenger, rule], count).tolist():
            gains.add(one - other)
        trial.pace.took(2 * count)
        if gains.is_believed and (gains.is_above(_BEYOND_DOUBT) or not gains.is_above(_HOPE)):
            break
    return gains


@kernel
def try_plays(
    t: Array,
    d: Array,
    desk: tuple[Array, Array],
    hidden: tuple[Array, Array, Array, Array, Array],
    stream: Array,
    trial: tuple[Array, Array],
) -> None:
    """Sample worlds, one for each row, and write what each play brings in it to the seat to act."""
    x, n = desk
    plays, gains = trial
    points, cards = np.zeros(4, dtype=np.int64), np.zeros(64, dtype=np.int64)
    world, run = d.copy(), d.copy()
    for row in range(len(gains)):
        world[:] = d
        sample_world(t, world, hidden, stream)
        for number in range(len(plays)):
            run[:] = world
            act(t, run, plays[number], cards)
            while not run[OVER]:
                act(t, run, swift_act(t, run, x, n), cards)
            settle(t, run, points)
            gains[row, number] = margin(t, points, d[TURN])


@kernel
def margin(t: Array, points: Array, seat: int) -> float:
    """Points of the seat's side beyond the others', each by the seat."""
    if t[PARTNERS]:
        own = points[seat] + points[seat ^ 2]
        return (2.0 * own - (points[0] + points[1] + points[2] + points[3])) / 4.0
    others = points[0] + points[1] + points[2] + points[3] - points[seat]
    return points[seat] - others / (t[PLAYERS] - 1.0)
