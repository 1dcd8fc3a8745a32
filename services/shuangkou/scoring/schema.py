"""The ledger's tables: facts that the event stream told, what follows from them, and what is left to do.

What follows is a function of the facts alone: it can be emptied and derived again, and is the same in
whatever order the facts became known. Keys are those of the stream, never numbers that tell who came
first.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    desc,
)

METADATA = MetaData()

# Ids compare by their bytes on every database, so that equal standings come in the same order everywhere.
ID = String().with_variant(String(collation="C"), "postgresql")


def _key(name: str, kind: Any = ID) -> Column[Any]:
    return Column(name, kind, primary_key=True, autoincrement=False)


def _count(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False)


SETTLEMENTS = Table(
    "settlements",
    METADATA,
    _key("table_id"),
    _key("number", BigInteger),
    Column("ruleset_id", ID, nullable=False),
    Column("family", ID, nullable=False, doc="empty where neither ruleset nor outcome tell it"),
    Column("version", BigInteger, nullable=False),
    Column("settled_ms", BigInteger, nullable=False),
    Column("settlement", LargeBinary, nullable=False, doc="a serialized shuangkou.v1.SettlementStored"),
)
Index(
    "settlements_by_time",
    SETTLEMENTS.c.settled_ms.desc(),
    SETTLEMENTS.c.table_id.desc(),
    SETTLEMENTS.c.number.desc(),
)

MATCH_ENDS = Table(
    "match_ends",
    METADATA,
    _key("table_id"),
    Column("ruleset_id", ID, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("ending", LargeBinary, nullable=False, doc="a serialized shuangkou.v1.MatchResult"),
)
"""Matches that are over, with who sat at the table."""

TABLE_TERMS = Table("table_terms", METADATA, _key("table_id"), Column("is_private", Boolean, nullable=False))
"""Tables with a settled deal of which it is known whether they are private."""

TABLE_GUESTS = Table("table_guests", METADATA, _key("table_id"), _key("player_id"))
"""Who made a private table or was invited to it before its last settled deal was over."""

ENTRIES = Table(
    "seat_entries",
    METADATA,
    _key("table_id"),
    _key("number", BigInteger),
    _key("seat", Integer),
    Column("player_id", ID, nullable=False),
    Column("settled_ms", BigInteger, nullable=False),
    Column("points", BigInteger, nullable=False, doc="base × multiplier + contribution + fine"),
    _count("base"),
    _count("multiplier"),
    _count("contribution"),
    _count("fine"),
    Column("levels", BigInteger, nullable=False, doc="rungs that the side went up"),
    _count("coins"),
    Column("place", Integer, nullable=False, doc="1 to 4, 0 where there are no places"),
    Column("bombs", Integer, nullable=False),
    Column(
        "is_winner",
        Boolean,
        nullable=False,
        doc="won the deal, whatever the points are, and did not leave it",
    ),
    Column("has_left", Boolean, nullable=False, doc="left the deal for good"),
)
Index(
    "seat_entries_by_player",
    ENTRIES.c.player_id,
    ENTRIES.c.settled_ms.desc(),
    ENTRIES.c.table_id.desc(),
    ENTRIES.c.number.desc(),
)

STANDINGS = Table(
    "board_standings",
    METADATA,
    Column("board", ID, primary_key=True, doc="a ruleset or a family"),
    Column("season", ID, primary_key=True, doc="empty for all time"),
    _key("player_id"),
    Column("is_bot", Boolean, nullable=False),
    _count("points"),
    _count("deals"),
    _count("deals_won"),
    Column("achieved_ms", BigInteger, nullable=False, doc="when the points last changed"),
)
Index(
    "board_standings_by_points",
    STANDINGS.c.board,
    STANDINGS.c.season,
    STANDINGS.c.points.desc(),
    STANDINGS.c.achieved_ms,
    STANDINGS.c.player_id,
    STANDINGS.c.is_bot,
    STANDINGS.c.deals,
)

TALLY_COUNTS = (
    "points",
    "coins",
    "deals",
    "deals_won",
    "first",
    "second",
    "third",
    "fourth",
    "doubles_won",
    "doubles_lost",
    "singles_won",
    "singles_lost",
    "draws_won",
    "draws_lost",
    "bombs",
    "levels",
    "forfeits",
    "matches",
    "matches_won",
)
"""What a tally counts."""

TALLIES = Table(
    "tallies",
    METADATA,
    _key("player_id"),
    _key("ruleset_id"),
    Column("last_ms", BigInteger, nullable=False, doc="when the last deal or match ended"),
    *(_count(name) for name in TALLY_COUNTS),
)

FACED_COUNTS = ("deals_with", "won_with", "deals_against", "won_against", "lost_against")
"""What two players have played with and against each other."""

FACED = Table(
    "faced",
    METADATA,
    _key("player_id"),
    _key("other_id"),
    _key("ruleset_id"),
    *(_count(name) for name in FACED_COUNTS),
)

DAYS = Table("days_played", METADATA, _key("player_id"), _key("day", Integer))
"""Days on which a player finished a deal, counted from 1970 by the calendar of China."""

EVENT_STANDINGS = Table(
    "event_standings",
    METADATA,
    _key("event_id"),
    _key("ruleset_id"),
    _key("player_id"),
    _count("matches"),
    _count("matches_won"),
)
Index("event_standings_by_player", EVENT_STANDINGS.c.player_id)

MATCH_SEATS = Table(
    "match_seats",
    METADATA,
    _key("player_id"),
    _key("table_id"),
    Column("ended_ms", BigInteger, nullable=False),
)
Index(
    "match_seats_by_time",
    MATCH_SEATS.c.player_id,
    MATCH_SEATS.c.ended_ms.desc(),
    MATCH_SEATS.c.table_id.desc(),
)


def _form() -> list[Column[Any]]:
    """What a subject is rated at. streak, longest: of deals won in a row."""
    return [
        Column("mu", Double, nullable=False),
        Column("sigma", Double, nullable=False),
        Column("value", Double, nullable=False, doc="mu − 3 sigma"),
        Column("deals", BigInteger, nullable=False),
        Column("deals_won", BigInteger, nullable=False),
        Column("streak", BigInteger, nullable=False),
        Column("longest", BigInteger, nullable=False),
        Column("settled_ms", BigInteger, nullable=False, doc="when the deal that changed it last ended"),
    ]


RATINGS = Table(
    "ratings",
    METADATA,
    _key("family"),
    _key("pool", Integer),
    Column("subject", ID, primary_key=True, doc="a player, or two joined by + in alphabetical order"),
    _key("season"),
    Column("is_pair", Boolean, nullable=False),
    *_form(),
)
Index(
    "ratings_by_value",
    RATINGS.c.family,
    RATINGS.c.season,
    RATINGS.c.pool,
    RATINGS.c.is_pair,
    RATINGS.c.value.desc(),
    RATINGS.c.settled_ms,
    RATINGS.c.subject,
)
Index("ratings_by_subject", RATINGS.c.subject)

RATING_CHANGES = Table(
    "rating_changes",
    METADATA,
    _key("table_id"),
    _key("number", BigInteger),
    _key("subject"),
    Column("family", ID, nullable=False),
    Column("pool", Integer, nullable=False),
    Column("season", ID, nullable=False),
    Column("is_pair", Boolean, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    *_form(),
)
"""A rating is what the last of its changes left, in the order in which deals ended."""
Index(
    "rating_changes_by_time", RATING_CHANGES.c.settled_ms, RATING_CHANGES.c.table_id, RATING_CHANGES.c.number
)
Index(
    "rating_changes_by_subject",
    RATING_CHANGES.c.subject,
    RATING_CHANGES.c.family,
    RATING_CHANGES.c.pool,
    RATING_CHANGES.c.season,
    desc(RATING_CHANGES.c.settled_ms),
)

UNRATED = Table(
    "unrated_deals", METADATA, _key("settled_ms", BigInteger), _key("table_id"), _key("number", BigInteger)
)
"""Deals that the ratings do not know yet, in the order in which they ended."""

UNTOLD = Table("untold_ratings", METADATA, _key("table_id"), _key("number", BigInteger))
"""Deals whose rating changes are still to be published."""

STATE = Table("ledger_state", METADATA, _key("name"), Column("value", ID, nullable=False))

FACTS = (SETTLEMENTS, MATCH_ENDS, TABLE_TERMS, TABLE_GUESTS)
"""What the event stream told."""

DERIVED = (
    ENTRIES,
    STANDINGS,
    TALLIES,
    FACED,
    DAYS,
    EVENT_STANDINGS,
    MATCH_SEATS,
    RATINGS,
    RATING_CHANGES,
)
"""What follows from the facts and from nothing else."""

TODO = (UNRATED, UNTOLD)
"""What is left to do; empty when a ledger is at rest."""
