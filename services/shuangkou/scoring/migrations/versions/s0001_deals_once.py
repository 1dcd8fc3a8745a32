"""Each deal once, its seat entries and what they add up to.

Ledgers of that time were made without a number: their tables are adopted, and what the oldest lack is added.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_Columns = list[str | sa.TextClause]
_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make what is missing."""
    inspector = sa.inspect(op.get_bind())
    there = set(inspector.get_table_names())
    for name, make in _TABLES.items():
        if name not in there:
            make()
    if "entries" in there and "is_winner" not in {
        column["name"] for column in inspector.get_columns("entries")
    }:
        _add_winners()


def downgrade() -> None:
    """Nothing is left."""
    for name in reversed(_TABLES):
        op.drop_table(name)


def _add_winners() -> None:
    """Before it was written down, whoever had points had won."""
    op.add_column("entries", sa.Column("is_winner", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(sa.text("UPDATE entries SET is_winner = (points > 0)"))


def _deals() -> None:
    op.create_table(
        "deals",
        sa.Column("id", _ROW_NUMBER, primary_key=True),
        sa.Column("table_id", _ID, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("settled_ms", sa.BigInteger, nullable=False),
        sa.Column("settlement", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("table_id", "number", name="deals_once"),
    )
    op.create_index("deals_by_time", "deals", ["settled_ms", "id"])


def _entries() -> None:
    op.create_table(
        "entries",
        sa.Column("deal_id", _ROW_NUMBER, sa.ForeignKey("deals.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("ruleset_id", _ID, nullable=False),
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("is_first", sa.Boolean, nullable=False),
        sa.Column("is_winner", sa.Boolean, nullable=False),
    )
    op.create_index("entries_by_player", "entries", ["player_id", "deal_id"])


def _standings() -> None:
    op.create_table(
        "standings",
        sa.Column("ruleset_id", _ID, primary_key=True),
        sa.Column("player_id", _ID, primary_key=True),
        sa.Column("is_bot", sa.Boolean, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("deals", sa.BigInteger, nullable=False),
        sa.Column("deals_won", sa.BigInteger, nullable=False),
        sa.Column("firsts", sa.BigInteger, nullable=False),
        sa.Column("achieved_ms", sa.BigInteger, nullable=False),
    )
    order: _Columns = ["ruleset_id", sa.text("points DESC"), "achieved_ms", "player_id", "is_bot"]
    op.create_index("standings_by_points", "standings", order)
    op.create_index("standings_by_player", "standings", ["player_id"])


def _event_standings() -> None:
    op.create_table(
        "event_standings",
        sa.Column("event_id", _ID, primary_key=True),
        sa.Column("ruleset_id", _ID, primary_key=True),
        sa.Column("player_id", _ID, primary_key=True),
        sa.Column("matches", sa.BigInteger, nullable=False),
        sa.Column("matches_won", sa.BigInteger, nullable=False),
    )
    op.create_index("event_standings_by_player", "event_standings", ["player_id"])


_TABLES: dict[str, Callable[[], None]] = {
    "deals": _deals,
    "entries": _entries,
    "standings": _standings,
    "event_standings": _event_standings,
}
