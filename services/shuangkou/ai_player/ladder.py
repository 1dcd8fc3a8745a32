"""Elo from a pool of players: Bradley–Terry over all pairs, with a bootstrap over the deals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Results = Mapping[tuple[str, str], Sequence[float]]
"""By pair of players, deal by deal: 1, 0.5 or 0 for the first of them."""

_ROUNDS = 500
_ELO = 400.0
_GHOST = 0.5
"""A draw is added to each pair, so that who lost every deal has a rating as well."""


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
    resampled = np.array([elo(names, _resampled(results, chance)) for _ in range(rounds)])
    low, high = np.percentile(resampled, (2.5, 97.5), axis=0)
    rungs = [Rung(name, float(ratings[i]), float(low[i]), float(high[i])) for i, name in enumerate(names)]
    return sorted(rungs, key=lambda rung: -rung.elo)


def _resampled(results: Results, chance: np.random.Generator) -> Results:
    return {
        pair: [deals[number] for number in chance.integers(0, len(deals), len(deals))]
        for pair, deals in results.items()
    }


def elo(names: Sequence[str], results: Results) -> Array:
    """Ratings in the order of the names: the maximum of likelihood by minorisation and maximisation."""
    place = {name: number for number, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for (first, second), deals in results.items():
        wins[place[first], place[second]] += sum(deals) + _GHOST
        wins[place[second], place[first]] += len(deals) - sum(deals) + _GHOST
    strengths, games = np.ones(len(names)), wins + wins.T
    for _ in range(_ROUNDS):
        expected = games / (strengths[:, None] + strengths[None, :])
        strengths = wins.sum(axis=1) / expected.sum(axis=1)
        strengths /= np.exp(np.log(strengths).mean())
    return np.array([_ELO * log10(strength) for strength in strengths])
