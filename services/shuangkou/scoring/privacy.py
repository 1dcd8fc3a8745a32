"""Who is told of single deals and matches of a private table: who played there, its maker, who is invited,
and services.

A table of which nobody knows whether it is private counts as private: an older ledger did not ask, and what
is told to a stranger cannot be taken back.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.ext.asyncio import AsyncEngine

from shuangkou.chassis.auth import CallerKind, Identity
from shuangkou.chassis.errors import PermissionDenied
from shuangkou.scoring.schema import ENTRIES, SETTLEMENTS, TABLE_GUESTS, TABLE_TERMS
from shuangkou.wire.names import is_player_name
from shuangkou.wire.refusals import refusal

_CODE = "table/private"
_NOBODY = ""


@dataclass(frozen=True, slots=True)
class Reader:
    """On whose behalf the ledger is read; a service reads all of it."""

    player_id: str
    is_service: bool = False

    def may_see(self, table_id: ColumnElement[str]) -> ColumnElement[bool]:
        """Whether the row is of a table that the reader may be told of."""
        own, guests = ENTRIES.alias("own").c, TABLE_GUESTS.c
        # Single values: PostgreSQL may read a whole table to tell what merely exists in it.
        is_private = select(TABLE_TERMS.c.is_private).where(TABLE_TERMS.c.table_id == table_id)
        invited = select(guests.player_id).where(guests.table_id == table_id)
        invited = invited.where(guests.player_id == self.player_id)
        # A table has few entries, its player may have many: what is no plain column leads along the table's.
        seat = select(func.min(own.seat)).where(own.table_id == table_id)
        seat = seat.where(own.player_id.concat("") == self.player_id)
        return or_(
            is_private.scalar_subquery().is_(False),
            invited.scalar_subquery().is_not(None),
            seat.scalar_subquery().is_not(None),
        )


SERVICE = Reader("", is_service=True)


def reader_of(caller: Identity) -> Reader:
    """A caller as a reader; one whose name no player may have is a stranger everywhere."""
    if caller.kind is CallerKind.SERVICE:
        return SERVICE
    return Reader(caller.subject if is_player_name(caller.subject) else _NOBODY)


async def check_may_read(database: AsyncEngine, table_id: str, reader: Reader) -> None:
    """PermissionDenied, with nothing about the table in it, unless the reader may be told of it."""
    if reader.is_service:
        return
    asked = select(SETTLEMENTS.c.table_id).where(SETTLEMENTS.c.table_id == table_id).limit(1)
    async with database.connect() as connection:
        found = await connection.scalar(asked.where(reader.may_see(SETTLEMENTS.c.table_id)))
    if found is None:
        explanation = "this table is private: ask who plays there for an invitation"
        raise PermissionDenied(_CODE, explanation, refusal(_CODE, explanation))
