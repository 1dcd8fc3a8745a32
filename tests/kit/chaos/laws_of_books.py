"""Every deal that is over is settled exactly once: in the ledger, and in what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kit.chaos.history import History, Stored
from shuangkou.v1.events_pb2 import Commit, SettlementStored

Broken = tuple[str, str, str]

_LAW = "a deal is settled once"


def books_hold(history: History, stored: Stored) -> Iterator[Broken]:
    """All that is broken."""
    for table_id in history.tables:
        commits = stored.commits.get(table_id, ())
        ended = [commit.version for commit in commits if _ends_deal(commit)]
        for where, found in (("SCORES", stored.settlements), ("the ledger", stored.ledger)):
            settlements = found.get(table_id, ())
            settled = sorted(settlement.version for settlement in settlements)
            if ended != settled:
                yield _LAW, table_id, f"ended in versions {ended}, in {where} {settled}"
            elif not all(_is_true(settlement, commits) for settlement in settlements):
                yield _LAW, table_id, f"{where} has another result"


def _ends_deal(commit: Commit) -> bool:
    return any(event.WhichOneof("event") in ("deal_settled", "deal_voided") for event in commit.events)


def _is_true(settlement: SettlementStored, commits: Sequence[Commit]) -> bool:
    events = commits[settlement.version - 1].events
    if settlement.HasField("deal"):
        return any(event.deal_settled == settlement.deal for event in events)
    return any(event.deal_voided == settlement.voided for event in events)
