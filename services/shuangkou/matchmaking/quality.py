"""How even a match is: the chance of a draw between its sides, by openskill's model of two teams."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

_BETA = 25 / 6


@dataclass(frozen=True, slots=True)
class Skill:
    """An openskill rating: the middle of an estimate and its uncertainty."""

    mu: float = 25.0
    sigma: float = 25 / 3


UNKNOWN = Skill()
"""Somebody of whom nothing is known, and a bot."""

_MARGINS = {
    players: math.sqrt(players) * _BETA * NormalDist().inv_cdf((1 + 1 / players) / 2) for players in (2, 4)
}


def draw_probability(one: Sequence[Skill], other: Sequence[Skill]) -> float:
    """The chance that neither of two sides of equal size, one or two each, is the better one; 0 to 1."""
    margin = _MARGINS[len(one) + len(other)]
    gap = sum(skill.mu for skill in one) - sum(skill.mu for skill in other)
    variance = 2 * _BETA**2 + sum(skill.sigma**2 for skill in (*one, *other))
    spread = math.sqrt(2 * variance)
    return (math.erf((margin - gap) / spread) - math.erf((-margin - gap) / spread)) / 2
