"""Two sides at a table in an event (对阵): what counts of their deals, when the bell rings, what is decided.

Pure functions of what any family says of a deal that has ended, and of times that come in as milliseconds
since 1970 UTC. Paragraphs are those of "Events" in docs/rules/climbing.md.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum

from shuangkou.rules.dealing import draw_number
from shuangkou.rules.match_events import AtBell, DecidedBy, MatchEvent
from shuangkou.rules.seats import SEATS, SIDES, Seat, Side, seats_of


class Reason(Enum):
    """What decided a match."""

    DEAL = "deal"
    TOTALS = "totals"
    THINKING = "thinking"
    LOT = "lot"


@dataclass(frozen=True, slots=True)
class Meeting:
    """What an event needs to know of a match, beside its points.

    began_ms: when the first deal started. deal_ms: when the last one did. seen_ms: the newest moment that
    counts. All are 0 before they are known. think_ms: by seat, how long it has been to act in the last deal.
    drawn: deals that had no winner.
    """

    began_ms: int = 0
    deal_ms: int = 0
    seen_ms: int = 0
    think_ms: tuple[int, ...] = (0, 0, 0, 0)
    drawn: int = 0


@dataclass(frozen=True, slots=True)
class EndedDeal:
    """How a deal ended, and how the match stands after it.

    winner: the side that won it, None where none did. totals: points by seat over the match. deals: those
    with a result so far. next_ms: when another deal could begin. seed: of this deal. is_stopped: the bell
    ended it. is_void: it had no result for another reason, and counts for nothing but its points.
    """

    winner: Side | None
    totals: tuple[int, ...]
    deals: int = 1
    next_ms: int = 0
    seed: bytes = bytes(32)
    is_stopped: bool = False
    is_void: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """winner: None while nothing is decided; then another deal is played. reason: what decided it."""

    winner: Side | None
    reason: Reason | None = None

    @property
    def is_open(self) -> bool:
        """Another deal is needed."""
        return self.winner is None


OPEN = Decision(None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Which side won a match in an event, and by what.

    side_totals: points over the match. think_ms: by seat, in the last deal. drawn: deals that had no
    winner.
    """

    winner: Side
    reason: Reason
    side_totals: tuple[int, ...]
    think_ms: tuple[int, ...]
    drawn: int


def clocked(meeting: Meeting, actors: Iterable[Seat], now_ms: int) -> Meeting:
    """Time has passed since the newest moment: it counts for every seat that was to act.

    Clocks of two machines need not agree; what goes backwards counts for nobody.
    """
    passed_ms = max(0, now_ms - meeting.seen_ms)
    waiting = frozenset(actors)
    think_ms = tuple(meeting.think_ms[seat] + (passed_ms if seat in waiting else 0) for seat in SEATS)
    return replace(meeting, seen_ms=max(meeting.seen_ms, now_ms), think_ms=think_ms)


def credited(meeting: Meeting, actors: Iterable[Seat], credited_ms: int) -> Meeting:
    """So much time up to the newest moment does not count: bells ring later, and nobody was thinking."""
    waiting = frozenset(actors)
    return replace(
        meeting,
        began_ms=meeting.began_ms + credited_ms if meeting.began_ms else 0,
        deal_ms=meeting.deal_ms + credited_ms if meeting.deal_ms else 0,
        think_ms=tuple(
            max(0, meeting.think_ms[seat] - credited_ms) if seat in waiting else meeting.think_ms[seat]
            for seat in SEATS
        ),
    )


def after_start(meeting: Meeting) -> Meeting:
    """A deal has started at the newest moment."""
    now_ms = meeting.seen_ms
    return replace(meeting, began_ms=meeting.began_ms or now_ms, deal_ms=now_ms, think_ms=(0,) * len(SEATS))


def after_deal(event: MatchEvent, meeting: Meeting, deal: EndedDeal) -> Meeting:
    """A deal has ended, so that another one without a winner may be counted (Events 1)."""
    if deal.is_void:
        return meeting
    return replace(meeting, drawn=meeting.drawn + (_winner_of(event, meeting, deal) is None))


def bell_ms(event: MatchEvent, meeting: Meeting) -> int:
    """When the bell rings for the deal or for the round, whichever is first; 0 for never."""
    bells = (
        meeting.began_ms + event.round_seconds * 1000 if event.round_seconds else 0,
        meeting.deal_ms + event.options.deal_seconds * 1000 if event.options.deal_seconds else 0,
    )
    return min(filter(None, bells), default=0) if meeting.began_ms else 0


def stop_ms(event: MatchEvent, meeting: Meeting) -> int:
    """When the bell ends a deal in progress; 0 where it is played to its end."""
    return bell_ms(event, meeting) if event.options.at_bell is AtBell.LESS_THINKING else 0


def decision(event: MatchEvent, meeting: Meeting, deal: EndedDeal) -> Decision:
    """What a deal decides; `meeting` is the one after it."""
    return _DECISIONS[event.options.decided_by](event, meeting, deal)


def outcome(event: MatchEvent, meeting: Meeting, deal: EndedDeal) -> Outcome | None:
    """How the match ends with this deal; None while it goes on. `meeting` is the one after the deal."""
    decided = decision(event, meeting, deal)
    if decided.winner is None or decided.reason is None:
        return None
    return Outcome(decided.winner, decided.reason, side_totals(deal.totals), meeting.think_ms, meeting.drawn)


def side_totals(totals: tuple[int, ...]) -> tuple[int, ...]:
    """Points by side, of those by seat."""
    return tuple(sum(totals[seat] for seat in seats_of(side)) for side in SIDES)


def _by_last_deal(event: MatchEvent, meeting: Meeting, deal: EndedDeal) -> Decision:
    """Events 1."""
    if deal.is_void:
        return OPEN
    winner = _winner_of(event, meeting, deal)
    if winner is not None:
        return Decision(winner, Reason.THINKING if deal.is_stopped else Reason.DEAL)
    if 0 < event.options.lot_after <= meeting.drawn:
        return Decision(SIDES[draw_number(deal.seed, "lot", len(SIDES))], Reason.LOT)
    return OPEN


def _by_totals(event: MatchEvent, meeting: Meeting, deal: EndedDeal) -> Decision:
    """Events 2: over when no other deal can begin before the bell, unless the totals are level."""
    options, rings_ms = event.options, bell_ms(event, meeting)
    is_over = (0 < rings_ms <= deal.next_ms) or 0 < options.max_deals <= deal.deals
    ahead = _lower(tuple(-points for points in side_totals(deal.totals)))
    return Decision(ahead, Reason.TOTALS) if is_over and ahead is not None else OPEN


def _winner_of(event: MatchEvent, meeting: Meeting, deal: EndedDeal) -> Side | None:
    """Events 1: of a deal that the bell ended, the side that has thought less."""
    if not deal.is_stopped:
        return deal.winner
    if event.options.at_bell is not AtBell.LESS_THINKING:
        raise ValueError(f"the bell ends no deal of {event.id}")
    return _lower(side_totals(meeting.think_ms))


def _lower(sums: tuple[int, ...]) -> Side | None:
    """The side with the lower sum, None when they are equal."""
    return None if sums[0] == sums[1] else SIDES[sums.index(min(sums))]


_DECISIONS: dict[DecidedBy, Callable[[MatchEvent, Meeting, EndedDeal], Decision]] = {
    DecidedBy.DEAL: _by_last_deal,
    DecidedBy.TOTALS: _by_totals,
}
