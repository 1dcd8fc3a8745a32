"""What a commit that ends a deal or a match says to the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from shuangkou.rules.ruleset import available, load
from shuangkou.rules.seats import SEATS, SIDES, seats_of
from shuangkou.scoring.admissions import Admission
from shuangkou.v1.events_pb2 import Commit, DealSettled, DealVoided, MatchFinished, SettlementStored
from shuangkou.v1.scoring_pb2 import MatchResult
from shuangkou.v1.tricks_pb2 import MatchDecided
from shuangkou.wire.accounts import DealAccount, plain_account
from shuangkou.wire.families import account_of, family_of, has_stray_parts

_BOT = "bot:"
_SEATS = 4
# No database can hold it: PostgreSQL takes no text with it.
_NUL = "\0"


class NotASettlement(ValueError):
    """The commit does not end a deal or a match in a way that the ledger can hold."""


class DealKey(NamedTuple):
    """A deal among all deals, in the order in which they ended; one of them is one deal of a table."""

    settled_ms: int
    table_id: str
    number: int


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a deal brought to the occupant of one seat.

    place: 1 to 4, 0 where there are no places. is_winner, is_loser: the deal was won or lost, whatever the
    points are; neither where nobody won. has_left: for good, 逃跑, which is a loss by itself.
    """

    seat: int
    player_id: str
    points: int
    place: int
    is_winner: bool
    is_loser: bool
    has_left: bool

    @property
    def is_bot(self) -> bool:
        """Whether a persona played, and nobody in person."""
        return is_bot(self.player_id)


@dataclass(frozen=True)
class Settlement:
    """A deal of a table that is over, and when the engine ended it (milliseconds since 1970 UTC).

    admission: whom its table lets in; None where that is not known.
    """

    stored: SettlementStored
    settled_ms: int
    admission: Admission | None = None

    @property
    def is_void(self) -> bool:
        """The deal has no result: its fines count, but it is no deal played."""
        return self.stored.HasField("voided")

    @property
    def number(self) -> int:
        """The deal's number at its table, counted from 1."""
        return self.ending.number

    @property
    def key(self) -> DealKey:
        """Its place among all deals."""
        return DealKey(self.settled_ms, self.stored.table_id, self.number)

    @property
    def subject(self) -> str:
        """Where the stored settlement is published, once for ever."""
        return f"score.{self.stored.ruleset_id}.{self.stored.table_id}.{self.number}"

    @cached_property
    def family(self) -> str:
        """The family of its ruleset, empty where nothing tells it."""
        return family_of(self.stored.ruleset_id, self.stored.deal)

    @cached_property
    def account(self) -> DealAccount:
        """Why every seat scores what it does."""
        if self.is_void:
            return plain_account(tuple(self.ending.scores), is_fine=True)
        return account_of(self.stored.deal)

    @cached_property
    def seats(self) -> tuple[SeatResult, ...]:
        """The results in seat order; a seat that nobody plays on has none."""
        pairs = enumerate(zip(self.ending.players, self.ending.scores, strict=True))
        return tuple(
            self._seat_result(seat, player_id, points) for seat, (player_id, points) in pairs if player_id
        )

    @property
    def leavers(self) -> list[SeatResult]:
        """Who left the deal for good: each has lost it, and in the ratings nobody else is touched by it."""
        return [result for result in self.seats if result.has_left]

    @cached_property
    def has_partners(self) -> bool:
        """Two sides of two seats played the deal."""
        ruleset_id = self.stored.ruleset_id
        return load(ruleset_id).has_partners if ruleset_id in available() else len(self.seats) == _SEATS

    @property
    def ending(self) -> DealSettled | DealVoided:
        """The deal, whether it has a result or not."""
        return self.stored.voided if self.is_void else self.stored.deal

    def _seat_result(self, seat: int, player_id: str, points: int) -> SeatResult:
        """逃跑: a leaver's deal is lost, whichever side won it and even where it is void (ratings §1.5)."""
        has_left = seat in self.ending.forfeited
        winners = self.stored.deal.winners
        return SeatResult(
            seat=seat,
            player_id=player_id,
            points=points,
            place=self.account.seats[seat].place,
            is_winner=seat in winners and not has_left,
            is_loser=has_left or (bool(winners) and seat not in winners),
            has_left=has_left,
        )

    @cached_property
    def match(self) -> MatchResult | None:
        """The match, if it ended with this deal."""
        if not self.stored.HasField("match"):
            return None
        decided = self.stored.decided if self.stored.HasField("decided") else None
        end = MatchEnd(
            self.stored.table_id, self.stored.ruleset_id, self.settled_ms, self.stored.match, decided
        )
        return end.result(self.ending.players)


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """A match that is over, without its players: those of its last deal."""

    table_id: str
    ruleset_id: str
    ended_ms: int
    finished: MatchFinished
    decided: MatchDecided | None

    def result(self, players: Sequence[str]) -> MatchResult:
        """The match as it is told."""
        return MatchResult(
            table_id=self.table_id,
            ruleset_id=self.ruleset_id,
            event_id=self.finished.event.terms.event_id,
            ended_ms=self.ended_ms,
            players=players,
            totals=self.finished.totals,
            winners=[seat for seat in self._winners(players) if players[seat]],
            replay_subject=f"events.table.{self.ruleset_id}.{self.table_id}",
        )

    def _winners(self, players: Sequence[str]) -> Sequence[int]:
        """By the event, else by the game's own rules, else by the points of the match."""
        if self.finished.HasField("event"):
            return seats_of(SIDES[self.finished.event.winner])
        if self.decided is not None:
            return seats_of(SIDES[self.decided.winner]) if self.decided.HasField("winner") else ()
        totals = self.finished.totals
        if self.ruleset_id in available() and load(self.ruleset_id).has_lasting_sides:
            first, second = (sum(totals[seat] for seat in seats_of(side)) for side in SIDES)
            return () if first == second else seats_of(SIDES[int(second > first)])
        playing = [seat for seat in SEATS if players[seat]]
        best = max(totals[seat] for seat in playing)
        winners = [seat for seat in playing if totals[seat] == best]
        return () if len(winners) == len(playing) else winners


def is_bot(player_id: str) -> bool:
    """Whether a persona plays under this name."""
    return player_id.startswith(_BOT)


def fact_of(commit: Commit) -> Settlement | MatchEnd:
    """The deal, or the match between two deals, that a commit ends; NotASettlement where it is malformed."""
    place = f"version {commit.version} of table {commit.table_id!r}"
    if not commit.table_id or not commit.ruleset_id or _NUL in commit.table_id + commit.ruleset_id:
        raise NotASettlement(f"no table or no ruleset in {place}")
    settled = [event.deal_settled for event in commit.events if event.HasField("deal_settled")]
    voided = [event.deal_voided for event in commit.events if event.HasField("deal_voided")]
    ended = next((event.match_finished for event in commit.events if event.HasField("match_finished")), None)
    decided = next((event.match_decided for event in commit.events if event.HasField("match_decided")), None)
    if ended is not None and not _is_match(ended):
        raise NotASettlement(f"the match lacks its totals or its winner in {place}")
    if ended is not None and not settled and not voided:
        return MatchEnd(commit.table_id, commit.ruleset_id, commit.time_ms, ended, decided)
    if len(settled) + len(voided) != 1:
        raise NotASettlement(f"{len(settled)} settled and {len(voided)} void deals in {place}")
    ending = settled[0] if settled else voided[0]
    if not _is_complete(ending):
        raise NotASettlement(f"deal {ending.number} lacks its number, players, scores or totals in {place}")
    stored = SettlementStored(
        table_id=commit.table_id,
        ruleset_id=commit.ruleset_id,
        version=commit.version,
        deal=settled[0] if settled else None,
        voided=voided[0] if voided else None,
        match=ended,
        decided=decided,
    )
    return Settlement(stored, commit.time_ms)


def settlement_of(commit: Commit) -> Settlement:
    """The deal that a commit ends; NotASettlement where it holds none or a malformed one."""
    fact = fact_of(commit)
    if isinstance(fact, MatchEnd):
        raise NotASettlement(f"no deal in version {commit.version} of table {commit.table_id!r}")
    return fact


def _is_match(ended: MatchFinished) -> bool:
    return len(ended.totals) == _SEATS and ended.event.winner < len(SIDES)


def _is_complete(ending: DealSettled | DealVoided) -> bool:
    """Points belong to somebody; games for fewer players leave the last seats without a name."""
    columns = (ending.players, ending.scores, ending.totals)
    return (
        0 < ending.number < 2**31
        and all(len(column) == _SEATS for column in columns)
        and any(ending.players)
        and all(player or not points for player, points in zip(ending.players, ending.scores, strict=True))
        and not any(_NUL in player for player in ending.players)
        and all(seat < _SEATS for seat in ending.forfeited)
        and not (isinstance(ending, DealSettled) and has_stray_parts(ending))
    )
