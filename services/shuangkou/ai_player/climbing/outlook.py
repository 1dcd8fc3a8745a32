"""How likely a play is to win its trick, from the cards that have not been seen."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from shuangkou.ai_player.climbing.features import Features, Floats, Ints

_NEVER = 1e-9


@dataclass(frozen=True, slots=True)
class Rival:
    """An opponent as far as a play has to fear it.

    size: cards that it holds. in_kind, with_bomb: how readily it beats a play if it can, 0 to 1.
    """

    size: int
    in_kind: float
    with_bomb: float


def win_chances(features: Features, unseen: Ints, rivals: Iterable[Rival]) -> Floats:
    """For every row, the chance that no rival beats it; unseen: cards of each rank that may be anywhere."""
    beaten = np.zeros(len(features.sizes), dtype=np.float32)
    for rival in rivals:
        willing = np.where(features.is_bomb, rival.with_bomb, rival.in_kind).astype(np.float32)
        beaten += np.log1p(-willing * _held(features, unseen, rival.size))
    chances: Floats = np.exp(features.beaten_by @ beaten)
    return chances


def _held(features: Features, unseen: Ints, hand_size: int) -> Floats:
    """For every row, the chance that a hand of this size, drawn from the unseen cards, holds it."""
    total = int(unseen.sum())
    if not total or not hand_size:
        return np.zeros(len(features.sizes), dtype=np.float32)
    tails = _binomial_tails(int(unseen.max()), features.widest, hand_size, total)
    by_need = np.log(np.maximum(tails[unseen], _NEVER)).astype(np.float32)
    held: Floats = np.exp(by_need.reshape(-1) @ features.selects)
    held[features.sizes > hand_size] = 0
    return held


@lru_cache(maxsize=4096)
def _binomial_tails(most: int, widest: int, hand_size: int, total: int) -> npt.NDArray[np.float64]:
    """[u, n]: the chance that at least n of u cards are in the hand."""
    share = min(1.0, hand_size / total)
    tails = np.zeros((most + 1, widest))
    for held in range(most + 1):
        exactly = [comb(held, k) * share**k * (1 - share) ** (held - k) for k in range(held + 1)]
        for need in range(widest):
            tails[held, need] = sum(exactly[need:])
    return tails
