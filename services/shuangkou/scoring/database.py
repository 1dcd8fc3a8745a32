"""Opening the ledger's database, SQLite or PostgreSQL, brought up to date by whoever opens it first."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

OUT_OF_REACH = (OperationalError, InterfaceError, PoolTimeout)
"""What the database raises while it cannot be reached."""

NEWEST = "head"
_WRITES = "shuangkou_writes"
_BUSY_SECONDS = 10.0
_BUSY_AGAIN_SECONDS = 0.02
_SCHEMA_LOCK = 0x5348_4B5F_5343
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}


def database_url(address: str) -> URL:
    """The address with the driver that we use; ValueError for another kind of database."""
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise ValueError("expected sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME") from None
    if "@" in (url.host or ""):
        raise ValueError("in a password write @ as %40, and other such signs likewise")
    driver = _DRIVERS.get(url.get_backend_name())
    if driver is None:
        raise ValueError(f"the ledger needs sqlite or postgresql, not {url.get_backend_name()}")
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise ValueError("a ledger in memory would be lost with the process: expected sqlite:///FILE")
    return url.set(drivername=driver)


@asynccontextmanager
async def open_database(address: str) -> AsyncIterator[AsyncEngine]:
    """A pool of connections to a database that holds the tables of ``schema``."""
    async with connect(address) as engine:
        await migrate(engine, NEWEST)
        yield engine


@asynccontextmanager
async def connect(address: str) -> AsyncIterator[AsyncEngine]:
    """A pool of connections to a database, whatever it holds."""
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
            # No transaction can switch to it, so none is begun before.
            await _use_write_ahead_log(engine)
            event.listen(engine.sync_engine, "begin", _begin_sqlite)
        yield engine
    finally:
        await engine.dispose()


@asynccontextmanager
async def writing(database: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction that writes. On SQLite it waits for the one before it, and for nothing later."""
    async with database.execution_options(**{_WRITES: True}).begin() as connection:
        yield connection


@asynccontextmanager
async def alone(database: AsyncEngine, key: int) -> AsyncIterator[AsyncConnection]:
    """A transaction that writes while no other process holds the same key. SQLite has one writer anyhow."""
    async with writing(database) as connection:
        if database.dialect.name == "postgresql":
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
        yield connection


async def migrate(database: AsyncEngine, revision: str) -> None:
    """Bring the tables to this revision, up or down, in one transaction and one process at a time."""
    async with alone(database, _SCHEMA_LOCK) as connection:
        await connection.run_sync(_migrate, revision)


def _migrate(connection: Connection, revision: str) -> None:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "shuangkou.scoring:migrations")
    current = connection.dialect.has_table(connection, "alembic_version")
    there = connection.scalar(text("SELECT version_num FROM alembic_version")) if current else None
    if revision != NEWEST and there is not None and revision < there:
        command.downgrade(config, revision)
    else:
        command.upgrade(config, revision)


def _prepare_sqlite(connection: DBAPIConnection, _record: object) -> None:
    # Python's own module would begin transactions as it sees fit, and none before a change of the schema.
    connection.isolation_level = None
    cursor = connection.cursor()
    # What has been acknowledged to the broker must survive a power cut.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    # A transaction that reads first and then writes is refused at once when another wrote in between.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


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
