"""What a commit that ends a deal says to the ledger."""

from __future__ import annotations

from dataclasses import dataclass

from shuangkou.v1.events_pb2 import Commit, DealSettled, DealVoided, SettlementStored
from shuangkou.wire.families import first_out

_BOT = "bot:"
_SEATS = 4


class NotASettlement(ValueError):
    """The commit does not end a deal in a way that the ledger can hold."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a deal brought to the occupant of one seat.

    ``is_first``: went out first, 头游. ``is_winner``: the deal was won, whatever the points are.
    """

    seat: int
    player_id: str
    points: int
    is_first: bool
    is_winner: bool

    @property
    def is_bot(self) -> bool:
        """Whether a persona played, and nobody in person."""
        return self.player_id.startswith(_BOT)


@dataclass(frozen=True, slots=True)
class Settlement:
    """A deal of a table that is over, and when the engine ended it (milliseconds since 1970 UTC)."""

    stored: SettlementStored
    settled_ms: int

    @property
    def is_void(self) -> bool:
        """The deal has no result: its fines count, but it is no deal played."""
        return self.stored.HasField("voided")

    @property
    def number(self) -> int:
        """The deal's number at its table, counted from 1."""
        return self._ending.number

    @property
    def subject(self) -> str:
        """Where the stored settlement is published, once for ever."""
        return f"score.{self.stored.ruleset_id}.{self.stored.table_id}.{self.number}"

    @property
    def seats(self) -> tuple[SeatResult, ...]:
        """The results in seat order; a seat that nobody plays on has none."""
        first = first_out(self.stored.deal)
        pairs = enumerate(zip(self._ending.players, self._ending.scores, strict=True))
        return tuple(
            SeatResult(seat, player_id, points, seat == first, seat in self.stored.deal.winners)
            for seat, (player_id, points) in pairs
            if player_id
        )

    @property
    def _ending(self) -> DealSettled | DealVoided:
        return self.stored.voided if self.is_void else self.stored.deal


def settlement_of(commit: Commit) -> Settlement:
    """The deal that a commit ends; NotASettlement where it holds none or a malformed one."""
    settled = [event.deal_settled for event in commit.events if event.HasField("deal_settled")]
    voided = [event.deal_voided for event in commit.events if event.HasField("deal_voided")]
    place = f"version {commit.version} of table {commit.table_id!r}"
    if len(settled) + len(voided) != 1:
        raise NotASettlement(f"{len(settled)} settled and {len(voided)} void deals in {place}")
    if not commit.table_id or not commit.ruleset_id:
        raise NotASettlement(f"no table or no ruleset in {place}")
    ending = settled[0] if settled else voided[0]
    if not _is_complete(ending):
        raise NotASettlement(f"deal {ending.number} lacks its number, players, scores or totals in {place}")
    stored = SettlementStored(
        table_id=commit.table_id,
        ruleset_id=commit.ruleset_id,
        version=commit.version,
        deal=settled[0] if settled else None,
        voided=voided[0] if voided else None,
    )
    return Settlement(stored, commit.time_ms)


def _is_complete(ending: DealSettled | DealVoided) -> bool:
    """Points belong to somebody; games for fewer players leave the last seats without a name."""
    columns = (ending.players, ending.scores, ending.totals)
    return (
        ending.number > 0
        and all(len(column) == _SEATS for column in columns)
        and any(ending.players)
        and all(player or not points for player, points in zip(ending.players, ending.scores, strict=True))
    )
