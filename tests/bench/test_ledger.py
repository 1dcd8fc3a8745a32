"""Settlements a second, and how long a page of a leaderboard takes in a large ledger; with what is asked of
the database for it.

The sizes come from LEDGER_PLAYERS and LEDGER_DEALS (four seat entries each). Rows of the large ledger are
made, not played: for each deal four random players, and for each player the sums.
"""

from __future__ import annotations

import os
import random
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import quantiles

import pytest

from kit.databases import new_database, postgresql
from kit.large_ledgers import POINTS, RATINGS, large_ledger, mark, plan, questions
from kit.settling import a_season
from shuangkou.scoring.boards import Boards
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.intake import MOST_AT_ONCE
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.rater import Rater
from shuangkou.scoring.records import Records, SettlementsQuestion
from shuangkou.scoring.settlement import settlement_of

PLAYERS = int(os.environ.get("LEDGER_PLAYERS", "100000"))
DEALS = int(os.environ.get("LEDGER_DEALS", "250000"))
SETTLED = int(os.environ.get("LEDGER_SETTLED", "2000"))
PAGES = 400

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
    """Pages of fifty at random places, settlements of random players, and their ranks."""
    chance = random.Random(1)
    began = time.perf_counter()
    async with large_ledger(address, PLAYERS, DEALS) as ledger:
        kind = ledger.database.dialect.name
        _tell(kind, f"{PLAYERS} players; entries made", 4 * DEALS, began)
        for name, question in questions(ledger).items():
            print(f"{kind}: {name}: {' / '.join(await plan(ledger, question))}")
        spans: defaultdict[str, list[float]] = defaultdict(list)
        for _ in range(PAGES):
            for name, ask in _random_questions(ledger, chance).items():
                began = time.perf_counter()
                await ask()
                spans[name].append(time.perf_counter() - began)
        for name, seconds in spans.items():
            cuts = quantiles(seconds, n=100)
            print(f"{kind}: page of {name}: p50 {cuts[49] * 1e3:.1f} ms, p99 {cuts[98] * 1e3:.1f} ms")


def _random_questions(ledger: Ledger, chance: random.Random) -> dict[str, Callable[[], Awaitable[object]]]:
    boards, records = Boards(ledger.database), Records(ledger.database)
    at, value, player = chance.randrange(-500, 501), chance.gauss(5.0, 5.0), f"p{chance.randrange(PLAYERS)}"
    return {
        "points": lambda: boards.points(POINTS, mark(at, False), 50),
        "points, backwards": lambda: boards.points(POINTS, mark(at, True), 50),
        "ratings": lambda: boards.ratings(RATINGS, mark(value, False), 50),
        "ratings, backwards": lambda: boards.ratings(RATINGS, mark(value, True), 50),
        "a player's deals": lambda: records.settlements(SettlementsQuestion("", player), None, 50),
        "points, own rank": lambda: boards.points_from(POINTS, player, 50),
        "ratings, own rank": lambda: boards.ratings_from(RATINGS, player, 50),
    }


def _tell(kind: str, what: str, number: int, began: float) -> None:
    seconds = time.perf_counter() - began
    print(f"{kind}: {what}: {number / seconds:.0f} a second ({number} in {seconds:.1f} s)")
