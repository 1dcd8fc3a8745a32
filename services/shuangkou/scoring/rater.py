"""Ratings follow the deals in the order in which they ended, whatever order they became known in.

Deals wait in UNRATED. One process at a time takes the first of them; where the ratings have gone past one
that became known late, they are wound back to it first. So the ratings of a ledger at rest are a function of
its facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, and_, delete, func, insert, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from shuangkou.scoring.database import alone
from shuangkou.scoring.ratings import Form, Pool, Subject, is_pair, pool_of, rated, subjects_of
from shuangkou.scoring.schema import RATING_CHANGES, RATINGS, SETTLEMENTS, UNRATED, UNTOLD
from shuangkou.scoring.settlement import DealKey, Settlement
from shuangkou.scoring.upserts import insert_new, put
from shuangkou.v1.events_pb2 import SettlementStored

RATER_LOCK = 0x5348_4B5F_5241
_BATCH = 256
_KEY_BATCH = 500

T = TypeVar("T")

_Held = tuple[str, int, Subject]
"""Family, pool and subject: what has one form at a time."""


@dataclass(slots=True)
class _Batch:
    """What a run of deals changes."""

    forms: dict[_Held, Form]
    changes: list[dict[str, object]] = field(default_factory=list)
    ratings: dict[tuple[_Held, str], dict[str, object]] = field(default_factory=dict)

    def add(self, deal: Settlement) -> None:
        """The next deal in order."""
        family, pool = deal.family, pool_of(deal)
        forms = {
            subject: self.forms[family, pool, subject]
            for subject in subjects_of(deal)
            if (family, pool, subject) in self.forms
        }
        for subject, (before, after) in sorted(rated(deal, forms).items()):
            held: _Held = (family, pool, subject)
            self.forms[held] = after
            form = _form_row(held, after, deal.settled_ms)
            self.ratings[held, after.season] = form
            self.changes.append(
                {
                    "table_id": deal.stored.table_id,
                    "number": deal.number,
                    "mu_before": before.mu,
                    "sigma_before": before.sigma,
                    **form,
                }
            )


@dataclass(frozen=True, slots=True)
class Rater:
    """Brings the ratings of a ledger up to date."""

    database: AsyncEngine

    async def rate(self, size: int = _BATCH) -> int:
        """Rate the next deals; how many, 0 when none is left."""
        async with alone(self.database, RATER_LOCK) as connection:
            return await rate_next(connection, size)

    async def rate_all(self) -> None:
        """Rate what there is."""
        while await self.rate():
            pass


async def rate_next(connection: AsyncConnection, size: int = _BATCH) -> int:
    """Rate the next deals; how many, 0 when none is left."""
    first = (await connection.execute(_unrated().limit(1))).one_or_none()
    if first is None:
        return 0
    await _wind_back(connection, DealKey(*first))
    place = tuple_(UNRATED.c.settled_ms, UNRATED.c.table_id, UNRATED.c.number)
    # None before the first: what was entered meanwhile and ended earlier, the ratings are not wound back to.
    wanted = _unrated().where(UNRATED.c.settled_ms >= first.settled_ms, place >= tuple_(*first)).limit(size)
    keys = [DealKey(*row) for row in await connection.execute(wanted)]
    deals = await _settlements(connection, keys)
    batch = _Batch(await _forms(connection, deals))
    for deal in deals:
        batch.add(deal)
    if batch.changes:
        await connection.execute(insert(RATING_CHANGES), batch.changes)
    await put(connection, RATINGS, list(batch.ratings.values()))
    # Only these: another, which ended before some of them, may have been entered meanwhile.
    for some in _some_of(keys):
        await connection.execute(delete(UNRATED).where(place.in_([tuple(key) for key in some])))
    await insert_new(connection, UNTOLD, [{"table_id": key.table_id, "number": key.number} for key in keys])
    return len(keys)


def _unrated() -> Select[Any]:
    columns = (UNRATED.c.settled_ms, UNRATED.c.table_id, UNRATED.c.number)
    return select(*columns).order_by(*columns)


async def _wind_back(connection: AsyncConnection, first: DealKey) -> None:
    """Undo every change by a deal that ended after this one."""
    columns = RATING_CHANGES.c
    place = (columns.settled_ms, columns.table_id, columns.number)
    later = and_(columns.settled_ms >= first.settled_ms, tuple_(*place) > tuple_(*first))
    undone = (await connection.execute(select(*place).where(later).distinct())).all()
    if not undone:
        return
    held = (columns.family, columns.pool, columns.subject, columns.season)
    touched = (await connection.execute(select(*held).where(later).distinct())).all()
    await insert_new(connection, UNRATED, [dict(DealKey(*row)._asdict()) for row in undone])
    await connection.execute(delete(RATING_CHANGES).where(later))
    for some in _some_of(touched):
        await connection.execute(delete(RATINGS).where(_is_one_of(RATINGS, some)))
        await put(connection, RATINGS, await _last_changes(connection, some))


async def _last_changes(connection: AsyncConnection, held: Sequence[Any]) -> list[dict[str, object]]:
    """What the last change of each left."""
    columns = RATING_CHANGES.c
    order = (columns.settled_ms.desc(), columns.table_id.desc(), columns.number.desc())
    group = (columns.family, columns.pool, columns.subject, columns.season)
    place = func.row_number().over(partition_by=group, order_by=order).label("place")
    kept = [columns[column.name] for column in RATINGS.c]
    changes = select(*kept, place).where(_is_one_of(RATING_CHANGES, held)).subquery()
    last = select(*(changes.c[column.name] for column in kept)).where(changes.c.place == 1)
    return [dict(row._mapping) for row in await connection.execute(last)]


def _is_one_of(table: Any, held: Sequence[Any]) -> ColumnElement[bool]:
    columns = table.c
    # The subjects alone find few rows by an index that both tables have.
    by_subject = columns.subject.in_({row.subject for row in held})
    exact = tuple_(columns.family, columns.pool, columns.subject, columns.season)
    return and_(by_subject, exact.in_([tuple(row) for row in held]))


async def _settlements(connection: AsyncConnection, keys: Sequence[DealKey]) -> list[Settlement]:
    """The deals with these keys, in this order."""
    found = {}
    columns = SETTLEMENTS.c
    for some in _some_of(keys):
        asked = tuple_(columns.table_id, columns.number).in_([(key.table_id, key.number) for key in some])
        rows = await connection.execute(select(columns.settled_ms, columns.settlement).where(asked))
        for settled_ms, settlement in rows:
            deal = Settlement(SettlementStored.FromString(settlement), settled_ms)
            found[deal.key] = deal
    return [found[key] for key in keys]


async def _forms(connection: AsyncConnection, deals: Iterable[Settlement]) -> dict[_Held, Form]:
    """The newest form of everybody that the deals need."""
    wanted = sorted({subject for deal in deals for subject in subjects_of(deal)})
    forms: dict[_Held, Form] = {}
    for some in _some_of(wanted):
        asked = select(RATINGS).where(RATINGS.c.subject.in_(some)).order_by(RATINGS.c.season)
        for row in await connection.execute(asked):
            forms[row.family, row.pool, row.subject] = Form(
                season=row.season,
                mu=row.mu,
                sigma=row.sigma,
                deals=row.deals,
                deals_won=row.deals_won,
                streak=row.streak,
                longest=row.longest,
            )
    return forms


def _form_row(held: _Held, form: Form, settled_ms: int) -> dict[str, object]:
    family, pool, subject = held
    return {
        "family": family,
        "pool": int(Pool(pool)),
        "subject": subject,
        "season": form.season,
        "is_pair": is_pair(subject),
        "mu": form.mu,
        "sigma": form.sigma,
        "value": form.value,
        "deals": form.deals,
        "deals_won": form.deals_won,
        "streak": form.streak,
        "longest": form.longest,
        "settled_ms": settled_ms,
    }


def _some_of(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """So many at a time that a statement can name them."""
    for start in range(0, len(rows), _KEY_BATCH):
        yield rows[start : start + _KEY_BATCH]
