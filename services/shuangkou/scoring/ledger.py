"""The ledger: every deal and every match that is over once, and what they add up to.

One transaction enters a batch with all its sums, always in the order of the keys: transactions that share
players or deals wait for each other and never in a circle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from shuangkou.scoring.admissions import Admission
from shuangkou.scoring.database import hold_tables, writing
from shuangkou.scoring.postings import Row, Sums, entries_of
from shuangkou.scoring.ratings import bouts_of
from shuangkou.scoring.schema import (
    DAYS,
    ENTRIES,
    EVENT_STANDINGS,
    FACED,
    FACED_COUNTS,
    MATCH_ENDS,
    MATCH_SEATS,
    SETTLEMENTS,
    STANDINGS,
    TABLE_GUESTS,
    TABLE_TERMS,
    TALLIES,
    TALLY_COUNTS,
    UNRATED,
)
from shuangkou.scoring.settlement import MatchEnd, Settlement
from shuangkou.scoring.upserts import add_up, insert_and_tell, insert_new
from shuangkou.v1.events_pb2 import SettlementStored
from shuangkou.v1.scoring_pb2 import MatchResult


class DealMissing(LookupError):
    """The last deal of the match is not in the ledger yet, and with it its players."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Facts and sums in a SQL database that holds the tables of ``schema``."""

    database: AsyncEngine

    async def store(self, settlements: Collection[Settlement]) -> set[tuple[str, int]]:
        """Enter deals in one transaction; table and number of those that were not there before."""
        async with writing(self.database) as connection:
            return await enter(connection, settlements)

    async def store_match(self, end: MatchEnd) -> bool:
        """Enter a match that ended between two deals; False where it was there before.

        DealMissing before its last deal is there.
        """
        async with writing(self.database) as connection:
            await hold_tables(connection, [end.table_id])
            return bool(await post_matches(connection, [end.result(await _last_players(connection, end))]))


async def enter(connection: AsyncConnection, settlements: Collection[Settlement]) -> set[tuple[str, int]]:
    """Facts and sums of deals; table and number of those that were not there before."""
    batch = {(deal.stored.table_id, deal.number): deal for deal in reversed(list(settlements))}
    rows = [fact_row(batch[key]) for key in sorted(batch)]
    entered = await insert_and_tell(connection, SETTLEMENTS, rows)
    told = ((table_id, batch[table_id, number].admission) for table_id, number in sorted(batch))
    # A later deal of a table knows all that an earlier one did.
    await admit(connection, {table_id: admission for table_id, admission in told if admission})
    await post(connection, [batch[key] for key in sorted(entered)])
    return entered


async def admit(connection: AsyncConnection, admissions: Mapping[str, Admission | None]) -> None:
    """Enter whom tables let in, beside those who are let in already; None says nothing."""
    known = {table_id: told for table_id, told in sorted(admissions.items()) if told is not None}
    terms: list[Row] = [{"table_id": key, "is_private": told.is_private} for key, told in known.items()]
    guests: list[Row] = [
        {"table_id": key, "player_id": name} for key, told in known.items() for name in told.guests
    ]
    await insert_new(connection, TABLE_TERMS, terms)
    await insert_new(connection, TABLE_GUESTS, guests)


def fact_row(deal: Settlement) -> Row:
    """A deal as it is kept."""
    stored = deal.stored
    return {
        "table_id": stored.table_id,
        "number": deal.number,
        "ruleset_id": stored.ruleset_id,
        "family": deal.family,
        "version": stored.version,
        "settled_ms": deal.settled_ms,
        "settlement": stored.SerializeToString(deterministic=True),
    }


async def post(connection: AsyncConnection, deals: Sequence[Settlement]) -> None:
    """Enter what follows from deals whose facts have just been entered."""
    if not deals:
        return
    left = _leavers_of(deals)
    await hold_tables(
        connection, {*left, *(deal.stored.table_id for deal in deals if deal.match is not None)}
    )
    known = await _leavers(connection, left)
    await connection.execute(insert(ENTRIES), [row for deal in deals for row in entries_of(deal)])
    sums = Sums()
    sums.add_deals(deals)
    for match in await _matches(connection, left):
        sums.take_back(match, left[match.table_id] - known[match.table_id])
    await _add(connection, sums)
    unrated: list[Row] = [dict(deal.key._asdict()) for deal in deals if bouts_of(deal)]
    await insert_new(connection, UNRATED, unrated)
    await post_matches(connection, [deal.match for deal in deals if deal.match is not None])


async def post_matches(connection: AsyncConnection, matches: Sequence[MatchResult]) -> set[str]:
    """Enter matches and what follows from them; the tables of those that were not there before."""
    by_table = {match.table_id: match for match in matches}
    rows: list[Row] = [
        {
            "table_id": table_id,
            "ruleset_id": by_table[table_id].ruleset_id,
            "ended_ms": by_table[table_id].ended_ms,
            "ending": by_table[table_id].SerializeToString(deterministic=True),
        }
        for table_id in sorted(by_table)
    ]
    entered = {table_id for (table_id,) in await insert_and_tell(connection, MATCH_ENDS, rows)}
    await sum_matches(connection, [by_table[table_id] for table_id in sorted(entered)])
    return entered


async def sum_matches(connection: AsyncConnection, matches: Sequence[MatchResult]) -> None:
    """Enter what follows from matches whose facts are there."""
    sums = Sums()
    sums.add_matches(matches, await _leavers(connection, [match.table_id for match in matches]))
    await _add(connection, sums)


def _leavers_of(deals: Iterable[Settlement]) -> Mapping[str, set[str]]:
    """By table, who left one of these deals; only tables that somebody left."""
    left: dict[str, set[str]] = {}
    for deal in deals:
        for leaver in deal.leavers:
            left.setdefault(deal.stored.table_id, set()).add(leaver.player_id)
    return left


async def _leavers(connection: AsyncConnection, tables: Collection[str]) -> Mapping[str, set[str]]:
    """By table, who left a deal of it that is entered."""
    left: dict[str, set[str]] = {table_id: set() for table_id in tables}
    if tables:
        entries = ENTRIES.c
        asked = select(entries.table_id, entries.player_id).where(entries.has_left)
        for row in await connection.execute(asked.where(entries.table_id.in_(left))):
            left[row.table_id].add(row.player_id)
    return left


async def _matches(connection: AsyncConnection, tables: Collection[str]) -> Sequence[MatchResult]:
    """Those of these tables that are entered."""
    if not tables:
        return ()
    asked = select(MATCH_ENDS.c.ending).where(MATCH_ENDS.c.table_id.in_(tables))
    return [MatchResult.FromString(row.ending) for row in await connection.execute(asked)]


async def _add(connection: AsyncConnection, sums: Sums) -> None:
    counts = ("points", "deals", "deals_won")
    await add_up(connection, STANDINGS, sums.standing_rows(), counts, latest="achieved_ms")
    await add_up(connection, TALLIES, sums.tally_rows(), TALLY_COUNTS, latest="last_ms")
    await add_up(connection, FACED, sums.faced_rows(), FACED_COUNTS)
    await insert_new(connection, DAYS, sums.day_rows())
    await add_up(connection, EVENT_STANDINGS, sums.event_rows(), ("matches", "matches_won"))
    await insert_new(connection, MATCH_SEATS, sums.match_seat_rows())


async def _last_players(connection: AsyncConnection, end: MatchEnd) -> Sequence[str]:
    """Of the deal whose totals the match ended with: no seat changes its player between two deals."""
    mine = SETTLEMENTS.c.table_id == end.table_id
    last = select(SETTLEMENTS.c.settlement).where(mine).order_by(SETTLEMENTS.c.number.desc()).limit(1)
    found = await connection.scalar(last)
    if found is None:
        raise DealMissing(f"no deal of table {end.table_id} is in the ledger")
    deal = Settlement(SettlementStored.FromString(found), end.ended_ms).ending
    if list(deal.totals) != list(end.finished.totals):
        raise DealMissing(f"the last deal of table {end.table_id} is not in the ledger")
    return deal.players
