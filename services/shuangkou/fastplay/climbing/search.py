"""Guarded search: candidates are rolled out in worlds that all share, and the best is tested in fresh ones.

The rule policy's own act is overruled only where the gain in points is above zero at the lower end of its
95 % interval. Everything follows from the view and the seed, but for how many worlds the budget allows.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.fastplay.chance import Stream, stream_of
from shuangkou.fastplay.climbing.deal import act
from shuangkou.fastplay.climbing.desk import Desk
from shuangkou.fastplay.climbing.instant import choose, weigh_acts
from shuangkou.fastplay.climbing.layout import OVER, TURN
from shuangkou.fastplay.climbing.payoff import settle
from shuangkou.fastplay.climbing.seen import acts_of, deal_seen
from shuangkou.fastplay.climbing.swift import foresee, swift_act
from shuangkou.fastplay.climbing.tables import PARTNERS, PLAYERS, Game
from shuangkou.fastplay.climbing.worlds import Hidden, hidden_from, sample_world
from shuangkou.fastplay.guard import Gains
from shuangkou.fastplay.kernel import kernel
from shuangkou.rules.climbing.view import SeatView
from shuangkou.rules.seats import Seat

Array = npt.NDArray[Any]

Clock = Callable[[], float]
"""Seconds from any moment on."""

MOST_CANDIDATES = 12
MOST_NOMINATING = 100
MOST_TESTING = 1000
_NOMINATING_SHARE = 0.5
_HALVED_AFTER = (10, 30)
"""Worlds after which half of the candidates are given up."""


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
    clock: Clock

    def points(self, plays: Array) -> list[float]:
        """What each of these acts brings the seat in one world, played on by the rollout policy."""
        gains = np.zeros(len(plays), dtype=np.float64)
        hidden = (self.hidden.pool, self.hidden.known, self.hidden.passes)
        try_plays(
            self.game.tables,
            self.deal,
            (self.desk.floats, self.desk.ints),
            hidden,
            self.stream,
            (plays, gains),
        )
        found: list[float] = gains.tolist()
        return found


def search(
    game: Game,
    view: SeatView,
    seat: Seat,
    desk: Desk,
    budget_ms: float,
    clock: Clock = time.monotonic,
) -> Found:
    """The act for the seat to act, after at most `budget_ms` and one world more."""
    until = clock() + budget_ms / 1000
    deal = deal_seen(game, view, seat)
    rule = choose(game.tables, deal, desk.floats, desk.ints)
    plays = _candidates(game, deal, desk, rule)
    if len(plays) == 1 or budget_ms <= 0:
        return Found(rule, rule, Gains(), 0)
    hidden = hidden_from(game, view, seat, acts_of(game, view)[0][:, 0])
    seed = view.seed_hash + f"/{view.deal_number}/{len(view.history)}/{seat}".encode()
    foresee(game.tables, deal, seat, desk.floats, desk.ints)
    trial = Trial(game, deal, hidden, desk, stream_of(seed), clock)
    nominee, worlds = nominate(trial, plays, clock() + (until - clock()) * _NOMINATING_SHARE)
    if nominee == rule:
        return Found(rule, rule, Gains(), worlds)
    gains = prove(trial, nominee, rule, until)
    return Found(nominee if gains.is_proven else rule, rule, gains, worlds + gains.count)


def _candidates(game: Game, deal: Array, desk: Desk, rule: int) -> list[int]:
    """The rule policy's act, and those that it weighs highest."""
    acts, worths = np.zeros(512, dtype=np.int64), np.zeros(512, dtype=np.float64)
    count = weigh_acts(game.tables, deal, desk.floats, desk.ints, acts, worths)
    order = np.argsort(-worths[:count], kind="stable")
    others = [play for play in acts[order].tolist() if play != rule]
    return [rule, *others[: MOST_CANDIDATES - 1]]


def nominate(trial: Trial, plays: list[int], until: float) -> tuple[int, int]:
    """The act that brought most in worlds that were the same for all, and how many there were.

    The first of the plays is kept to the end.
    """
    left = list(plays)
    sums = dict.fromkeys(left, 0.0)
    worlds = 0
    while worlds < MOST_NOMINATING and (trial.clock() < until or not worlds):
        for play, points in zip(left, trial.points(np.array(left, dtype=np.int64)), strict=True):
            sums[play] += points
        worlds += 1
        if worlds in _HALVED_AFTER and len(left) > 2:
            best = sorted(left[1:], key=lambda play: -sums[play])
            left = [left[0], *best[: max(1, len(left) // 2)]]
    return max(left, key=lambda play: sums[play]), worlds


def prove(trial: Trial, nominee: int, rule: int, until: float) -> Gains:
    """What the nominee gains over the rule policy's act in fresh worlds."""
    gains, both = Gains(), np.array([nominee, rule], dtype=np.int64)
    while gains.count < MOST_TESTING and trial.clock() < until and not gains.is_hopeless:
        one, other = trial.points(both)
        gains.add(one - other)
    return gains


@kernel
def try_plays(
    t: Array,
    d: Array,
    desk: tuple[Array, Array],
    hidden: tuple[Array, Array, Array],
    stream: Array,
    trial: tuple[Array, Array],
) -> None:
    """Sample a world, and write what each play brings in it to the seat to act."""
    x, n = desk
    plays, gains = trial
    world = d.copy()
    sample_world(t, world, hidden, stream)
    points, cards = np.zeros(4, dtype=np.int64), np.zeros(64, dtype=np.int64)
    run = world.copy()
    for number in range(len(plays)):
        run[:] = world
        act(t, run, plays[number], cards)
        while not run[OVER]:
            act(t, run, swift_act(t, run, x, n), cards)
        settle(t, run, points)
        gains[number] = margin(t, points, d[TURN])


@kernel
def margin(t: Array, points: Array, seat: int) -> float:
    """Points of the seat's side beyond the others', each by the seat."""
    if t[PARTNERS]:
        own = points[seat] + points[seat ^ 2]
        return (2.0 * own - (points[0] + points[1] + points[2] + points[3])) / 4.0
    others = points[0] + points[1] + points[2] + points[3] - points[seat]
    return points[seat] - others / (t[PLAYERS] - 1.0)
