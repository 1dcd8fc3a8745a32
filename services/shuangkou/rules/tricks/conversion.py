"""Small points into big ones, and into match points (§8.3, §8.7)."""

from dataclasses import dataclass

_PAR = 80
_BAND = 40
_MATCH_PAR = 100
_MATCH_STEP = 20


def big_points(score: int) -> int:
    """Of the attacking side, in big points; the declaring side gets as many with the other sign (§8.3)."""
    points = max(0, score)
    if points >= _PAR:
        return 2 + (points - _PAR) // 5 + 4 * ((points - _PAR) // _BAND)
    below_the_small_shut_out = 4 * (points <= 35) + 4 * (points == 0)
    return -(2 + (75 - points) // 5 + below_the_small_shut_out)


@dataclass(frozen=True, slots=True)
class MatchPoints:
    """What a deal gives to the attackers and to the holders (§8.7)."""

    attackers: int
    holders: int


def match_points(score: int) -> MatchPoints:
    """Two for each full twenty above or below one hundred (§8.7)."""
    over = max(0, score) - _MATCH_PAR
    worth = 2 * (abs(over) // _MATCH_STEP)
    return MatchPoints(worth, 0) if over > 0 else MatchPoints(0, worth)
