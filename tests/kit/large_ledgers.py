"""Ledgers of many players, made by the database itself, and what it plans to do for a question."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event, text

from shuangkou.scoring.boards import Boards, PointsQuestion, RatingsQuestion
from shuangkou.scoring.bookmark import BoardBookmark, MatchesBookmark, SettlementsBookmark
from shuangkou.scoring.database import writing
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.privacy import Reader
from shuangkou.scoring.ratings import Pool
from shuangkou.scoring.records import Records, SettlementsQuestion
from shuangkou.scoring.schema import METADATA

FAMILY, SEASON = "climbing", "2026q4"
POINTS = PointsQuestion("qq", "", include_bots=False)
RATINGS = RatingsQuestion(FAMILY, SEASON, Pool.PEOPLE, pairs=False)
# An index that is made at the end is made faster.
_INDEXES = [index for table in METADATA.tables.values() for index in table.indexes]


@asynccontextmanager
async def large_ledger(address: str, players: int, deals: int) -> AsyncIterator[Ledger]:
    """So many players with sums and ratings, and four seat entries for each deal, of random players."""
    async with open_ledger(address) as ledger:
        kind = ledger.database.dialect.name
        for index in _INDEXES:
            async with writing(ledger.database) as connection:
                await connection.run_sync(index.drop)
        for statement in _statements(_Words(kind == "sqlite"), players, deals):
            await _run(ledger, statement)
        for index in _INDEXES:
            async with writing(ledger.database) as connection:
                await connection.run_sync(index.create)
        await _know_the_sizes(ledger)
        yield ledger


async def _run(ledger: Ledger, statement: str) -> None:
    async with writing(ledger.database) as connection:
        if ledger.database.dialect.name == "sqlite":
            await connection.execute(text("PRAGMA cache_size = -262144"))
        await connection.execute(text(statement))


async def _know_the_sizes(ledger: Ledger) -> None:
    """What a database that has been in use for a while has found out."""
    if ledger.database.dialect.name == "sqlite":
        await _run(ledger, "ANALYZE")
        return
    # PostgreSQL does this by itself after a while, and never in a transaction.
    async with ledger.database.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        await connection.execute(text("VACUUM (ANALYZE)"))


@dataclass(frozen=True, slots=True)
class _Words:
    """Of a database."""

    is_sqlite: bool

    @property
    def empty(self) -> str:
        """No bytes."""
        return "X''" if self.is_sqlite else "''::bytea"

    def counted(self, last: int) -> tuple[str, str]:
        """What begins a statement with a column `i` from 0 to `last - 1`, and where it is selected from."""
        if self.is_sqlite:
            upto = f"SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {last - 1}"
            return f"WITH RECURSIVE n(i) AS ({upto}) ", "n"
        return "", f"generate_series(0, {last - 1}) AS n(i)"

    def dice(self, sides: int) -> str:
        """A number below this."""
        return f"(abs(random()) % {sides})" if self.is_sqlite else f"floor(random() * {sides})::bigint"


def _statements(words: _Words, players: int, deals: int) -> list[str]:
    """What fills the tables."""
    counted, dice = words.counted, words.dice
    bell = f"({dice(400)} + {dice(400)} + {dice(400)} - 600)"
    start, names = counted(players)
    standings = (
        f"{start}INSERT INTO board_standings SELECT 'qq', '', 'p' || i, FALSE, {bell}, 10, 5, {dice(10**12)} "
        f"FROM {names}"
    )
    ratings = (
        f"{start}INSERT INTO ratings SELECT '{FAMILY}', 1, 'p' || i, '{SEASON}', FALSE, 25, 6.5, "
        f"5.5 + {bell} / 40.0, 10, 5, 0, 3, {dice(10**12)} FROM {names}"
    )
    start, rows = counted(4 * deals)
    entries = (
        f"{start}INSERT INTO seat_entries SELECT 't' || (100000000 + i / 32), i / 4 % 8 + 1, i % 4, "
        f"'p' || {dice(players)}, i / 4, 4, 4, 1, 0, 0, 0, 0, 0, 0, i % 2 = 0, FALSE FROM {rows}"
    )
    start, rows = counted(deals)
    facts = (
        f"{start}INSERT INTO settlements SELECT 't' || (100000000 + i / 8), i % 8 + 1, 'qq', '{FAMILY}', "
        f"i + 1, i, {words.empty} FROM {rows}"
    )
    start, names = counted(players)
    faced = f"{start}INSERT INTO faced SELECT 'p' || i, 'q' || i, 'qq', 1, 1, 1, 1, 0 FROM {names}"
    return [standings, ratings, entries, facts, *_matches(words, players, deals), faced]


def _matches(words: _Words, players: int, deals: int) -> list[str]:
    """What fills the tables of matches, each of eight deals, a quarter of them private."""
    start, rows = words.counted(deals)
    matches = (
        f"{start}INSERT INTO match_ends SELECT 't' || (100000000 + i), 'qq', i, {words.empty} "
        f"FROM {rows} WHERE i < {deals // 8}"
    )
    seats = (
        f"{start}INSERT INTO match_seats SELECT 'p' || {words.dice(players)}, 't' || (100000000 + i), i "
        f"FROM {rows} WHERE i < {deals // 8}"
    )
    terms = (
        f"{start}INSERT INTO table_terms SELECT 't' || (100000000 + i), i % 4 = 0 FROM {rows} "
        f"WHERE i < {deals // 8}"
    )
    guests = (
        f"{start}INSERT INTO table_guests SELECT 't' || (100000000 + i / 8 * 4), 'p' || (i % 8) FROM {rows} "
        f"WHERE i < {deals // 4}"
    )
    return [matches, seats, terms, guests]


def mark(score: float, backwards: bool) -> BoardBookmark:
    """Somewhere in a ranking."""
    return BoardBookmark(score=score, since_ms=1, name="p", place=1000, rank=900, backwards=backwards)


def questions(ledger: Ledger) -> dict[str, Callable[[], Awaitable[object]]]:
    """Every list of the service, first and later pages, in both directions where there are two."""
    boards, records = Boards(ledger.database), Records(ledger.database)
    of_table, of_player = SettlementsQuestion("t100000001", ""), SettlementsQuestion("", "p7")
    stranger = Reader("p8")
    deal = SettlementsBookmark(settled_ms=500, table_id="t100000002", number=3)
    return {
        "points, the best": lambda: boards.points(POINTS, None, 50),
        "points": lambda: boards.points(POINTS, mark(10, False), 50),
        "points, backwards": lambda: boards.points(POINTS, mark(10, True), 50),
        "points, own rank": lambda: boards.points_from(POINTS, "p7", 50),
        "seasons of a board": lambda: boards.seasons_of(POINTS),
        "seasons of ratings": lambda: boards.seasons_of(RATINGS),
        "ratings, the best": lambda: boards.ratings(RATINGS, None, 50),
        "ratings": lambda: boards.ratings(RATINGS, mark(5.0, False), 50),
        "ratings, backwards": lambda: boards.ratings(RATINGS, mark(5.0, True), 50),
        "ratings, own rank": lambda: boards.ratings_from(RATINGS, "p7", 50),
        "deals, the last": lambda: records.settlements(SettlementsQuestion("", ""), None, 50),
        "deals": lambda: records.settlements(SettlementsQuestion("", ""), deal, 50),
        "deals of a player": lambda: records.settlements(of_player, None, 50),
        "deals of a player, later": lambda: records.settlements(of_player, deal, 50),
        "deals, to a stranger": lambda: records.settlements(SettlementsQuestion("", "", stranger), deal, 50),
        "deals of a player, to a stranger": lambda: records.settlements(
            SettlementsQuestion("", "p7", stranger), deal, 50
        ),
        "deals of a table": lambda: records.settlements(of_table, None, 50),
        "companions of a player": lambda: records.companions("p7", None, 50),
        "matches of a player": lambda: records.matches("p7", None, 50),
        "matches of a player, to a stranger": lambda: records.matches("p7", None, 50, stranger),
        "matches of a player, later": lambda: records.matches(
            "p7", MatchesBookmark(ended_ms=500, table_id="t100000002"), 50
        ),
    }


async def plan(ledger: Ledger, question: Callable[[], Awaitable[object]]) -> list[str]:
    """What the database says that it does for all that the question asks of it, line by line."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, values: Any, *_: object) -> None:
        if statement.startswith("SELECT") and "FROM" in statement:
            asked.append((statement, values))

    engine = ledger.database.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        await question()
    finally:
        event.remove(engine, "before_cursor_execute", note)
    verb = "EXPLAIN QUERY PLAN" if engine.dialect.name == "sqlite" else "EXPLAIN"
    lines: list[str] = []
    async with ledger.database.connect() as connection:
        for statement, values in asked:
            told = await connection.exec_driver_sql(f"{verb} {statement}", values)
            lines += [str(row[-1]).strip() for row in told]
    return lines
