"""Opening the ledger's database, SQLite or PostgreSQL, with its tables in place."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.schema import CreateIndex, CreateTable

from shuangkou.scoring.schema import METADATA

OUT_OF_REACH = (OperationalError, InterfaceError, PoolTimeout)
"""What the database raises while it cannot be reached."""

_BUSY_SECONDS = 10.0
_BUSY_AGAIN_SECONDS = 0.02
_SCHEMA_LOCK = 0x5348_4B5F_5343
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}


def database_url(address: str) -> URL:
    """The address with the driver that we use; ValueError for another kind of database."""
    url = make_url(address)
    driver = _DRIVERS.get(url.get_backend_name())
    if driver is None:
        raise ValueError(f"the ledger needs sqlite or postgresql, not {url.get_backend_name()}")
    return url.set(drivername=driver)


@asynccontextmanager
async def open_database(address: str) -> AsyncIterator[AsyncEngine]:
    """A pool of connections to a database that holds the ledger's tables."""
    url = database_url(address)
    is_sqlite = url.get_backend_name() == "sqlite"
    options: dict[str, Any] = (
        {"connect_args": {"timeout": _BUSY_SECONDS}} if is_sqlite else {"pool_pre_ping": True}
    )
    engine = create_async_engine(url, **options)
    if is_sqlite:
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    try:
        if is_sqlite:
            await _use_write_ahead_log(engine)
        await _create_tables(engine)
        yield engine
    finally:
        await engine.dispose()


def _prepare_sqlite(connection: DBAPIConnection, _record: object) -> None:
    cursor = connection.cursor()
    # What has been acknowledged to the broker must survive a power cut.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


async def _use_write_ahead_log(engine: AsyncEngine) -> None:
    """Switch the file over, once for ever. SQLite's own patience does not cover this statement."""
    loop = asyncio.get_running_loop()
    give_up_at = loop.time() + _BUSY_SECONDS
    while True:
        try:
            async with engine.connect() as connection:
                await connection.exec_driver_sql("PRAGMA journal_mode = WAL")
            return
        except OperationalError as error:
            if not _is_busy(error) or loop.time() > give_up_at:
                raise
        await asyncio.sleep(_BUSY_AGAIN_SECONDS)


def _is_busy(error: OperationalError) -> bool:
    cause = error.orig
    # The low byte is the kind of error, the rest says more about it.
    return isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


async def _create_tables(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            # PostgreSQL's IF NOT EXISTS still fails when two sessions create the same table at once.
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SCHEMA_LOCK})
        for table in METADATA.sorted_tables:
            await connection.execute(CreateTable(table, if_not_exists=True))
            for index in sorted(table.indexes, key=lambda index: str(index.name)):
                await connection.execute(CreateIndex(index, if_not_exists=True))
