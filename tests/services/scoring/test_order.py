"""Whatever order deals become known in, and how often, the tables of a ledger at rest are the same."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import select

from kit.ledgers import at_rest, derived_anew, settlements
from kit.settling import a_season, finishing
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.rater import Rater
from shuangkou.scoring.schema import RATING_CHANGES, RATINGS
from shuangkou.scoring.settlement import Settlement


def season(seed: int, deals: int = 70) -> list[Settlement]:
    """Random deals; the last of each table ends its match in an event."""
    commits = a_season(seed, deals)
    return settlements([*commits[:-7], *(finishing(commit, seed % 2) for commit in commits[-7:])])


async def expected(deals: Sequence[Settlement], folder: Path) -> dict[str, str]:
    """What a ledger that enters everything at once holds, on SQLite."""
    async with open_ledger(f"sqlite:///{folder}/expected.db") as ledger:
        await ledger.store(deals)
        return await at_rest(ledger)


@pytest.mark.parametrize("seed", range(3))
async def test_late_and_repeated_deals_change_nothing(ledger: Ledger, tmp_path: Path, seed: int) -> None:
    """Some are rated before those that ended earlier are known: the ratings are wound back."""
    deals = season(seed)
    chance = random.Random(seed)
    deliveries = chance.sample(deals * 3, len(deals) * 3)
    rater = Rater(ledger.database)
    for start in range(0, len(deliveries), 10):
        await ledger.store(deliveries[start : start + 10])
        await rater.rate(size=chance.randrange(1, 9))
    assert await at_rest(ledger) == await expected(deals, tmp_path)


async def test_what_follows_from_the_facts_can_be_derived_anew(ledger: Ledger) -> None:
    await ledger.store(season(5))
    before = await at_rest(ledger)
    assert await derived_anew(ledger) == before


async def test_replicas_that_race_end_with_the_same_tables(
    ledger: Ledger, database_url: str, tmp_path: Path
) -> None:
    """Both enter all deals in batches of their own, and both rate meanwhile."""
    deals = season(8)

    async def replica(own: Ledger, seed: int) -> int:
        chance = random.Random(seed)
        mine, entered = chance.sample(deals, len(deals)), 0
        while mine:
            size = chance.randrange(1, 12)
            entered += len(await own.store(mine[:size]))
            mine = mine[size:]
            await Rater(own.database).rate(size=5)
        return entered

    async with open_ledger(database_url) as other:
        entered = await asyncio.gather(replica(ledger, 1), replica(other, 2))
    assert sum(entered) == len(deals)
    assert await at_rest(ledger) == await expected(deals, tmp_path)


async def test_a_rating_is_what_the_last_of_its_changes_left(ledger: Ledger) -> None:
    """No deal changes a rating twice, and each change begins where the one before it ended."""
    await ledger.store(season(3))
    await at_rest(ledger)
    columns = RATING_CHANGES.c
    order = (columns.settled_ms, columns.table_id, columns.number)
    async with ledger.database.connect() as connection:
        changes = (await connection.execute(select(RATING_CHANGES).order_by(*order))).all()
        ratings = (await connection.execute(select(RATINGS))).all()
    assert changes
    last: dict[tuple[object, ...], tuple[float, ...]] = {}
    for change in changes:
        held = (change.family, change.pool, change.subject, change.season)
        if held in last:
            assert last[held][:2] == (change.mu_before, change.sigma_before)
        last[held] = (change.mu, change.sigma, change.deals, change.streak, change.longest)
    assert last == {
        (row.family, row.pool, row.subject, row.season): (
            row.mu,
            row.sigma,
            row.deals,
            row.streak,
            row.longest,
        )
        for row in ratings
    }
