"""The ledger: every deal that is over once, and what the entries add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Row, Select, and_, func, insert, or_, select, true, tuple_
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from shuangkou.scoring.bookmark import LeaderboardBookmark, SettlementsBookmark
from shuangkou.scoring.schema import DEALS, ENTRIES, STANDINGS
from shuangkou.scoring.settlement import SeatResult, Settlement
from shuangkou.v1.events_pb2 import SettlementStored
from shuangkou.v1.scoring_pb2 import LeaderboardRow, PlayerResults

_Upsert: TypeAlias = postgresql.Insert | sqlite.Insert


@dataclass(frozen=True, slots=True)
class SettlementsQuestion:
    """Which settlements are asked for; empty ids ask for all."""

    table_id: str
    player_id: str

    def __str__(self) -> str:
        return f"settlements {self.table_id!r} {self.player_id!r}"


@dataclass(frozen=True, slots=True)
class LeaderboardQuestion:
    """Which ranking is asked for."""

    ruleset_id: str
    include_bots: bool

    def __str__(self) -> str:
        return f"leaderboard {self.ruleset_id!r} {self.include_bots}"


@dataclass(frozen=True, slots=True)
class SettlementsPage:
    """Settlements, newest first, and where the next page starts (None on the last)."""

    settlements: Sequence[SettlementStored]
    bookmark: SettlementsBookmark | None


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """Rows, best first, and where the next page starts (None on the last)."""

    rows: Sequence[LeaderboardRow]
    bookmark: LeaderboardBookmark | None


@dataclass(frozen=True, slots=True)
class Ledger:
    """Settled deals in a SQL database that holds the tables of ``schema``."""

    database: AsyncEngine

    async def store(self, settlement: Settlement) -> bool:
        """Enter a settlement in one transaction; False where its deal was entered before."""
        async with self.database.begin() as connection:
            deal_id = await self._enter_deal(connection, settlement)
            if deal_id is None:
                return False
            ruleset_id = settlement.stored.ruleset_id
            entries = [
                {"deal_id": deal_id, "ruleset_id": ruleset_id, **asdict(seat)} for seat in settlement.seats
            ]
            await connection.execute(insert(ENTRIES), entries)
            # Always in the same order: two transactions that share players cannot deadlock.
            for seat in sorted(settlement.seats, key=lambda seat: seat.player_id):
                await connection.execute(self._add_to_standing(settlement, seat))
        return True

    async def settlements(
        self, question: SettlementsQuestion, after: SettlementsBookmark | None, size: int
    ) -> SettlementsPage:
        """At most ``size`` settlements that come after the bookmark."""
        wanted = select(DEALS.c.id, DEALS.c.settled_ms, DEALS.c.settlement)
        if question.table_id:
            wanted = wanted.where(DEALS.c.table_id == question.table_id)
        if question.player_id:
            mine = select(ENTRIES.c.deal_id).where(ENTRIES.c.player_id == question.player_id)
            wanted = wanted.where(DEALS.c.id.in_(mine))
        if after is not None:
            place = tuple_(DEALS.c.settled_ms, DEALS.c.id)
            wanted = wanted.where(place < tuple_(after.settled_ms, after.deal_id))
        wanted = wanted.order_by(DEALS.c.settled_ms.desc(), DEALS.c.id.desc()).limit(size + 1)
        async with self.database.connect() as connection:
            rows = (await connection.execute(wanted)).all()
        page = [SettlementStored.FromString(row.settlement) for row in rows[:size]]
        if len(rows) <= size:
            return SettlementsPage(page, None)
        last = rows[size - 1]
        bookmark = SettlementsBookmark(question=str(question), settled_ms=last.settled_ms, deal_id=last.id)
        return SettlementsPage(page, bookmark)

    async def leaderboard(
        self, question: LeaderboardQuestion, after: LeaderboardBookmark | None, size: int
    ) -> LeaderboardPage:
        """At most ``size`` rows after the bookmark. Equal points come by who had them first, then by id."""
        async with self.database.connect() as connection:
            rows = (await connection.execute(_ranked_page(question, after, size + 1))).all()
        page = _leaderboard_rows(rows[:size])
        if len(rows) <= size:
            return LeaderboardPage(page, None)
        last = rows[size - 1]
        bookmark = LeaderboardBookmark(
            question=str(question), points=last.points, achieved_ms=last.achieved_ms, player_id=last.player_id
        )
        return LeaderboardPage(page, bookmark)

    async def player(self, player_id: str) -> Sequence[PlayerResults]:
        """A player's results by ruleset, in alphabetical order; empty for one who never finished a deal."""
        wanted = select(STANDINGS).where(STANDINGS.c.player_id == player_id).order_by(STANDINGS.c.ruleset_id)
        async with self.database.connect() as connection:
            rows = (await connection.execute(wanted)).all()
        return [
            PlayerResults(
                ruleset_id=row.ruleset_id,
                points=row.points,
                deals=row.deals,
                deals_won=row.deals_won,
                firsts=row.firsts,
            )
            for row in rows
        ]

    async def _enter_deal(self, connection: AsyncConnection, settlement: Settlement) -> int | None:
        stored = settlement.stored
        statement = (
            self._insert(DEALS)
            .values(
                table_id=stored.table_id,
                number=settlement.number,
                settled_ms=settlement.settled_ms,
                settlement=stored.SerializeToString(deterministic=True),
            )
            .on_conflict_do_nothing(index_elements=[DEALS.c.table_id, DEALS.c.number])
            .returning(DEALS.c.id)
        )
        deal_id: int | None = await connection.scalar(statement)
        return deal_id

    def _add_to_standing(self, settlement: Settlement, seat: SeatResult) -> _Upsert:
        fresh = self._insert(STANDINGS).values(
            ruleset_id=settlement.stored.ruleset_id,
            player_id=seat.player_id,
            is_bot=seat.is_bot,
            points=seat.points,
            deals=int(not settlement.is_void),
            deals_won=int(seat.is_winner),
            firsts=int(seat.is_first),
            achieved_ms=settlement.settled_ms,
        )
        sums = {
            name: STANDINGS.c[name] + fresh.excluded[name]
            for name in ("points", "deals", "deals_won", "firsts")
        }
        if seat.points != 0:
            sums["achieved_ms"] = self._later(STANDINGS.c.achieved_ms, fresh.excluded.achieved_ms)
        return fresh.on_conflict_do_update(
            index_elements=[STANDINGS.c.ruleset_id, STANDINGS.c.player_id], set_=sums
        )

    def _insert(self, table: Any) -> _Upsert:
        return postgresql.insert(table) if self._is_postgresql else sqlite.insert(table)

    def _later(self, one: ColumnElement[int], other: ColumnElement[int]) -> ColumnElement[int]:
        return func.greatest(one, other) if self._is_postgresql else func.max(one, other)

    @property
    def _is_postgresql(self) -> bool:
        return self.database.dialect.name == "postgresql"


def _ranked_page(question: LeaderboardQuestion, after: LeaderboardBookmark | None, limit: int) -> Select[Any]:
    """The standings after the bookmark; ``ahead`` and ``level`` count who comes before the first of them.

    A walk along the index: ranking everybody to show fifty would read the whole table.
    """
    asked = [STANDINGS.c.ruleset_id == question.ruleset_id]
    if not question.include_bots:
        asked.append(STANDINGS.c.is_bot.is_(False))
    order = (STANDINGS.c.points.desc(), STANDINGS.c.achieved_ms, STANDINGS.c.player_id)
    rows = select(STANDINGS).where(*asked).order_by(*order).limit(limit)
    if after is not None:
        rows = rows.where(_behind(after))
    page = rows.cte("page")
    best = (page.c.points.desc(), page.c.achieved_ms, page.c.player_id)
    head = select(page).order_by(*best).limit(1).cte("head")
    counted = select(func.count()).select_from(STANDINGS.join(head, true())).where(*asked)
    ahead = counted.where(STANDINGS.c.points > head.c.points)
    since = tuple_(STANDINGS.c.achieved_ms, STANDINGS.c.player_id)
    level = counted.where(
        STANDINGS.c.points == head.c.points, since < tuple_(head.c.achieved_ms, head.c.player_id)
    )
    return select(
        page, ahead.scalar_subquery().label("ahead"), level.scalar_subquery().label("level")
    ).order_by(*best)


def _behind(after: LeaderboardBookmark) -> ColumnElement[bool]:
    since = tuple_(STANDINGS.c.achieved_ms, STANDINGS.c.player_id)
    later = since > tuple_(after.achieved_ms, after.player_id)
    return or_(STANDINGS.c.points < after.points, and_(STANDINGS.c.points == after.points, later))


def _leaderboard_rows(rows: Sequence[Row[Any]]) -> list[LeaderboardRow]:
    ranked: list[LeaderboardRow] = []
    for place, row in enumerate(rows, start=1):
        if not ranked:
            rank = row.ahead + 1
        elif row.points != ranked[-1].points:
            rank = row.ahead + row.level + place
        ranked.append(
            LeaderboardRow(
                rank=rank,
                player_id=row.player_id,
                points=row.points,
                deals=row.deals,
                deals_won=row.deals_won,
            )
        )
    return ranked
