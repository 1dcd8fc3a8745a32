"""What a hand costs to get rid of: how many tricks others must give, less those that it can win."""

import numpy as np

from shuangkou.ai_player.climbing.features import Features, Floats, Ints

_IMPOSSIBLE = 64.0
_GRAIN = 1024.0


def row_costs(chances: Floats, control: float) -> Floats:
    """For every row, 1 for a play that never wins down to -control for one that always does.

    Rounded to a fine grain, so that sums are exact and the same on every machine.
    """
    costs: Floats = np.round((1 - (1 + control) * chances) * _GRAIN) / np.float32(_GRAIN)
    return costs.astype(np.float32)


def hand_costs(features: Features, held: Ints, costs: Floats, hands: Ints) -> Floats:
    """For every row of `hands` (counts, each at most those `held`), the cost of its best known plan.

    A plan takes equal cards together, then takes out, one by one, the run or chain that saves most.
    """
    sets = _set_costs(features, held, costs)
    savings = _savings(sets, features.widest)
    spreads = features.spreads[(features.needs[features.spreads] <= held).all(axis=1)]
    selects, needs = features.selects[:, spreads], features.needs[spreads]
    places = np.arange(hands.shape[1])
    left = hands.copy()
    totals: Floats = sets[places, left].sum(axis=1)
    while len(spreads):
        saved = savings[places, left].reshape(len(left), -1) @ selects - costs[spreads]
        best = saved.argmax(axis=1)
        saving = saved[np.arange(len(left)), best]
        if not (saving > 0).any():
            break
        saving = np.maximum(saving, 0)
        left -= needs[best] * (saving > 0)[:, None]
        totals -= saving
    return totals


def wild_hand_costs(features: Features, held: Ints, costs: Floats, hands: Ints) -> Floats:
    """As `hand_costs`, with plans in which one wild card stands for a card of another rank."""
    totals = hand_costs(features, held, costs, hands)
    wild = features.wild
    if wild is None or not held[wild]:
        return totals
    holders = np.flatnonzero(hands[:, wild])
    standing_in = np.eye(hands.shape[1], dtype=np.int64)[:wild]
    standing_in[:, wild] = -1
    variants = (hands[holders, None, :] + standing_in[None]).reshape(-1, hands.shape[1])
    within = held + 1
    within[wild] = held[wild]
    best = (
        hand_costs(features, within, costs, variants)
        .reshape(len(holders), -1)
        .min(axis=1, initial=_IMPOSSIBLE)
    )
    totals[holders] = np.minimum(totals[holders], best)
    return totals


def _set_costs(features: Features, held: Ints, costs: Floats) -> Floats:
    """[rank, n]: the least cost of n equal cards, split in the best way."""
    price = costs.tolist()
    table = np.full((len(held), int(held.max()) + 1), _IMPOSSIBLE, dtype=np.float32)
    for place, count in enumerate(held.tolist()):
        best = [0.0]
        rows = features.set_rows[place]
        for n in range(1, count + 1):
            splits = [price[rows[k]] + best[n - k] for k in range(1, min(n + 1, len(rows))) if rows[k] >= 0]
            best.append(min(splits, default=_IMPOSSIBLE))
        table[place, : count + 1] = best
    return table


def _savings(sets: Floats, widest: int) -> Floats:
    """[rank, n, k]: what taking k of n equal cards away saves."""
    ranks, counts = sets.shape
    savings = np.full((ranks, counts, widest), -_IMPOSSIBLE, dtype=np.float32)
    for k in range(min(widest, counts)):
        savings[:, k:, k] = sets[:, k:] - sets[:, : counts - k]
    return savings
