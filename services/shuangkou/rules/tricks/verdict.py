"""Who has won the match when it is over with a deal, with its deals or with its time (§10)."""

from shuangkou.rules.dealing import draw_number
from shuangkou.rules.seats import SIDES, Side, seats_of
from shuangkou.rules.tricks.events import DecidedBy, MatchDecided
from shuangkou.rules.tricks.match_end import Records, SideRecord, are_deals_over, winner_at_end
from shuangkou.rules.tricks.options import TricksOptions
from shuangkou.rules.tricks.state import MatchState
from shuangkou.rules.tricks.view import Standing


def decided_by_time(state: MatchState, seed: bytes) -> MatchDecided:
    """§10.7; `seed`: of the last deal, for a lot."""
    records = records_of(state.standing)
    return MatchDecided(winner_at_end(state.ruleset.options, records, lot(seed)), DecidedBy.TIME)


def decided_by_deals(options: TricksOptions, standing: Standing, seed: bytes) -> MatchDecided | None:
    """§10.6, §10.8; `standing` with the last deal in it."""
    records = records_of(standing)
    if not are_deals_over(options, standing.deals_played, records):
        return None
    return MatchDecided(winner_at_end(options, records, lot(seed)), DecidedBy.DEALS)


def records_of(standing: Standing) -> Records:
    """What each side has to show."""
    first, second = (_record(standing, side) for side in SIDES)
    return first, second


def lot(seed: bytes) -> Side:
    """The side that a lot drawn from this seed favours (§10.9)."""
    return SIDES[draw_number(seed, "lot", len(SIDES))]


def _record(standing: Standing, side: Side) -> SideRecord:
    return SideRecord(
        level=standing.levels[side],
        reached_in=standing.reached_in[side],
        points=standing.totals[seats_of(side)[0]],
        attacking=standing.attacking_points[side],
    )
