"""A table between its log and the rules: who holds the seats, how far the match is, and until when."""

from dataclasses import dataclass, replace
from enum import Enum

from shuangkou.rules.climbing.deal import MatchState
from shuangkou.rules.climbing.events import CardsPlayed, DealSettled, Passed
from shuangkou.rules.climbing.events import Event as RulesEvent
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import RuleSet
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


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a seat: a person, a bot, or nobody.

    `hosted` (托管): a bot plays for the person. `timeouts`: deadlines the person let pass in a row.
    """

    player_id: str = ""
    persona: str = ""
    hosted: bool = False
    timeouts: int = 0

    @property
    def is_open(self) -> bool:
        """Nobody holds the seat."""
        return not self.player_id and not self.persona

    @property
    def is_played_by_bot(self) -> bool:
        """A bot makes the acts of this seat now."""
        return self.hosted or bool(self.persona)

    @property
    def name(self) -> str:
        """A player id, `bot:<persona>`, or nothing for an open seat."""
        return f"bot:{self.persona}" if self.persona else self.player_id


OPEN_SEAT = Holder()


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed when the table was opened.

    `deals`: length of the match. `deal_pause_ms`: pause between two deals.
    """

    creator: str
    deals: int
    deal_pause_ms: int


@dataclass(frozen=True, slots=True)
class Table:
    """The state of one table at `version`, a fold of its log.

    `deadline_ms`: milliseconds since 1970 UTC after which the engine acts; 0 for no limit.
    `settled`: the last settled deal.
    """

    id: str
    ruleset: RuleSet
    terms: Terms
    holders: tuple[Holder, ...]
    match: MatchState
    version: int = 0
    deadline_ms: int = 0
    settled: DealSettled | None = None

    @property
    def actors(self) -> tuple[Seat, ...]:
        """The seats that must act now."""
        return decider_for(self.ruleset).actors(self.match)

    @property
    def phase(self) -> Phase:
        """Where the table is in its life."""
        if self.actors:
            return Phase.DEAL
        if any(holder.is_open for holder in self.holders):
            return Phase.SEATING
        is_over = self.match.standing.deals_played >= self.terms.deals
        return Phase.FINISHED if is_over else Phase.BETWEEN_DEALS

    @property
    def expected(self) -> Expected:
        """What must happen next."""
        phase = self.phase
        if phase is Phase.DEAL:
            return (
                Expected.LEAD
                if self.match.deal is not None and self.match.deal.top is None
                else Expected.FOLLOW
            )
        return _EXPECTED[phase]

    def seat_of(self, player_id: str) -> Seat | None:
        """The seat that this person holds."""
        for seat in SEATS:
            if self.holders[seat].player_id == player_id:
                return seat
        return None

    def with_holder(self, seat: Seat, holder: Holder) -> "Table":
        """The same table with another holder of one seat."""
        holders = (*self.holders[:seat], holder, *self.holders[seat + 1 :])
        return replace(self, holders=holders)

    def with_match(self, match: MatchState, event: RulesEvent) -> "Table":
        """The same table after an event of the rules; a seat that acts has missed no deadline this time."""
        holders = self.holders
        if isinstance(event, CardsPlayed | Passed) and holders[event.seat].timeouts:
            holders = self.with_holder(event.seat, replace(holders[event.seat], timeouts=0)).holders
        settled = event if isinstance(event, DealSettled) else self.settled
        # Spelled out, for it is done for every act: dataclasses.replace takes three times as long.
        return Table(
            self.id, self.ruleset, self.terms, holders, match, self.version, self.deadline_ms, settled
        )

    def at(self, version: int, deadline_ms: int) -> "Table":
        """The same table at another version, with another deadline."""
        return Table(
            self.id,
            self.ruleset,
            self.terms,
            self.holders,
            self.match,
            version,
            deadline_ms,
            self.settled,
        )


_EXPECTED = {
    Phase.SEATING: Expected.TAKE_SEAT,
    Phase.BETWEEN_DEALS: Expected.DEAL,
    Phase.FINISHED: Expected.NOTHING,
}
