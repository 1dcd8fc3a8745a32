"""What every score of a deal becomes (§8, §10), asked of `rules` once for each standing of a match."""

from functools import lru_cache
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from shuangkou.rules.cards import CARDS, Card
from shuangkou.rules.seats import Seat, Side
from shuangkou.rules.tricks.deal_end import LastTrick, Role
from shuangkou.rules.tricks.events import SideLevels
from shuangkou.rules.tricks.options import MatchEnd, Scoring, TricksOptions
from shuangkou.rules.tricks.settlement import Finish, verdict_of
from shuangkou.rules.tricks.view import Standing

Array = npt.NDArray[Any]

UNIT_POINTS, COUNT, PERIOD, COMPARED = range(4)
"""Points of a step; steps there are; steps after which points beyond the last rise alike; rows for who has
more points, where both sides' totals are compared."""
LASTS = 8
"""Where the results begin for each way that the last trick may have gone: in no special way, won by the
declarers with any card of their level, with such cards only, and by the attackers with such cards only."""
RESULTS = 12
FIELDS = 4
"""Points of the declaring side and of the attacking side by seat, whether the deal passes, and the side that
won the match: 0 for none, 1 for the declarers, -1 for the attackers."""

MATCH_LEVELS = 3.0
"""Levels that a match is worth which a deal wins."""
POINT_LEVELS = 0.0025
"""Levels that a point of the score is worth where it changes none."""
_BLUR = 20
"""Points for each pack by which a score may differ from what a rollout makes of it."""
_MOST = 2000
_STEPS_ALIKE = 40
"""Points in which conversions repeat themselves."""
_LEVELLED = (MatchEnd.HAT_ANY, MatchEnd.HAT_ALL)


@lru_cache(maxsize=256)
def results_of(options: TricksOptions, levels: SideLevels, attackers: Side) -> Array:
    """The results of deals in which this side attacks; levels: of both before it."""
    step = gcd(5, options.throw_fine) if options.throw_fine else 5
    count = _MOST // step + 1
    is_compared = options.scoring is Scoring.TOTALS
    level = levels[1 - attackers]
    rank = None if level is None else level.rank
    lasts = _lasts(options, [card for card in CARDS if rank is not None and card.rank is rank])
    size = count * FIELDS * (3 if is_compared else 1)
    s = np.zeros(RESULTS + size * len(lasts), dtype=np.int64)
    s[UNIT_POINTS], s[COUNT], s[PERIOD] = step, count, lcm(_STEPS_ALIKE, step) // step
    s[COMPARED] = is_compared
    s[LASTS : LASTS + 4] = RESULTS
    for number, last in enumerate(lasts):
        s[LASTS + number] = RESULTS + number * size
        finishes = [
            Finish(Seat(1 - attackers), attackers, last, 0, score * step, score * step + more)
            for more in ((0, step, -step) if is_compared else (0,))
            for score in range(count)
        ]
        found = [_fields(options, levels, finish) for finish in finishes]
        s[RESULTS + number * size : RESULTS + (number + 1) * size] = np.array(found).reshape(-1)
    return s


@lru_cache(maxsize=256)
def values_of(options: TricksOptions, levels: SideLevels, attackers: Side) -> Array:
    """What each score is worth to the attacking side beyond the other, in levels, laid out as `results_of`.

    A rollout misses the true score by some points, so that a step counts in part before it is reached.
    """
    s = results_of(options, levels, attackers)
    rows = s[RESULTS:].reshape(-1, s[COUNT], FIELDS).astype(np.float64)
    levels_won = rows[:, :, 1] - rows[:, :, 0] - MATCH_LEVELS * rows[:, :, 3]
    reach = max(1, _BLUR * options.decks // int(s[UNIT_POINTS]))
    weights = np.minimum(np.arange(1, 2 * reach), np.arange(2 * reach - 1, 0, -1)) / reach**2
    wide = np.pad(levels_won, ((0, 0), (reach - 1, reach - 1)), mode="edge")
    blurred = np.array([np.convolve(row, weights, mode="valid") for row in wide])
    return blurred + POINT_LEVELS * int(s[UNIT_POINTS]) * np.arange(s[COUNT])


def _lasts(options: TricksOptions, level_cards: list[Card]) -> list[LastTrick]:
    plain = LastTrick(Role.DECLARERS, (Card.BIG_JOKER,))
    if not level_cards or not (options.match_end in _LEVELLED or options.hook_levels):
        return [plain]
    mixed = LastTrick(Role.DECLARERS, (level_cards[0], Card.BIG_JOKER))
    return [plain, mixed, *(LastTrick(role, level_cards[:1]) for role in (Role.DECLARERS, Role.ATTACKERS))]


def _fields(options: TricksOptions, levels: SideLevels, finish: Finish) -> tuple[int, int, int, int]:
    verdict = verdict_of(options, Standing(levels=levels), finish)
    won = 0 if verdict.match is None else (1 if verdict.match == finish.declarers else -1)
    declarers, attackers = verdict.scores[finish.declarers], verdict.scores[finish.attackers]
    return declarers, attackers, int(verdict.deal_passes), won
