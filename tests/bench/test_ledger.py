"""Settlements a second, and how long a page of a leaderboard takes in a large ledger; with what is asked of
the database for it.

The sizes come from LEDGER_PLAYERS and LEDGER_DEALS (four seat entries each). Rows of the large ledger are
made, not played: for each deal four random players, and for each player the sums.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles

import pytest
from sqlalchemy import Connection, text

from kit.databases import new_database, postgresql
from kit.settling import a_season
from shuangkou.scoring.boards import Boards, PointsQuestion, RatingsQuestion
from shuangkou.scoring.bookmark import BoardBookmark
from shuangkou.scoring.database import writing
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.intake import MOST_AT_ONCE
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.rater import Rater
from shuangkou.scoring.ratings import Pool
from shuangkou.scoring.records import Records, SettlementsQuestion
from shuangkou.scoring.schema import ENTRIES
from shuangkou.scoring.settlement import settlement_of

PLAYERS = int(os.environ.get("LEDGER_PLAYERS", "100000"))
DEALS = int(os.environ.get("LEDGER_DEALS", "250000"))
SETTLED = int(os.environ.get("LEDGER_SETTLED", "2000"))
PAGES = 400
_FAMILY, _SEASON = "climbing", "2026q4"

pytestmark = pytest.mark.timeout(7200)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/scoring.db"
        return
    with postgresql(tmp_path) as server:
        yield new_database(server, "bench")


async def test_settlements_a_second(address: str) -> None:
    """In batches as full as the recorder makes them, and one by one."""
    deals = [settlement_of(commit) for commit in a_season(seed=1, deals=SETTLED)]
    alone = min(200, SETTLED // 4)
    async with open_ledger(address) as ledger:
        kind = ledger.database.dialect.name
        began = time.perf_counter()
        for deal in deals[:alone]:
            await ledger.store([deal])
        _tell(kind, "settlements entered one by one", alone, began)
        began = time.perf_counter()
        for start in range(alone, SETTLED, MOST_AT_ONCE):
            await ledger.store(deals[start : start + MOST_AT_ONCE])
        _tell(kind, f"settlements entered {MOST_AT_ONCE} at once", SETTLED - alone, began)
        began = time.perf_counter()
        await Rater(ledger.database).rate_all()
        _tell(kind, "deals rated", SETTLED, began)


async def test_pages_of_a_large_ledger(address: str) -> None:
    """Pages of fifty at random places, and settlements of random players."""
    chance = random.Random(1)
    async with large_ledger(address) as ledger:
        boards, records = Boards(ledger.database), Records(ledger.database)
        points = PointsQuestion("qq", "", include_bots=False)
        ratings = RatingsQuestion(_FAMILY, _SEASON, Pool.PEOPLE, pairs=False)
        spans: dict[str, list[float]] = {"points": [], "points, backwards": [], "ratings": [], "deals": []}
        for _ in range(PAGES):
            at = chance.randrange(-500, 501)
            for backwards in (False, True):
                mark = _mark(at, backwards)
                began = time.perf_counter()
                await boards.points(points, mark, 50)
                spans["points, backwards" if backwards else "points"].append(time.perf_counter() - began)
            began = time.perf_counter()
            await boards.ratings(ratings, _mark(chance.gauss(5.0, 5.0), False), 50)
            spans["ratings"].append(time.perf_counter() - began)
            began = time.perf_counter()
            await records.settlements(SettlementsQuestion("", f"p{chance.randrange(PLAYERS)}"), None, 50)
            spans["deals"].append(time.perf_counter() - began)
        kind = ledger.database.dialect.name
        for name, seconds in spans.items():
            cuts = quantiles(seconds, n=100)
            print(f"{kind}: page of {name}: p50 {cuts[49] * 1e3:.1f} ms, p99 {cuts[98] * 1e3:.1f} ms")
        await _explain(ledger)


def _mark(score: float, backwards: bool) -> BoardBookmark:
    return BoardBookmark(score=score, since_ms=1, name="p", place=1000, rank=900, backwards=backwards)


def _tell(kind: str, what: str, number: int, began: float) -> None:
    seconds = time.perf_counter() - began
    print(f"{kind}: {what}: {number / seconds:.0f} a second ({number} in {seconds:.1f} s)")


@asynccontextmanager
async def large_ledger(address: str) -> AsyncIterator[Ledger]:
    """PLAYERS players, and four seat entries for each of DEALS deals, made by the database itself."""
    async with open_ledger(address) as ledger:
        kind = ledger.database.dialect.name
        began = time.perf_counter()
        async with writing(ledger.database) as connection:
            # An index that is made at the end is made faster.
            await connection.execute(text("DROP INDEX seat_entries_by_player"))
            for statement in _statements(kind):
                await connection.execute(text(statement))
            await connection.run_sync(_make_index)
        async with writing(ledger.database) as connection:
            await connection.execute(text("ANALYZE"))
        seconds = time.perf_counter() - began
        print(f"{kind}: {PLAYERS} players and {4 * DEALS} entries made in {seconds:.0f} s")
        yield ledger


def _make_index(connection: Connection) -> None:
    [index] = [index for index in ENTRIES.indexes if index.name == "seat_entries_by_player"]
    index.create(connection)


def _statements(kind: str) -> list[str]:
    """What fills the tables, in the words of the database."""
    is_sqlite = kind == "sqlite"

    def counted(last: int) -> tuple[str, str]:
        if is_sqlite:
            upto = f"SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {last - 1}"
            return f"WITH RECURSIVE n(i) AS ({upto}) ", "n"
        return "", f"generate_series(0, {last - 1}) AS n(i)"

    def dice(sides: int) -> str:
        return f"(abs(random()) % {sides})" if is_sqlite else f"floor(random() * {sides})::bigint"

    bell = f"({dice(400)} + {dice(400)} + {dice(400)} - 600)"
    start, players = counted(PLAYERS)
    standings = (
        f"{start}INSERT INTO board_standings SELECT 'qq', '', 'p' || i, FALSE, {bell}, 10, 5, {dice(10**12)} "
        f"FROM {players}"
    )
    ratings = (
        f"{start}INSERT INTO ratings SELECT '{_FAMILY}', 1, 'p' || i, '{_SEASON}', FALSE, 25, 6.5, "
        f"5.5 + {bell} / 40.0, 10, 5, 0, 3, {dice(10**12)} FROM {players}"
    )
    start, entries = counted(4 * DEALS)
    made = (
        f"{start}INSERT INTO seat_entries SELECT 't' || (100000000 + i / 32), i / 4 % 8 + 1, i % 4, "
        f"'p' || {dice(PLAYERS)}, i / 4, 4, 4, 1, 0, 0, 0, 0, 0, 0, i % 2 = 0, FALSE FROM {entries}"
    )
    return [standings, ratings, made]


_QUESTIONS = {
    "a page by points": (
        "SELECT * FROM board_standings WHERE board = 'qq' AND season = '' AND points <= 10 "
        "AND (points < 10 OR (achieved_ms, player_id) > (1, 'p')) "
        "ORDER BY points DESC, achieved_ms, player_id LIMIT 51"
    ),
    "a page by rating": (
        "SELECT * FROM ratings WHERE family = 'climbing' AND season = '2026q4' AND pool = 1 AND "
        "is_pair = FALSE AND value <= 5.0 ORDER BY value DESC, settled_ms, subject LIMIT 51"
    ),
    "the last deals of a player": (
        "SELECT * FROM seat_entries WHERE player_id = 'p7' "
        "ORDER BY settled_ms DESC, table_id DESC, number DESC LIMIT 51"
    ),
}


async def _explain(ledger: Ledger) -> None:
    """Which index answers; a sort or a scan of a whole table would fail here."""
    kind = ledger.database.dialect.name
    verb = "EXPLAIN QUERY PLAN" if kind == "sqlite" else "EXPLAIN"
    async with ledger.database.connect() as connection:
        for name, question in _QUESTIONS.items():
            plan = (await connection.execute(text(f"{verb} {question}"))).all()
            lines = [str(row[-1]) for row in plan]
            print(f"{kind}: {name}: {' / '.join(line.strip() for line in lines)}")
            assert not any("Seq Scan" in line or line.startswith("SCAN") for line in lines)
            assert any("INDEX" in line.upper() for line in lines)
