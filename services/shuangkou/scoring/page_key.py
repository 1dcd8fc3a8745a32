"""What page tokens are authenticated with: drawn once, kept with the ledger, the same for all replicas."""

from __future__ import annotations

import secrets

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from shuangkou.scoring.database import writing
from shuangkou.scoring.schema import STATE
from shuangkou.scoring.upserts import insert_new

_NAME = "page_key"
_KEY_BYTES = 32


async def page_key(database: AsyncEngine) -> bytes:
    """The key of this ledger; whoever asks first draws it."""
    drawn = secrets.token_hex(_KEY_BYTES)
    async with writing(database) as connection:
        await insert_new(connection, STATE, [{"name": _NAME, "value": drawn}])
        kept = await connection.scalar(select(STATE.c.value).where(STATE.c.name == _NAME))
    return bytes.fromhex(kept or drawn)
