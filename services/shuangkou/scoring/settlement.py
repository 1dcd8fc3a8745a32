"""What a settling commit says to the ledger."""

from __future__ import annotations

from dataclasses import dataclass

from shuangkou.v1.events_pb2 import Commit, DealSettled, SettlementStored

_BOT = "bot:"
_SEATS = 4


class NotASettlement(ValueError):
    """The commit does not settle a deal in a way that the ledger can hold."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a deal brought to the occupant of one seat. ``is_first``: went out first, 头游."""

    seat: int
    player_id: str
    points: int
    is_first: bool

    @property
    def is_bot(self) -> bool:
        """Whether a persona played, and nobody in person."""
        return self.player_id.startswith(_BOT)


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settled deal of a table, and when the engine settled it (milliseconds since 1970 UTC)."""

    stored: SettlementStored
    settled_ms: int

    @property
    def subject(self) -> str:
        """Where the stored settlement is published, once for ever."""
        return f"score.{self.stored.ruleset_id}.{self.stored.table_id}.{self.stored.deal.number}"

    @property
    def seats(self) -> tuple[SeatResult, ...]:
        """The results in seat order."""
        deal = self.stored.deal
        first = deal.climbing.finish_order[0] if deal.climbing.finish_order else None
        pairs = enumerate(zip(deal.players, deal.scores, strict=True))
        return tuple(
            SeatResult(seat, player_id, points, seat == first) for seat, (player_id, points) in pairs
        )


def settlement_of(commit: Commit) -> Settlement:
    """The deal that a commit settles; NotASettlement where it holds none or a malformed one."""
    deals = [event.deal_settled for event in commit.events if event.HasField("deal_settled")]
    place = f"version {commit.version} of table {commit.table_id!r}"
    if len(deals) != 1:
        raise NotASettlement(f"{len(deals)} settled deals in {place}")
    if not commit.table_id or not commit.ruleset_id:
        raise NotASettlement(f"no table or no ruleset in {place}")
    if not _is_complete(deals[0]):
        raise NotASettlement(f"deal {deals[0].number} lacks its number, players, scores or totals in {place}")
    stored = SettlementStored(
        table_id=commit.table_id, ruleset_id=commit.ruleset_id, version=commit.version, deal=deals[0]
    )
    return Settlement(stored, commit.time_ms)


def _is_complete(deal: DealSettled) -> bool:
    columns = (deal.players, deal.scores, deal.totals)
    return deal.number > 0 and all(len(column) == _SEATS for column in columns) and all(deal.players)
