"""What the deals of a trick-taking ruleset are scored in."""

from typing import Final

from shuangkou.ai_player.advice import Unit
from shuangkou.rules.tricks.options import Scoring, TricksOptions

_COUNTED: Final = {
    Scoring.LEVELS: (Unit.LEVELS, "levels"),
    Scoring.TOTALS: (Unit.LEVELS, "levels"),
    Scoring.CONVERSION: (Unit.POINTS, "big points"),
    Scoring.MATCH_POINTS: (Unit.POINTS, "match points"),
}


def unit_of(options: TricksOptions) -> Unit:
    """The unit of estimates in advice."""
    return _COUNTED[options.scoring][0]


def unit_words(options: TricksOptions) -> str:
    """What the arena calls it, in the plural."""
    return _COUNTED[options.scoring][1]
