"""Matches in events (赛事): what the rules of events need to know of a table, and what follows for it."""

from typing import Any

from shuangkou.engine.events import Event, MatchFinished, traits_of
from shuangkou.engine.table import Phase, Table
from shuangkou.rules import meeting as meetings
from shuangkou.rules.events import DealVoided, Trait, VoidReason
from shuangkou.rules.meeting import EndedDeal, Meeting


def with_meeting_after(after: Table, event: Event) -> Meeting | None:
    """How far the event is after something has happened; `after`: the table otherwise."""
    match_event, meeting = after.terms.event, after.meeting
    if match_event is None or meeting is None:
        return None
    traits = traits_of(after.ruleset, event)
    if Trait.STARTS_DEAL in traits:
        return meetings.after_start(meeting)
    if Trait.ENDS_DEAL in traits:
        return meetings.after_deal(match_event, meeting, _ended(after, meeting, event))
    return meeting


def match_end(after: Table, last: Event) -> tuple[MatchFinished, ...]:
    """The end of the match, if it ends with this deal. `after`: the table after it."""
    totals, event, meeting = after.match.standing.totals, after.terms.event, after.meeting
    if event is None or meeting is None:
        return (MatchFinished(totals),) if after.phase is Phase.FINISHED else ()
    outcome = meetings.outcome(event, meeting, _ended(after, meeting, last))
    return () if outcome is None else (MatchFinished(totals, outcome),)


def bell_ms(table: Table) -> int:
    """When the bell of the event rings, milliseconds since 1970 UTC; 0 for never or no more."""
    event, meeting = table.terms.event, table.meeting
    if event is None or meeting is None or table.outcome is not None:
        return 0
    return meetings.bell_ms(event, meeting)


def stop_ms(table: Table) -> int:
    """When the bell ends the deal in progress; 0 where it does not."""
    event, meeting = table.terms.event, table.meeting
    if event is None or meeting is None or table.phase is not Phase.DEAL:
        return 0
    return meetings.stop_ms(event, meeting)


def _ended(after: Table, meeting: Meeting, deal: Any) -> EndedDeal:
    standing, is_void = after.match.standing, isinstance(deal, DealVoided)
    is_stopped = isinstance(deal, DealVoided) and deal.reason is VoidReason.TIME_UP
    return EndedDeal(
        winner=None if is_void else deal.winning_side,
        totals=standing.totals,
        deals=standing.deals_played,
        next_ms=meeting.seen_ms + after.terms.deal_pause_ms,
        seed=deal.seed,
        is_stopped=is_stopped,
        is_void=is_void and not is_stopped,
    )
