"""Rankings, page by page in both directions: a walk along an index that starts where the last page ended.

Ranking everybody to show fifty would read the whole table, so a page's places follow from its bookmark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Table, and_, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from shuangkou.scoring.bookmark import BoardBookmark
from shuangkou.scoring.ratings import Pool, Subject
from shuangkou.scoring.schema import RATINGS, STANDINGS


@dataclass(frozen=True, slots=True)
class PointsQuestion:
    """Which ranking by points is asked for. board: a ruleset or a family. season: empty for all time."""

    board: str
    season: str
    include_bots: bool

    def __str__(self) -> str:
        return f"points {self.board!r} {self.season!r} {self.include_bots}"


@dataclass(frozen=True, slots=True)
class RatingsQuestion:
    """Which ranking by rating is asked for."""

    family: str
    season: str
    pool: Pool
    pairs: bool

    def __str__(self) -> str:
        return f"ratings {self.family!r} {self.season!r} {int(self.pool)} {self.pairs}"


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row of the table behind the ranking, its place from 1, and its rank: 1, 2, 2, 4."""

    row: Row[Any]
    place: int
    rank: int


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Rows, best first, and where the pages beside it start (None at an end)."""

    rows: Sequence[RankedRow]
    following: BoardBookmark | None = None
    previous: BoardBookmark | None = None


@dataclass(frozen=True, slots=True)
class _Order:
    """score falls; of equal scores the one that was there first leads, and then the name."""

    table: Table
    score: str
    since: str
    name: str

    @property
    def columns(self) -> tuple[ColumnElement[Any], ColumnElement[Any], ColumnElement[Any]]:
        """As they are compared."""
        return self.table.c[self.score], self.table.c[self.since], self.table.c[self.name]

    def ordered(self, rows: Select[Any], backwards: bool) -> Select[Any]:
        """Best first, or last."""
        score, since, name = self.columns
        if backwards:
            return rows.order_by(score, since.desc(), name.desc())
        return rows.order_by(score.desc(), since, name)

    def beyond(self, mark: BoardBookmark) -> ColumnElement[bool]:
        """Rows on the side of the bookmark's row to which it leads."""
        score, since, name = self.columns
        level, at = tuple_(since, name), tuple_(mark.since_ms, mark.name)
        if mark.backwards:
            return and_(score >= mark.score, or_(score > mark.score, level < at))
        return and_(score <= mark.score, or_(score < mark.score, level > at))

    def level_before(self, row: Row[Any]) -> ColumnElement[bool]:
        """Rows with the score of this one that come before it."""
        score, since, name = self.columns
        place = tuple_(since, name) < tuple_(self._value(row, self.since), self._value(row, self.name))
        return and_(score == self._value(row, self.score), place)

    def better_than(self, row: Row[Any]) -> ColumnElement[bool]:
        """Rows with a higher score."""
        score, _, _ = self.columns
        better: ColumnElement[bool] = score > self.score_of(row)
        return better

    def is_named(self, name: str) -> ColumnElement[bool]:
        """The row of this name."""
        return self.columns[2] == name

    def bookmark(self, ranked: RankedRow, backwards: bool) -> BoardBookmark:
        """One that leads on from this row."""
        return BoardBookmark(
            score=self.score_of(ranked.row),
            since_ms=self._value(ranked.row, self.since),
            name=self._value(ranked.row, self.name),
            place=ranked.place,
            rank=ranked.rank,
            backwards=backwards,
        )

    def score_of(self, row: Row[Any]) -> Any:
        """What the row is ranked by."""
        return self._value(row, self.score)

    def _value(self, row: Row[Any], name: str) -> Any:
        return row._mapping[name]


_BY_POINTS = _Order(STANDINGS, "points", "achieved_ms", "player_id")
_BY_RATING = _Order(RATINGS, "value", "settled_ms", "subject")


@dataclass(frozen=True, slots=True)
class Boards:
    """Rankings of a ledger."""

    database: AsyncEngine

    async def points(self, question: PointsQuestion, mark: BoardBookmark | None, size: int) -> BoardPage:
        """At most ``size`` rows beyond the bookmark, or the first ones."""
        async with self.database.connect() as connection:
            return await _page(connection, _by_points(question), mark, size)

    async def points_from(self, question: PointsQuestion, player_id: str, size: int) -> BoardPage:
        """At most ``size`` rows, of which this player's is the first; none where the player is not ranked."""
        async with self.database.connect() as connection:
            return await _page_from(connection, _by_points(question), player_id, size)

    async def ratings(self, question: RatingsQuestion, mark: BoardBookmark | None, size: int) -> BoardPage:
        """At most ``size`` rows beyond the bookmark, or the first ones."""
        async with self.database.connect() as connection:
            return await _page(connection, _by_rating(question), mark, size)

    async def ratings_from(self, question: RatingsQuestion, subject: Subject, size: int) -> BoardPage:
        """At most ``size`` rows, of which this subject's is the first; none where it is not ranked."""
        async with self.database.connect() as connection:
            return await _page_from(connection, _by_rating(question), subject, size)

    async def seasons(self, family: str) -> Sequence[tuple[str, int]]:
        """Seasons with ratings of players and how many there are, newest first."""
        columns = RATINGS.c
        asked = select(columns.season, func.count()).where(
            columns.family == family, columns.is_pair.is_(False)
        )
        async with self.database.connect() as connection:
            rows = await connection.execute(asked.group_by(columns.season).order_by(columns.season.desc()))
            return [(season, number) for season, number in rows]

    async def newest_season(self, family: str) -> str:
        """The last one with a rating; empty without any."""
        asked = select(func.max(RATINGS.c.season)).where(RATINGS.c.family == family)
        async with self.database.connect() as connection:
            return await connection.scalar(asked) or ""

    async def seasons_of(self, question: PointsQuestion | RatingsQuestion) -> Sequence[str]:
        """Seasons in which the board or the family has anybody, bots too; newest first."""
        if isinstance(question, PointsQuestion):
            season, of_it = STANDINGS.c.season, STANDINGS.c.board == question.board
        else:
            season, of_it = RATINGS.c.season, RATINGS.c.family == question.family
        found: list[str] = []
        # A few steps along an index, where DISTINCT would read all of it.
        asked = select(func.max(season)).where(of_it)
        async with self.database.connect() as connection:
            while name := await connection.scalar(asked.where(season < found[-1]) if found else asked):
                found.append(name)
        return found


@dataclass(frozen=True, slots=True)
class _Asked:
    """One ranking."""

    order: _Order
    which: ColumnElement[bool]


def _by_points(question: PointsQuestion) -> _Asked:
    """Who has fines of void deals alone, or its share of them, has played none and has no rank yet (§2.1)."""
    asked = and_(STANDINGS.c.board == question.board, STANDINGS.c.season == question.season)
    asked = and_(asked, STANDINGS.c.deals > 0)
    if not question.include_bots:
        asked = and_(asked, STANDINGS.c.is_bot.is_(False))
    return _Asked(_BY_POINTS, asked)


def _by_rating(question: RatingsQuestion) -> _Asked:
    columns = RATINGS.c
    asked = and_(
        columns.family == question.family,
        columns.season == question.season,
        columns.pool == int(question.pool),
        columns.is_pair.is_(question.pairs),
    )
    return _Asked(_BY_RATING, asked)


async def _page_from(connection: AsyncConnection, asked: _Asked, name: str, size: int) -> BoardPage:
    """A rank is counted: that costs as much as there are better rows."""
    order = asked.order
    row = (
        await connection.execute(select(order.table).where(asked.which, order.is_named(name)))
    ).one_or_none()
    if row is None:
        return BoardPage([])
    rank = 1 + await _number_of(connection, asked, order.better_than(row))
    place = rank + await _number_of(connection, asked, order.level_before(row))
    first = RankedRow(row, place, rank)
    rest = await _page(connection, asked, order.bookmark(first, backwards=False), max(1, size - 1))
    rows = [first, *rest.rows][:size]
    goes_on = rest.following is not None or len(rows) <= len(rest.rows)
    return BoardPage(
        rows,
        order.bookmark(rows[-1], backwards=False) if goes_on else None,
        order.bookmark(first, backwards=True) if place > 1 else None,
    )


async def _number_of(connection: AsyncConnection, asked: _Asked, which: ColumnElement[bool]) -> int:
    counted = select(func.count()).select_from(asked.order.table).where(asked.which, which)
    return await connection.scalar(counted) or 0


async def _page(
    connection: AsyncConnection, asked: _Asked, mark: BoardBookmark | None, size: int
) -> BoardPage:
    backwards = mark is not None and mark.backwards
    wanted = select(asked.order.table).where(asked.which).limit(size + 1)
    if mark is not None:
        wanted = wanted.where(asked.order.beyond(mark))
    found = (await connection.execute(asked.order.ordered(wanted, backwards))).all()
    goes_on, rows = len(found) > size, list(found[:size])
    if not rows:
        return BoardPage([])
    if mark is not None and backwards:
        rows.reverse()
        first = 1 if not goes_on else max(1, mark.place - len(rows))
        ranked = _ranked(asked.order, rows, first, await _first_rank(connection, asked, mark, rows[0], first))
    else:
        first = mark.place + 1 if mark else 1
        is_level = mark is not None and asked.order.score_of(rows[0]) == mark.score
        ranked = _ranked(asked.order, rows, first, mark.rank if mark and is_level else first)
    has_more = goes_on or backwards
    has_less = goes_on if backwards else mark is not None
    return BoardPage(
        ranked,
        asked.order.bookmark(ranked[-1], backwards=False) if has_more else None,
        asked.order.bookmark(ranked[0], backwards=True) if has_less else None,
    )


async def _first_rank(
    connection: AsyncConnection, asked: _Asked, mark: BoardBookmark, row: Row[Any], place: int
) -> int:
    if asked.order.score_of(row) == mark.score:
        return mark.rank
    return max(1, place - await _number_of(connection, asked, asked.order.level_before(row)))


def _ranked(order: _Order, rows: Sequence[Row[Any]], first_place: int, first_rank: int) -> list[RankedRow]:
    ranked: list[RankedRow] = []
    rank = first_rank
    for place, row in enumerate(rows, start=first_place):
        if ranked and order.score_of(row) != order.score_of(ranked[-1].row):
            rank = place
        ranked.append(RankedRow(row, place, rank))
    return ranked
