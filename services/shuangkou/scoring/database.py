"""Opening the ledger's database, SQLite or PostgreSQL, brought up to date by whoever opens it first."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from shuangkou.chassis.ledger_address import database_url, shown

OUT_OF_REACH = (OperationalError, InterfaceError, PoolTimeout)
"""What the database raises while it cannot be reached."""

NEWEST = "head"
_WRITES = "shuangkou_writes"
_BUSY_SECONDS = 10.0
_BUSY_AGAIN_SECONDS = 0.02
_SCHEMA_LOCK = 0x5348_4B5F_5343


class NoLedger(Exception):
    """The database does not hold the tables of ``schema``."""


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
async def read_only(address: str) -> AsyncIterator[AsyncEngine]:
    """A pool of connections that change nothing; NoLedger unless the tables are there and of this version."""
    url = database_url(address)
    is_sqlite = url.get_backend_name() == "sqlite"
    if is_sqlite and not _is_there(url):
        raise NoLedger(f"there is no ledger at {shown(address)}")
    only_reads = {} if is_sqlite else {"postgresql_readonly": True}
    engine = create_async_engine(url, execution_options=only_reads)
    if is_sqlite:
        event.listen(engine.sync_engine, "connect", _prepare_reader)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
    try:
        async with engine.connect() as connection:
            there = await connection.run_sync(_revision)
        if there is None:
            raise NoLedger(f"there is no ledger at {shown(address)}")
        newest = ScriptDirectory.from_config(_alembic()).get_current_head()
        if there != newest:
            raise NoLedger(f"the ledger at {shown(address)} has tables of version {there}, not of {newest}")
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


async def hold_tables(connection: AsyncConnection, tables: Iterable[str]) -> None:
    """Until the transaction ends no other one holds any of these game tables. SQLite has one writer anyhow.

    A match and a deal of it may be entered at once, and each must see the other.
    """
    held = sorted(tables)
    if held and connection.dialect.name == "postgresql":
        keys = "SELECT DISTINCT hashtextextended(held, 0) AS key FROM unnest(CAST(:held AS text[])) AS held"
        locks = f"SELECT pg_advisory_xact_lock(key) FROM ({keys} ORDER BY key) AS keys"
        await connection.execute(text(locks), {"held": held})


async def migrate(database: AsyncEngine, revision: str) -> None:
    """Bring the tables to this revision, up or down, in one transaction and one process at a time."""
    async with alone(database, _SCHEMA_LOCK) as connection:
        await connection.run_sync(_migrate, revision)


def _migrate(connection: Connection, revision: str) -> None:
    config = _alembic(connection=connection)
    there = _revision(connection)
    if revision != NEWEST and there is not None and revision < there:
        command.downgrade(config, revision)
    else:
        command.upgrade(config, revision)


def _is_there(url: URL) -> bool:
    """To connect would make the file."""
    file = url.database or ""
    return file.startswith("file:") or Path(file).exists()


def _alembic(**attributes: object) -> Config:
    config = Config(attributes=attributes)
    config.set_main_option("script_location", "shuangkou.scoring:migrations")
    return config


def _revision(connection: Connection) -> str | None:
    """Of the tables that are there; None where there are none, or such as had no revision yet."""
    if not connection.dialect.has_table(connection, "alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def _prepare_reader(connection: DBAPIConnection, _record: object) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only = ON")
    cursor.close()


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
