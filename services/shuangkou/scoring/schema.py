"""The ledger's tables: settled deals, their four seat entries, and the standings these add up to."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

METADATA = MetaData()

# Ids compare by their bytes on every database, so that equal standings come in the same order everywhere.
_ID = String().with_variant(String(collation="C"), "postgresql")
# SQLite only numbers rows by itself in a column of exactly this type.
_ROW_NUMBER = BigInteger().with_variant(Integer(), "sqlite")

DEALS = Table(
    "deals",
    METADATA,
    Column("id", _ROW_NUMBER, primary_key=True),
    Column("table_id", _ID, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("settled_ms", BigInteger, nullable=False),
    Column("settlement", LargeBinary, nullable=False, doc="a serialized shuangkou.v1.SettlementStored"),
    UniqueConstraint("table_id", "number", name="deals_once"),
)
Index("deals_by_time", DEALS.c.settled_ms, DEALS.c.id)

ENTRIES = Table(
    "entries",
    METADATA,
    Column("deal_id", _ROW_NUMBER, ForeignKey(DEALS.c.id), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("ruleset_id", _ID, nullable=False),
    Column("player_id", _ID, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("is_first", Boolean, nullable=False, doc="went out first"),
    Column("is_winner", Boolean, nullable=False, doc="won the deal, whatever the points are"),
)
Index("entries_by_player", ENTRIES.c.player_id, ENTRIES.c.deal_id)

STANDINGS = Table(
    "standings",
    METADATA,
    Column("ruleset_id", _ID, primary_key=True),
    Column("player_id", _ID, primary_key=True),
    Column("is_bot", Boolean, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("deals", BigInteger, nullable=False),
    Column("deals_won", BigInteger, nullable=False),
    Column("firsts", BigInteger, nullable=False),
    Column("achieved_ms", BigInteger, nullable=False, doc="when the points last changed"),
)
Index(
    "standings_by_points",
    STANDINGS.c.ruleset_id,
    STANDINGS.c.points.desc(),
    STANDINGS.c.achieved_ms,
    STANDINGS.c.player_id,
    STANDINGS.c.is_bot,
)
Index("standings_by_player", STANDINGS.c.player_id)
