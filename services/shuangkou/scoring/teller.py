"""Rating changes on their way to the SCORES stream: each once, and again only where it was corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Row, delete, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from shuangkou.chassis.nats import Bus, Expectation, NewMessage, WrongLastSequence, append, last_message
from shuangkou.chassis.trace import enter_trace
from shuangkou.scoring.database import alone
from shuangkou.scoring.rater import RATER_LOCK
from shuangkou.scoring.ratings import PROVISIONAL_DEALS, players_of
from shuangkou.scoring.schema import RATING_CHANGES, SETTLEMENTS, UNTOLD
from shuangkou.v1.events_pb2 import RatingChange, RatingsChanged
from shuangkou.wire.cloud_events import cloud_event
from shuangkou.wire.streams import SCORES

_BATCH = 64

_Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Teller:
    """Publishes what the rater has changed."""

    bus: Bus
    database: AsyncEngine

    async def tell(self) -> int:
        """Publish some of what is untold; of how many deals."""
        async with self.database.connect() as connection:
            asked = select(UNTOLD).order_by(*UNTOLD.primary_key).limit(_BATCH)
            keys: list[_Key] = [(row.table_id, row.number) for row in await connection.execute(asked)]
            told = await _messages(connection, keys)
        if not keys:
            return 0
        for message in told.values():
            enter_trace(None)
            await self._publish(message)
        async with alone(self.database, RATER_LOCK) as connection:
            # What was wound back and rated again meanwhile has yet to be told.
            now = await _messages(connection, keys)
            done = [key for key in keys if now.get(key) == told.get(key)]
            await connection.execute(delete(UNTOLD).where(_is_one_of(UNTOLD, done)))
        return len(keys)

    async def _publish(self, told: RatingsChanged) -> None:
        subject = f"rating.{told.family}.{told.table_id}.{told.deal_number}"
        payload = told.SerializeToString(deterministic=True)
        after = 0
        while True:
            headers = cloud_event(told, "scoring", f"{told.table_id}.{told.deal_number}.ratings.{after}")
            try:
                await append(self.bus, NewMessage(subject, payload, headers), Expectation(after))
                return
            except WrongLastSequence:
                last = await last_message(self.bus, SCORES, subject)
                if last is None or last.payload == payload:
                    return
                after = last.sequence


def _is_one_of(table: Any, keys: Sequence[_Key]) -> Any:
    return tuple_(table.c.table_id, table.c.number).in_(keys)


async def _messages(connection: AsyncConnection, keys: Sequence[_Key]) -> dict[_Key, RatingsChanged]:
    """What changed by these deals; nothing for one that changed nothing."""
    rulesets = select(SETTLEMENTS.c.table_id, SETTLEMENTS.c.number, SETTLEMENTS.c.ruleset_id)
    found = await connection.execute(rulesets.where(_is_one_of(SETTLEMENTS, keys)))
    ruleset_of = {(row.table_id, row.number): row.ruleset_id for row in found}
    columns = RATING_CHANGES.c
    asked = select(RATING_CHANGES).where(_is_one_of(RATING_CHANGES, keys))
    rows = await connection.execute(
        asked.order_by(columns.table_id, columns.number, columns.is_pair, columns.subject)
    )
    groups = groupby(rows, lambda row: (row.table_id, row.number))
    return {key: _message(ruleset_of[key], list(group)) for key, group in groups}


def _message(ruleset_id: str, rows: Sequence[Row[Any]]) -> RatingsChanged:
    first = rows[0]
    return RatingsChanged(
        table_id=first.table_id,
        deal_number=first.number,
        ruleset_id=ruleset_id,
        family=first.family,
        season=first.season,
        pool=first.pool,
        settled_ms=first.settled_ms,
        changes=[
            RatingChange(
                player_ids=players_of(row.subject),
                mu_before=row.mu_before,
                sigma_before=row.sigma_before,
                mu=row.mu,
                sigma=row.sigma,
                is_provisional=row.deals < PROVISIONAL_DEALS,
            )
            for row in rows
        ],
    )
