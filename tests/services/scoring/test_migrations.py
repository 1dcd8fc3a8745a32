"""Ledgers of every age are brought up to date when they are opened, and can be taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from kit.ledgers import at_rest, settlements
from kit.settling import a_season, finishing
from shuangkou.scoring.database import connect, migrate, writing
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.schema import METADATA
from shuangkou.scoring.settlement import Settlement

_WITHOUT_NUMBER = {
    "sqlite": "INTEGER PRIMARY KEY",
    "postgresql": "BIGSERIAL PRIMARY KEY",
}
_BLOB = {"sqlite": "BLOB", "postgresql": "BYTEA"}


async def an_old_ledger(database: AsyncEngine, has_winners: bool) -> None:
    """The tables as they were made before they had revisions; the oldest did not say who won a deal."""
    name = database.dialect.name
    winners = ", is_winner BOOLEAN NOT NULL" if has_winners else ""
    deals = (
        f"CREATE TABLE deals (id {_WITHOUT_NUMBER[name]}, table_id VARCHAR NOT NULL, number BIGINT NOT NULL, "
        f"settled_ms BIGINT NOT NULL, settlement {_BLOB[name]} NOT NULL, "
        "CONSTRAINT deals_once UNIQUE (table_id, number))"
    )
    entries = (
        "CREATE TABLE entries (deal_id BIGINT NOT NULL REFERENCES deals (id), seat INTEGER NOT NULL, "
        "ruleset_id VARCHAR NOT NULL, player_id VARCHAR NOT NULL, points BIGINT NOT NULL, "
        f"is_first BOOLEAN NOT NULL{winners}, PRIMARY KEY (deal_id, seat))"
    )
    indexes = (
        "CREATE INDEX deals_by_time ON deals (settled_ms, id)",
        "CREATE INDEX entries_by_player ON entries (player_id, deal_id)",
    )
    async with writing(database) as connection:
        for statement in (deals, entries, *indexes):
            await connection.execute(text(statement))


async def fill_old_ledger(database: AsyncEngine, deals: Sequence[Settlement], has_winners: bool) -> None:
    """What the service of that time entered; sums are left out, nothing is carried over from them."""
    flag = ", is_winner" if has_winners else ""
    value = ", :is_winner" if has_winners else ""
    enter = text(
        f"INSERT INTO entries (deal_id, seat, ruleset_id, player_id, points, is_first{flag}) "
        f"VALUES (:deal_id, :seat, 'qq', :player_id, :points, :is_first{value})"
    )
    async with writing(database) as connection:
        for number, deal in enumerate(deals, start=1):
            stored = deal.stored.SerializeToString(deterministic=True)
            row = {"id": number, "table_id": deal.stored.table_id, "number": deal.number}
            row |= {"settled_ms": deal.settled_ms, "settlement": stored}
            await connection.execute(
                text("INSERT INTO deals VALUES (:id, :table_id, :number, :settled_ms, :settlement)"), row
            )
            entries: list[dict[str, Any]] = [
                {
                    "deal_id": number,
                    "seat": seat.seat,
                    "player_id": seat.player_id,
                    "points": seat.points,
                    "is_first": seat.place == 1,
                    "is_winner": seat.is_winner,
                }
                for seat in deal.seats
            ]
            await connection.execute(enter, entries)


def a_past(has_winners: bool) -> list[Settlement]:
    """Deals whose winners are those with points, as far as the oldest ledgers can tell."""
    commits = [*a_season(seed=6, deals=40), finishing(a_season(seed=7, deals=1)[0], 0)]
    commits[-1].table_id = "last"
    deals = settlements(commits)
    if not has_winners:
        for deal in deals:
            if deal.stored.HasField("deal"):
                deal.stored.deal.ClearField("winners")
    return deals


@pytest.mark.parametrize("has_winners", [True, False])
async def test_a_ledger_without_a_revision_is_carried_over(
    database_url: str, tmp_path: Path, has_winners: bool
) -> None:
    async with connect(database_url) as database:
        await an_old_ledger(database, has_winners)
        await fill_old_ledger(database, a_past(has_winners), has_winners)
    async with open_ledger(database_url) as ledger:
        carried = await at_rest(ledger)
    async with open_ledger(f"sqlite:///{tmp_path}/expected.db") as expected:
        await expected.store(a_past(has_winners=True))
        assert carried == await at_rest(expected)


async def test_a_filled_ledger_goes_back_and_forth_and_keeps_its_facts(database_url: str) -> None:
    async with open_ledger(database_url) as ledger:
        await ledger.store(a_past(has_winners=True))
        before = await at_rest(ledger)
        await migrate(ledger.database, "0001")
        async with ledger.database.connect() as connection:
            old = {
                table: (await connection.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one()
                for table in ("deals", "entries", "event_standings")
            }
            sums = "SELECT sum(points), sum(deals), sum(deals_won) FROM standings"
            points, deals, won = (await connection.execute(text(sums))).one()
        assert old["deals"] == 41
        assert old["entries"] == 4 * 41
        past = a_past(has_winners=True)
        assert points == sum(seat.points for deal in past for seat in deal.seats)
        assert deals == sum(len(deal.seats) for deal in past if not deal.is_void)
        assert won == sum(seat.is_winner for deal in past for seat in deal.seats)
    async with open_ledger(database_url) as ledger:
        assert await at_rest(ledger) == before


async def test_the_steps_end_at_the_tables_that_the_code_knows(database_url: str) -> None:
    def differences(connection: Connection) -> list[Any]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    async with open_ledger(database_url) as ledger:
        async with ledger.database.connect() as connection:
            assert await connection.run_sync(differences) == []
        await migrate(ledger.database, "0001")
        await migrate(ledger.database, "head")
        async with ledger.database.connect() as connection:
            assert await connection.run_sync(differences) == []


async def test_replicas_that_start_at_once_bring_an_old_ledger_up_to_date_once(database_url: str) -> None:
    async with connect(database_url) as database:
        await an_old_ledger(database, has_winners=True)
        await fill_old_ledger(database, a_past(has_winners=True)[:10], has_winners=True)

    async def opened() -> dict[str, str]:
        async with open_ledger(database_url) as ledger:
            return await at_rest(ledger)

    first, *others = await asyncio.gather(*(opened() for _ in range(4)))
    assert all(other == first for other in others)
