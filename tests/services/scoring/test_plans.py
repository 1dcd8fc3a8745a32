"""Every page is a walk along an index on both databases, whichever way it goes, and nothing is sorted."""

from __future__ import annotations

import re

import pytest

from kit.large_ledgers import large_ledger, plan, questions

_PLAYERS, _DEALS = 20_000, 20_000
_INDEX = {
    "points": "board_standings_by_points",
    "ratings": "ratings_by_value",
    "seasons of a board": "board_standings",
    "seasons of ratings": "ratings",
    "deals": "settlements_by_time",
    "deals of a player": "seat_entries_by_player",
    "deals of a table": "settlements_pkey",
    "companions of a player": "faced_pkey",
    "matches of a player": "match_seats_by_time",
}
# SQLite gives the index of a primary key a name of its own.
_KEY = re.compile(r"sqlite_autoindex_(\w+)_1")
# A table has few deals, and a player few companions: sorting them costs less than an index for it.
_FEW = ("deals of a table", "companions of a player")
_SORT = ("Sort", "TEMP B-TREE")


@pytest.mark.timeout(600)
async def test_pages_walk_along_an_index(database_url: str) -> None:
    async with large_ledger(database_url, _PLAYERS, _DEALS) as ledger:
        for name, question in questions(ledger).items():
            lines = [_KEY.sub(r"\1_pkey", line) for line in await plan(ledger, question)]
            assert any(_INDEX[name.partition(",")[0]] in line for line in lines), (name, lines)
            # A rank is counted, and PostgreSQL counts half of a small table faster without an index.
            if "own rank" not in name:
                assert not any("Seq Scan" in line or _is_whole(line) for line in lines), (name, lines)
            elif database_url.startswith("sqlite"):
                assert any("COVERING INDEX" in line and ">?" in line for line in lines), (name, lines)
            if name not in _FEW:
                assert not any(word in line for line in lines for word in _SORT), (name, lines)
            if "backwards" in name and database_url.startswith("postgresql"):
                assert any("Index Scan Backward" in line for line in lines), (name, lines)


def _is_whole(line: str) -> bool:
    """SQLite scans a table, and not along an index."""
    return line.startswith("SCAN") and "USING" not in line
