"""What the ledger holds of single deals, matches and players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, ScalarSelect, Select, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncEngine

from shuangkou.scoring.bookmark import CompanionsBookmark, MatchesBookmark, SettlementsBookmark
from shuangkou.scoring.privacy import SERVICE, Reader
from shuangkou.scoring.schema import (
    DAYS,
    ENTRIES,
    EVENT_STANDINGS,
    FACED,
    FACED_COUNTS,
    MATCH_ENDS,
    MATCH_SEATS,
    RATINGS,
    SETTLEMENTS,
    TALLIES,
)
from shuangkou.v1.events_pb2 import SettlementStored
from shuangkou.v1.scoring_pb2 import MatchResult

_BEFORE_ALL = MatchesBookmark(ended_ms=2**63 - 1, table_id="~")


@dataclass(frozen=True, slots=True)
class SettlementsQuestion:
    """Which settlements are asked for, and by whom; empty ids ask for all that the reader may see."""

    table_id: str
    player_id: str
    reader: Reader = SERVICE

    def __str__(self) -> str:
        return f"settlements {self.table_id!r} {self.player_id!r}"


@dataclass(frozen=True, slots=True)
class SettlementsPage:
    """Settlements, newest first, and where the next page starts (None on the last)."""

    settlements: Sequence[SettlementStored]
    bookmark: SettlementsBookmark | None


@dataclass(frozen=True, slots=True)
class MatchesPage:
    """Matches, newest first, and where the next page starts (None on the last)."""

    matches: Sequence[MatchResult]
    bookmark: MatchesBookmark | None


@dataclass(frozen=True, slots=True)
class CompanionsPage:
    """Whom a player met, the most often met first, and where the next page starts (None on the last)."""

    companions: Sequence[Row[Any]]
    bookmark: CompanionsBookmark | None


@dataclass(frozen=True, slots=True)
class Company:
    """How many others a player has had as partners and as opponents."""

    partners: int
    opponents: int


@dataclass(frozen=True, slots=True)
class Records:
    """Questions to a ledger that are no rankings."""

    database: AsyncEngine

    async def settlements(
        self, question: SettlementsQuestion, after: SettlementsBookmark | None, size: int
    ) -> SettlementsPage:
        """At most ``size`` settlements that come after the bookmark."""
        rows = await self._all(_settlements(question, after, size + 1))
        page = [SettlementStored.FromString(row.settlement) for row in rows[:size]]
        if len(rows) <= size:
            return SettlementsPage(page, None)
        last = rows[size - 1]
        bookmark = SettlementsBookmark(settled_ms=last.settled_ms, table_id=last.table_id, number=last.number)
        return SettlementsPage(page, bookmark)

    async def table(self, table_id: str) -> Sequence[SettlementStored]:
        """All deals of a table in order."""
        columns = SETTLEMENTS.c
        asked = select(columns.settlement).where(columns.table_id == table_id).order_by(columns.number)
        return [SettlementStored.FromString(row.settlement) for row in await self._all(asked)]

    async def is_known(self, player_id: str) -> bool:
        """Whether anybody of this name has finished a deal."""
        asked = select(TALLIES.c.player_id).where(TALLIES.c.player_id == player_id).limit(1)
        return bool(await self._all(asked))

    async def has_settled(self, table_id: str) -> bool:
        """Whether any deal of this table is over."""
        asked = select(SETTLEMENTS.c.table_id).where(SETTLEMENTS.c.table_id == table_id).limit(1)
        return bool(await self._all(asked))

    async def tallies(self, player_id: str) -> Sequence[Row[Any]]:
        """A player's results by ruleset, in alphabetical order; empty for one who never finished a deal."""
        asked = select(TALLIES).where(TALLIES.c.player_id == player_id)
        return await self._all(asked.order_by(TALLIES.c.ruleset_id))

    async def event_results(self, player_id: str) -> Sequence[Row[Any]]:
        """A player's matches in events, by event and ruleset in alphabetical order."""
        columns = EVENT_STANDINGS.c
        asked = select(EVENT_STANDINGS).where(columns.player_id == player_id)
        return await self._all(asked.order_by(columns.event_id, columns.ruleset_id))

    async def ratings(self, player_id: str) -> Sequence[Row[Any]]:
        """The newest rating of a player of each family and pool."""
        columns = RATINGS.c
        asked = select(RATINGS).where(columns.subject == player_id)
        rows = await self._all(asked.order_by(columns.family, columns.pool, columns.season))
        newest = {(row.family, row.pool): row for row in rows}
        return list(newest.values())

    async def days_played(self, player_id: str) -> int:
        """Days on which the player finished a deal."""
        asked = select(func.count().label("days")).select_from(DAYS).where(DAYS.c.player_id == player_id)
        [row] = await self._all(asked)
        return int(row.days)

    async def company(self, player_id: str) -> Company:
        """Whom a player has met."""
        mine = FACED.c.player_id == player_id
        other = func.count(FACED.c.other_id.distinct())
        [partners] = await self._all(select(other.label("n")).where(mine, FACED.c.deals_with > 0))
        [opponents] = await self._all(select(other.label("n")).where(mine, FACED.c.deals_against > 0))
        return Company(partners.n, opponents.n)

    async def companions(self, player_id: str, after: CompanionsBookmark | None, size: int) -> CompanionsPage:
        """At most ``size`` of those whom a player met."""
        sums = [func.sum(FACED.c[name]).label(name) for name in FACED_COUNTS]
        met = func.sum(FACED.c.deals_with + FACED.c.deals_against)
        asked = select(FACED.c.other_id, met.label("met"), *sums).where(FACED.c.player_id == player_id)
        asked = asked.group_by(FACED.c.other_id)
        if after is not None:
            later = (met == after.deals) & (FACED.c.other_id > after.player_id)
            asked = asked.having((met < after.deals) | later)
        rows = await self._all(asked.order_by(met.desc(), FACED.c.other_id).limit(size + 1))
        if len(rows) <= size:
            return CompanionsPage(rows, None)
        last = rows[size - 1]
        bookmark = CompanionsBookmark(deals=int(last.met), player_id=last.other_id)
        return CompanionsPage(rows[:size], bookmark)

    async def head_to_head(self, player_id: str, other_id: str) -> Sequence[Row[Any]]:
        """What two players did with and against each other, by ruleset in alphabetical order."""
        asked = select(FACED).where(FACED.c.player_id == player_id, FACED.c.other_id == other_id)
        return await self._all(asked.order_by(FACED.c.ruleset_id))

    async def matches(
        self, player_id: str, after: MatchesBookmark | None, size: int, reader: Reader = SERVICE
    ) -> MatchesPage:
        """At most ``size`` matches of a player that come after the bookmark and that the reader may see."""
        seats = MATCH_SEATS.c
        asked = select(seats.ended_ms, seats.table_id, MATCH_ENDS.c.ending).where(
            seats.player_id == player_id
        )
        asked = asked.join_from(MATCH_SEATS, MATCH_ENDS, MATCH_ENDS.c.table_id == seats.table_id)
        place = tuple_(seats.ended_ms, seats.table_id)
        # SQLite would sort a first page that has no bound.
        after = after or _BEFORE_ALL
        asked = asked.where(place < tuple_(after.ended_ms, after.table_id))
        if not reader.is_service:
            asked = asked.where(reader.may_see(seats.table_id))
        asked = asked.order_by(seats.ended_ms.desc(), seats.table_id.desc()).limit(size + 1)
        rows = await self._all(asked)
        page = [MatchResult.FromString(row.ending) for row in rows[:size]]
        if len(rows) <= size:
            return MatchesPage(page, None)
        last = rows[size - 1]
        bookmark = MatchesBookmark(ended_ms=last.ended_ms, table_id=last.table_id)
        return MatchesPage(page, bookmark)

    async def _all(self, asked: Select[Any]) -> Sequence[Row[Any]]:
        async with self.database.connect() as connection:
            rows: Sequence[Row[Any]] = (await connection.execute(asked)).all()
            return rows


def _settlements(question: SettlementsQuestion, after: SettlementsBookmark | None, limit: int) -> Select[Any]:
    """A walk along the deals, or along the entries of one player."""
    deals, entries = SETTLEMENTS.c, ENTRIES.c
    asked = select(deals.table_id, deals.number, deals.settled_ms, deals.settlement)
    place = (deals.settled_ms, deals.table_id, deals.number)
    if question.player_id:
        same = (entries.table_id == deals.table_id) & (entries.number == deals.number)
        place = (entries.settled_ms, entries.table_id, entries.number)
        asked = asked.join_from(ENTRIES, SETTLEMENTS, same).where(entries.player_id == question.player_id)
        asked = asked.where(entries.seat == _first_seat())
    if question.table_id:
        asked = asked.where(place[1] == question.table_id)
    if not question.reader.is_service:
        asked = asked.where(question.reader.may_see(place[1]))
    if after is not None:
        mark = (after.settled_ms, after.table_id, after.number)
        asked = asked.where(place[0] <= after.settled_ms, tuple_(*place) < tuple_(*mark))
    return asked.order_by(*(column.desc() for column in place)).limit(limit)


def _first_seat() -> ScalarSelect[Any]:
    """A bot may sit on several seats of one deal."""
    other = ENTRIES.alias("other")
    same = [other.c[name] == ENTRIES.c[name] for name in ("table_id", "number", "player_id")]
    return select(func.min(other.c.seat)).where(*same).scalar_subquery()
