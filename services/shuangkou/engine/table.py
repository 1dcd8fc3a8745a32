"""A table between its log and the rules: who holds the seats, how far the match is, and until when."""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Generic, TypeVar

from shuangkou.engine.clocks import NO_CLOCKS, Clocks
from shuangkou.rules.by_seat import put
from shuangkou.rules.decider import decider_for
from shuangkou.rules.events import DealVoided, SeatForfeited, SeatsSwapped, Trait
from shuangkou.rules.match import Asked, Match, Settled
from shuangkou.rules.match_events import MatchEvent
from shuangkou.rules.meeting import Meeting, Outcome, clocked, credited
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.rules.seats import SEATS, Seat


class Phase(Enum):
    """Where a table is in its life."""

    SEATING = "seating"
    DEAL = "deal"
    BETWEEN_DEALS = "between_deals"
    FINISHED = "finished"


class Expected(Enum):
    """What must happen next."""

    NOTHING = "nothing"
    TAKE_SEAT = "take_seat"
    DEAL = "deal"
    LEAD = "lead"
    FOLLOW = "follow"
    PHASE = "phase"
    MOVE_ON = "move_on"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a seat: a person, a bot, or nobody.

    `hosted` (托管): a bot plays for the person. `timeouts`: deadlines the person let pass in a row.
    `forfeited` (逃跑): the person has left for good, and a bot plays to the end of the match.
    """

    player_id: str = ""
    persona: str = ""
    hosted: bool = False
    timeouts: int = 0
    forfeited: bool = False

    @property
    def is_open(self) -> bool:
        """Nobody holds the seat."""
        return not self.player_id and not self.persona

    @property
    def is_played_by_bot(self) -> bool:
        """A bot makes the acts of this seat now."""
        return self.hosted or self.forfeited or bool(self.persona)

    @property
    def name(self) -> str:
        """A player id, `bot:<persona>`, or nothing for an open seat."""
        return f"bot:{self.persona}" if self.persona else self.player_id


OPEN_SEAT = Holder()


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed when the table was opened.

    `deals`: length of the match, 0 where `event` decides that. `deal_pause_ms`: pause between two deals.
    `is_private`: only those who are invited may see it.
    """

    creator: str
    deals: int
    deal_pause_ms: int
    event: MatchEvent | None = field(default=None, repr=False)
    is_private: bool = field(default=False, repr=False)


E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Ended(Generic[E]):
    """How a deal ended, with the names on the seats and the totals of that moment: both may move later."""

    event: E
    players: tuple[str, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The state of one table at `version`, a fold of its log.

    `settled`: the last settled deal. `voided`: the last deal, if it was void. `began_ms`: when the first deal
    started, 0 before it. `meeting`: how far the event is, None without one. `outcome`: how it ended.
    `invited`: to a private table, beside its maker and those who sit there.
    """

    id: str
    ruleset: AnyRuleSet
    terms: Terms
    holders: tuple[Holder, ...]
    match: Match
    version: int = 0
    clocks: Clocks = NO_CLOCKS
    settled: Ended[Settled] | None = None
    voided: Ended[DealVoided] | None = None
    began_ms: int = 0
    meeting: Meeting | None = None
    outcome: Outcome | None = None
    invited: tuple[str, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that this game is played on."""
        return SEATS[: self.ruleset.options.players]

    @property
    def deadline_ms(self) -> int:
        """Milliseconds since 1970 UTC after which the engine acts; 0 for no limit."""
        return self.clocks.deadline_ms

    @property
    def actors(self) -> tuple[Seat, ...]:
        """The seats that must act now."""
        return decider_for(self.ruleset).actors(self.match)

    @property
    def phase(self) -> Phase:
        """Where the table is in its life."""
        if self.match.deal is not None:
            return Phase.DEAL
        if any(self.holders[seat].is_open for seat in self.seats):
            return Phase.SEATING
        return Phase.FINISHED if self._is_over else Phase.BETWEEN_DEALS

    @property
    def _is_over(self) -> bool:
        if self.terms.event is not None:
            return self.outcome is not None
        return self.match.is_over or self.match.standing.deals_played >= self.terms.deals

    @property
    def ends_ms(self) -> int:
        """When the time of the match is over by its rules; 0 for never, and before the first deal."""
        limit_s = decider_for(self.ruleset).match_limit_s(self.ruleset)
        return self.began_ms + 1000 * limit_s if limit_s and self.began_ms else 0

    @property
    def expected(self) -> Expected:
        """What must happen next."""
        if self.match.deal is None:
            return _EXPECTED[self.phase]
        return _ASKED[decider_for(self.ruleset).asked(self.match)]

    def seat_of(self, player_id: str) -> Seat | None:
        """The seat that this person holds, or has left for good."""
        for seat in SEATS:
            if self.holders[seat].player_id == player_id:
                return seat
        return None

    def with_holder(self, seat: Seat, holder: Holder) -> "Table":
        """The same table with another holder of one seat."""
        return replace(self, holders=put(self.holders, seat, holder))

    def with_match(self, match: Match, event: Any) -> "Table":
        """The same table after an event of the rules; players who change places keep what is theirs."""
        traits = decider_for(self.ruleset).traits(event)
        holders = _holders_after(self.holders, event, traits)
        settled, voided, clocks = self.settled, self.voided, self.clocks
        if Trait.STARTS_DEAL in traits:
            clocks = clocks.refilled(1000 * self.ruleset.options.time_bank_seconds)
        if isinstance(event, DealVoided):
            voided = Ended(event, self._names, match.standing.totals)
        elif Trait.ENDS_DEAL in traits:
            settled, voided = Ended(event, self._names, match.standing.totals), None
        # Spelled out, for it is done for every act: dataclasses.replace takes three times as long.
        return Table(
            self.id,
            self.ruleset,
            self.terms,
            holders,
            match,
            self.version,
            clocks,
            settled,
            voided,
            self.began_ms,
            self.meeting,
            self.outcome,
            self.invited,
        )

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(holder.name for holder in self.holders)

    def at(self, version: int, clocks: Clocks) -> "Table":
        """The same table at another version, with other clocks."""
        return Table(
            self.id,
            self.ruleset,
            self.terms,
            self.holders,
            self.match,
            version,
            clocks,
            self.settled,
            self.voided,
            self.began_ms,
            self.meeting,
            self.outcome,
            self.invited,
        )

    def at_time(self, now_ms: int) -> "Table":
        """The same table, on which time has passed until now; it counts in events only."""
        if self.meeting is None:
            return self
        return replace(self, meeting=clocked(self.meeting, self.actors, now_ms))

    def credited(self, credited_ms: int) -> "Table":
        """The same table, on which so much time does not count: neither for a turn nor for deal and match."""
        return replace(
            self,
            clocks=self.clocks.credited(credited_ms) if self.phase is Phase.DEAL else self.clocks,
            began_ms=self.began_ms + credited_ms if self.began_ms else 0,
            meeting=credited(self.meeting, self.actors, credited_ms) if self.meeting else None,
        )


def _holders_after(holders: tuple[Holder, ...], event: Any, traits: Trait) -> tuple[Holder, ...]:
    if isinstance(event, SeatsSwapped):
        return tuple(holders[event.moved(seat)] for seat in SEATS)
    if isinstance(event, SeatForfeited):
        return put(holders, event.seat, replace(holders[event.seat], forfeited=True))
    if Trait.OWN_ACT in traits and holders[event.seat].timeouts:
        # A seat that acts has missed no deadline this time.
        return put(holders, event.seat, replace(holders[event.seat], timeouts=0))
    return holders


_EXPECTED = {
    Phase.SEATING: Expected.TAKE_SEAT,
    Phase.BETWEEN_DEALS: Expected.DEAL,
    Phase.FINISHED: Expected.NOTHING,
}
_ASKED = {
    Asked.LEAD: Expected.LEAD,
    Asked.FOLLOW: Expected.FOLLOW,
    Asked.PHASE: Expected.PHASE,
    Asked.CLOCK: Expected.MOVE_ON,
}
