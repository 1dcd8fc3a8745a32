"""Elo from a pool of players: Bradley–Terry over all pairs, with a Bayesian bootstrap over the deals.

Each deal of a pair gets a weight by chance, and so do half a deal won and half a deal lost that nobody
played: for deals of all or nothing that is Jeffreys' interval, which has a width even
where every deal was won.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Results = Mapping[tuple[str, str], Sequence[float]]
"""By pair of players, deal by deal: 1, 0.5 or 0 for the first of them."""

Wins = Mapping[tuple[str, str], tuple[float, float]]
"""By pair of players, how many deals each of them won; both above 0."""

_STEPS, _LONGEST, _SETTLED = 100, 1.0, 1e-9
"""Of Newton's method, in logarithms of strength."""
_ELO = 400.0
_GHOST = 0.5
"""Of a deal, won and lost in each pair beside those that were played, so that who lost every deal has a
rating as well."""
_LEAST = 1e-5
"""Of the deals of a pair, which each player is thought to win: else chance draws ratings without end."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A player's Elo, the mean of the pool being 0, with its 95 % interval."""

    name: str
    elo: float
    low: float
    high: float


def ladder(results: Results, rounds: int = 200, seed: int = 1) -> list[Rung]:
    """From the best player down."""
    names = sorted({name for pair in results for name in pair})
    chance = np.random.default_rng(seed)
    ratings = elo(names, results)
    drawn = np.array([_ratings(names, _reweighed(results, chance)) for _ in range(rounds)])
    low, high = np.percentile(drawn, (2.5, 97.5), axis=0)
    rungs = [Rung(name, float(ratings[i]), float(low[i]), float(high[i])) for i, name in enumerate(names)]
    return sorted(rungs, key=lambda rung: -rung.elo)


def _reweighed(results: Results, chance: np.random.Generator) -> Wins:
    """Wins by deals of which each counts for as much as chance will have it."""
    wins = {}
    for pair, deals in results.items():
        weights, ghosts = chance.exponential(size=len(deals)), chance.gamma(_GHOST, size=2)
        scale = (len(deals) + 2 * _GHOST) / (weights.sum() + ghosts.sum())
        won = float(scale * (weights @ np.array(deals) + ghosts[0]))
        least = _LEAST * len(deals)
        won = min(max(won, least), len(deals) + 2 * _GHOST - least)
        wins[pair] = won, len(deals) + 2 * _GHOST - won
    return wins


def elo(names: Sequence[str], results: Results) -> Array:
    """Ratings in the order of the names."""
    return _ratings(
        names,
        {pair: (sum(deals) + _GHOST, len(deals) - sum(deals) + _GHOST) for pair, deals in results.items()},
    )


def _ratings(names: Sequence[str], won: Wins) -> Array:
    """The maximum of likelihood, which is concave in the ratings, so that Newton's short steps reach it."""
    place = {name: number for number, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for (first, second), (firsts, seconds) in won.items():
        wins[place[first], place[second]] += firsts
        wins[place[second], place[first]] += seconds
    games, logs = wins + wins.T, np.zeros(len(names))
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(logs[None, :] - logs[:, None]))
        doubts = games * chances * chances.T
        # All ratings may move together: the ones take that out of the equations.
        curvature = np.diag(doubts.sum(axis=1)) - doubts + np.ones_like(doubts)
        step = np.linalg.solve(curvature, (wins - games * chances).sum(axis=1))
        logs += step * min(1.0, _LONGEST / max(_SETTLED, np.abs(step).max()))
        if np.abs(step).max() < _SETTLED:
            break
    ratings: Array = _ELO * (logs - logs.mean()) / log(10)
    return ratings
