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
from sqlalchemy import Insert, insert, text
from sqlalchemy.ext.asyncio import AsyncConnection

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
from shuangkou.scoring.schema import ENTRIES, RATINGS, STANDINGS
from shuangkou.scoring.settlement import settlement_of

PLAYERS = int(os.environ.get("LEDGER_PLAYERS", "100000"))
DEALS = int(os.environ.get("LEDGER_DEALS", "250000"))
SETTLED = int(os.environ.get("LEDGER_SETTLED", "2000"))
PAGES = 400
_BATCH = 20_000
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
                mark = _mark(str(points), at, backwards)
                began = time.perf_counter()
                await boards.points(points, mark, 50)
                spans["points, backwards" if backwards else "points"].append(time.perf_counter() - began)
            began = time.perf_counter()
            await boards.ratings(ratings, _mark(str(ratings), chance.gauss(5.0, 5.0), False), 50)
            spans["ratings"].append(time.perf_counter() - began)
            began = time.perf_counter()
            await records.settlements(SettlementsQuestion("", f"p{chance.randrange(PLAYERS)}"), None, 50)
            spans["deals"].append(time.perf_counter() - began)
        kind = ledger.database.dialect.name
        for name, seconds in spans.items():
            cuts = quantiles(seconds, n=100)
            print(f"{kind}: page of {name}: p50 {cuts[49] * 1e3:.1f} ms, p99 {cuts[98] * 1e3:.1f} ms")
        await _explain(ledger)


def _mark(question: str, score: float, backwards: bool) -> BoardBookmark:
    return BoardBookmark(
        question=question, score=score, since_ms=1, name="p", place=1000, rank=900, backwards=backwards
    )


def _tell(kind: str, what: str, number: int, began: float) -> None:
    seconds = time.perf_counter() - began
    print(f"{kind}: {what}: {number / seconds:.0f} a second ({number} in {seconds:.1f} s)")


@asynccontextmanager
async def large_ledger(address: str) -> AsyncIterator[Ledger]:
    """PLAYERS players, and four seat entries for each of DEALS deals."""
    async with open_ledger(address) as ledger:
        began = time.perf_counter()
        async with writing(ledger.database) as connection:
            await _fill(connection, insert(STANDINGS), _standings())
            await _fill(connection, insert(RATINGS), _ratings())
        for start in range(0, DEALS, 100_000):
            async with writing(ledger.database) as connection:
                await _fill(connection, insert(ENTRIES), _entries(start, min(start + 100_000, DEALS)))
        async with writing(ledger.database) as connection:
            await connection.execute(text("ANALYZE"))
        kind = ledger.database.dialect.name
        seconds = time.perf_counter() - began
        print(f"{kind}: {PLAYERS} players and {4 * DEALS} entries made in {seconds:.0f} s")
        yield ledger


async def _fill(connection: AsyncConnection, statement: Insert, rows: Iterator[dict[str, object]]) -> None:
    batch: list[dict[str, object]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH:
            await connection.execute(statement, batch)
            batch = []
    if batch:
        await connection.execute(statement, batch)


def _standings() -> Iterator[dict[str, object]]:
    chance = random.Random(2)
    for number in range(PLAYERS):
        yield {
            "board": "qq",
            "season": "",
            "player_id": f"p{number}",
            "is_bot": False,
            "points": round(chance.gauss(0, 200)),
            "deals": 10,
            "deals_won": 5,
            "achieved_ms": chance.randrange(10**12),
        }


def _ratings() -> Iterator[dict[str, object]]:
    chance = random.Random(3)
    for number in range(PLAYERS):
        mu = chance.gauss(25.0, 5.0)
        yield {
            "family": _FAMILY,
            "pool": int(Pool.PEOPLE),
            "subject": f"p{number}",
            "season": _SEASON,
            "is_pair": False,
            "mu": mu,
            "sigma": 6.5,
            "value": mu - 19.5,
            "deals": 10,
            "deals_won": 5,
            "streak": 0,
            "longest": 3,
            "settled_ms": chance.randrange(10**12),
        }


def _entries(start: int, end: int) -> Iterator[dict[str, object]]:
    chance = random.Random(start)
    zeros = dict.fromkeys(("contribution", "fine", "levels", "coins", "place", "bombs"), 0)
    for number in range(start, end):
        for seat in range(4):
            yield {
                "table_id": f"t{number // 8}",
                "number": number % 8 + 1,
                "seat": seat,
                "player_id": f"p{chance.randrange(PLAYERS)}",
                "settled_ms": number,
                "points": 4,
                "base": 4,
                "multiplier": 1,
                "is_winner": seat % 2 == 0,
                "has_left": False,
                **zeros,
            }


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
            assert not any("Seq Scan" in line or "USE TEMP B-TREE" in line for line in lines)
            assert any("INDEX" in line.upper() for line in lines)
