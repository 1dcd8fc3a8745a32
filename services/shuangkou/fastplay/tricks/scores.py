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
