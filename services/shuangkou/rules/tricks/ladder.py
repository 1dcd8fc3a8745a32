"""The ladder of levels, up which a side goes (§8.4 to §8.6)."""

from dataclasses import dataclass

from shuangkou.rules.tricks.options import Level, MatchEnd, TricksOptions


@dataclass(frozen=True, slots=True)
class Rise:
    """Where a side stands after a gain. is_won: the gain wins the match."""

    level: Level
    is_won: bool = False


def advance(options: TricksOptions, level: Level, up: int, as_declarers: bool) -> Rise:
    """From `level` up so many rungs; `level` must be one of the ladder.

    As declarers a side leaves hard levels, and on the last wins the match where passing it does (§10.1).
    """
    ladder = options.ladder
    place = ladder.index(level)
    is_last = place == len(ladder) - 1
    if up <= 0 or (not as_declarers and (is_last or level in options.hard)):
        return Rise(level)
    if is_last:
        return Rise(level, is_won=options.match_end is MatchEnd.PASS_LAST)
    reached = min(place + up, _next_stop(options, place))
    return Rise(ladder[reached], is_won=_is_goal(options, reached))


def _next_stop(options: TricksOptions, place: int) -> int:
    """The first rung above that cannot be jumped over; a hard one is one that must be played."""
    stops = {*options.stops, *options.hard, options.ladder[-1]}
    return next(above for above in range(place + 1, len(options.ladder)) if options.ladder[above] in stops)


def _is_goal(options: TricksOptions, place: int) -> bool:
    """§10.2."""
    return options.match_end is MatchEnd.REACH and place >= options.ladder.index(options.goal)
