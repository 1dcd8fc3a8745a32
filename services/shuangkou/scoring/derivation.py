"""What follows from the facts, derived anew, and a ledger written out so that two can be compared."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Table, delete, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from shuangkou.chassis.ledger_address import shown
from shuangkou.chassis.logs import logger
from shuangkou.scoring.database import NoLedger, alone, open_database, read_only
from shuangkou.scoring.ledger import Ledger, post, sum_matches
from shuangkou.scoring.rater import rate_next
from shuangkou.scoring.schema import DERIVED, FACTS, MATCH_ENDS, SETTLEMENTS, STATE, TODO
from shuangkou.scoring.settlement import Settlement
from shuangkou.scoring.upserts import put
from shuangkou.v1.events_pb2 import SettlementStored
from shuangkou.v1.scoring_pb2 import MatchResult

DERIVATION = "4"
"""Grows whenever the same facts are to mean something else: a ledger derives anew when it is opened next."""

_DERIVATION_LOCK = 0x5348_4B5F_4445
_BATCH = 500


@asynccontextmanager
async def open_ledger(address: str) -> AsyncIterator[Ledger]:
    """A ledger that is up to date with this code, whoever made it."""
    async with open_database(address) as database:
        await derive_if_stale(database)
        yield Ledger(database)


@asynccontextmanager
async def ledger_as_it_is(address: str) -> AsyncIterator[Ledger]:
    """A ledger to be read, and not brought up to date; NoLedger where it would have to be."""
    async with read_only(address) as database:
        async with database.connect() as connection:
            derivation = await connection.scalar(select(STATE.c.value).where(STATE.c.name == "derivation"))
        if derivation != DERIVATION:
            raise NoLedger(f"the ledger at {shown(address)} was derived by the rules of another version")
        yield Ledger(database)


async def derive_if_stale(database: AsyncEngine) -> None:
    """Derive anew what was derived by other rules, one process at a time and in one transaction."""
    async with alone(database, _DERIVATION_LOCK) as connection:
        asked = select(STATE.c.value).where(STATE.c.name == "derivation")
        if await connection.scalar(asked) == DERIVATION:
            return
        deals = await derive(connection)
        await put(connection, STATE, [{"name": "derivation", "value": DERIVATION}])
        if deals:
            logger().info("ledger_derived_anew", deals=deals, derivation=DERIVATION)


async def derive(connection: AsyncConnection) -> int:
    """Empty what follows from the facts and derive it; of how many deals."""
    for table in (*DERIVED, *TODO):
        await connection.execute(delete(table))
    deals = 0
    async for rows in _in_batches(connection, MATCH_ENDS):
        await sum_matches(connection, [MatchResult.FromString(row.ending) for row in rows])
    async for rows in _in_batches(connection, SETTLEMENTS):
        batch = [Settlement(SettlementStored.FromString(row.settlement), row.settled_ms) for row in rows]
        await post(connection, batch)
        deals += len(batch)
    while await rate_next(connection):
        pass
    return deals


async def _in_batches(connection: AsyncConnection, table: Table) -> AsyncIterator[list[Any]]:
    """All rows in the order of their keys, read while others are written."""
    keys = list(table.primary_key)
    last: tuple[Any, ...] | None = None
    while True:
        asked = select(table).order_by(*keys).limit(_BATCH)
        if last is not None:
            asked = asked.where(tuple_(*keys) > tuple_(*last))
        rows = list((await connection.execute(asked)).all())
        if not rows:
            return
        yield rows
        last = tuple(rows[-1]._mapping[key] for key in keys)


async def digests(connection: AsyncConnection) -> dict[str, str]:
    """By table, the SHA-256 of all its rows as text, the same on every database for the same ledger."""
    return {table.name: await _digest(connection, table) for table in (*FACTS, *DERIVED)}


async def _digest(connection: AsyncConnection, table: Table) -> str:
    digest = hashlib.sha256()
    async for rows in _in_batches(connection, table):
        for row in rows:
            digest.update(f"{tuple(row)!r}\n".encode())
    return digest.hexdigest()
