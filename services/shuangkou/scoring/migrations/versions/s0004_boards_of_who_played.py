"""The index of the boards tells who has played a deal, so that a rank is still counted along it alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_INDEX, _TABLE = "board_standings_by_points", "board_standings"


def upgrade() -> None:
    """Add the deals."""
    _make_anew("deals")


def downgrade() -> None:
    """As it was."""
    _make_anew()


def _make_anew(*more: str) -> None:
    op.drop_index(_INDEX, _TABLE)
    columns: list[str | sa.TextClause] = ["board", "season", sa.text("points DESC"), "achieved_ms"]
    columns += ["player_id", "is_bot", *more]
    op.create_index(_INDEX, _TABLE, columns)
