"""Who is ahead when the deals or the time run out (§10.6 to §10.9)."""

from dataclasses import dataclass

from shuangkou.rules.seats import SIDES, Side
from shuangkou.rules.tricks.options import Level, MatchEnd, Scoring, TricksOptions

MORE_DEALS = 2
"""Deals added to a match that is level after its own (§10.6)."""


@dataclass(frozen=True, slots=True)
class SideRecord:
    """What a side has to show for the match so far.

    level: None where no ladder is climbed. reached_in: the deal by which it got to that level, 0 where it
    never left the first. points: big points or match points. attacking: small points taken as attackers.
    """

    level: Level | None = None
    reached_in: int = 0
    points: int = 0
    attacking: int = 0


Records = tuple[SideRecord, SideRecord]
"""By side."""


def leader(options: TricksOptions, records: Records) -> Side | None:
    """The side that is ahead; None where nothing but a lot can tell the two apart (§10.6, §10.7)."""
    first, second = (_merit(options, record) for record in records)
    return None if first == second else SIDES[first < second]


def _merit(options: TricksOptions, record: SideRecord) -> tuple[int, ...]:
    """More is better, the first difference decides."""
    if record.level is None or options.match_end is MatchEnd.DEALS:
        return record.points, record.attacking
    return options.ladder.index(record.level), -record.reached_in, record.attacking


def are_deals_over(options: TricksOptions, played: int, records: Records) -> bool:
    """Whether no deal is left to play, whoever is ahead; a match may have been won before (§10.6, §10.8).

    played: the deals that counted, which void ones do not.
    """
    if options.match_end is not MatchEnd.DEALS:
        return played >= options.max_deals
    has_more = options.scoring is Scoring.MATCH_POINTS and (
        played > options.deals or leader(options, records) is None
    )
    return played >= options.deals + (MORE_DEALS if has_more else 0)


def winner_at_end(options: TricksOptions, records: Records, lot: Side) -> Side | None:
    """Who wins a match whose deals or whose time are over; None for a draw (§10.6, §10.7).

    lot: the side that a lot favours, should it come to that.
    """
    ahead = leader(options, records)
    may_draw = options.match_end is MatchEnd.DEALS and options.scoring is Scoring.CONVERSION
    return lot if ahead is None and not may_draw else ahead
