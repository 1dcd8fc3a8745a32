"""What a ledger holds, in a form in which two can be compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import func, select

from shuangkou.scoring.admissions import GuestList
from shuangkou.scoring.database import alone
from shuangkou.scoring.derivation import derive, digests
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.rater import Rater
from shuangkou.scoring.schema import UNRATED
from shuangkou.scoring.settlement import Settlement, settlement_of
from shuangkou.v1.events_pb2 import Commit


async def at_rest(ledger: Ledger) -> dict[str, str]:
    """The digest of each table once everything is rated."""
    await Rater(ledger.database).rate_all()
    async with ledger.database.connect() as connection:
        assert await connection.scalar(select(func.count()).select_from(UNRATED)) == 0
        return await digests(connection)


async def derived_anew(ledger: Ledger) -> dict[str, str]:
    """The digest of each table after all that follows from the facts was emptied and derived."""
    async with alone(ledger.database, 1) as connection:
        await derive(connection)
    return await at_rest(ledger)


def settlements(commits: Iterable[Commit]) -> list[Settlement]:
    """What the ledger takes from these commits."""
    return [settlement_of(commit) for commit in commits]


def admitted(commits: Iterable[Commit]) -> list[Settlement]:
    """What the ledger takes from all commits of some tables, with whom each lets in."""
    guests: defaultdict[str, GuestList] = defaultdict(GuestList)
    deals = []
    for commit in commits:
        guests[commit.table_id].add(commit)
        if {event.WhichOneof("event") for event in commit.events} & {"deal_settled", "deal_voided"}:
            deals.append(replace(settlement_of(commit), admission=guests[commit.table_id].admission))
    return deals
