"""Rows that are added to those that are there already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from sqlalchemy import Table, func
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

Insert: TypeAlias = postgresql.Insert | sqlite.Insert
Rows: TypeAlias = Sequence[dict[str, object]]


async def insert_new(connection: AsyncConnection, table: Table, rows: Rows) -> None:
    """Insert rows whose keys are free; leave what is there."""
    if rows:
        await connection.execute(_insert(connection, table).on_conflict_do_nothing(), list(rows))


async def insert_and_tell(connection: AsyncConnection, table: Table, rows: Rows) -> set[tuple[Any, ...]]:
    """Insert rows whose keys are free; the keys of those that were."""
    if not rows:
        return set()
    statement = _insert(connection, table).on_conflict_do_nothing().returning(*table.primary_key)
    return {tuple(row) for row in await connection.execute(statement, list(rows))}


async def add_up(
    connection: AsyncConnection, table: Table, rows: Rows, sums: Sequence[str], latest: str = ""
) -> None:
    """Insert rows, or add ``sums`` to those with the same keys; ``latest`` becomes the greater of both."""
    if not rows:
        return
    fresh = _insert(connection, table)
    changed: dict[str, Any] = {name: table.c[name] + fresh.excluded[name] for name in sums}
    if latest:
        greater = func.greatest if _is_postgresql(connection) else func.max
        changed[latest] = greater(table.c[latest], fresh.excluded[latest])
    statement = fresh.on_conflict_do_update(index_elements=list(table.primary_key), set_=changed)
    await connection.execute(statement, list(rows))


async def put(connection: AsyncConnection, table: Table, rows: Rows) -> None:
    """Insert rows, or replace those with the same keys."""
    if not rows:
        return
    fresh = _insert(connection, table)
    changed = {column.name: fresh.excluded[column.name] for column in table.c if not column.primary_key}
    statement = fresh.on_conflict_do_update(index_elements=list(table.primary_key), set_=changed)
    await connection.execute(statement, list(rows))


def _insert(connection: AsyncConnection, table: Table) -> Insert:
    return postgresql.insert(table) if _is_postgresql(connection) else sqlite.insert(table)


def _is_postgresql(connection: AsyncConnection) -> bool:
    return connection.dialect.name == "postgresql"
