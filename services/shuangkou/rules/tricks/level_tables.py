"""How many levels a deal is worth, and to which side (§8.1, §8.2)."""

from dataclasses import dataclass

from shuangkou.rules.option_text import Table
from shuangkou.rules.tricks.options import Scoring, TricksOptions


@dataclass(frozen=True, slots=True)
class Gain:
    """Levels that the declaring and the attacking side go up; deal_passes: the attackers take the deal."""

    declarers_up: int
    attackers_up: int
    deal_passes: bool


def gain(options: TricksOptions, score: int, declarer_points: int = 0) -> Gain:
    """What the score of a deal earns; of `totals` also the declaring side's points matter (§8.2).

    score: of the attacking side (§7.1); below nothing it counts as nothing.
    """
    if options.scoring is Scoring.TOTALS:
        return Gain(int(declarer_points > score), int(score > declarer_points), score > declarer_points)
    points = max(0, score)
    if points < options.attacker_levels[0][0]:
        return Gain(_line(options.declarer_levels, points)[1], 0, deal_passes=False)
    start, levels = _line(options.attacker_levels, points)
    step = options.attacker_step if start == options.attacker_levels[-1][0] else 0
    further = (points - start) // step if step else 0
    return Gain(0, levels + further, deal_passes=True)


def _line(table: Table, points: int) -> tuple[int, int]:
    """The line that holds for so many points: the last that starts at or below them."""
    return max(line for line in table if line[0] <= points)
