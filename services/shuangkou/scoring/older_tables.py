"""Learns of the tables of an older ledger, which did not ask, whether they are private."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Row, exists, func, select

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import NatsFailure
from shuangkou.scoring.admissions import Admission, read_admission
from shuangkou.scoring.database import OUT_OF_REACH, writing
from shuangkou.scoring.ledger import Ledger, admit
from shuangkou.scoring.openings import Openings, UnknownOpening
from shuangkou.scoring.schema import SETTLEMENTS, TABLE_TERMS

_BATCH = 100
_AGAIN_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class OlderTables:
    """Tables with deals in the ledger of which it is not known whom they let in."""

    ledger: Ledger
    openings: Openings

    async def keep_learning(self) -> None:
        """Until cancelled: once over all of them; outages of the database and of NATS are waited out."""
        while True:
            try:
                learned = await self.learn()
                break
            except (*OUT_OF_REACH, NatsFailure) as reason:
                logger().warning("older_tables_put_off", reason=str(reason))
                await asyncio.sleep(_AGAIN_SECONDS)
        if learned:
            logger().info("older_tables_learned", tables=learned)
        await asyncio.Event().wait()

    async def learn(self) -> int:
        """Enter what EVENTS tells of each; of how many tables. The others stay private."""
        learned, last = 0, ""
        while rows := await self._unknown(last):
            told = {row.table_id: await self._ask(row) for row in rows}
            async with writing(self.ledger.database) as connection:
                await admit(connection, told)
            learned += sum(admission is not None for admission in told.values())
            last = rows[-1].table_id
        return learned

    async def _ask(self, row: Row[str, str, int]) -> Admission | None:
        try:
            return await read_admission(self.openings, row.ruleset_id, row.table_id, row.version)
        except UnknownOpening:
            return None

    async def _unknown(self, last: str) -> Sequence[Row[str, str, int]]:
        columns = SETTLEMENTS.c
        version = func.max(columns.version).label("version")
        asked = select(columns.table_id, columns.ruleset_id, version).where(columns.table_id > last)
        asked = asked.where(~exists().where(TABLE_TERMS.c.table_id == columns.table_id))
        asked = asked.group_by(columns.table_id, columns.ruleset_id).order_by(columns.table_id)
        async with self.ledger.database.connect() as connection:
            return (await connection.execute(asked.limit(_BATCH))).all()
