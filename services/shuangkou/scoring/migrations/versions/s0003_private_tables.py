"""Which tables are private, and who is let in there.

No fact in an older ledger tells it, so its tables are private to those who played there until the service, or
a rebuild, has read in the event stream how they were opened. Going back forgets it again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_ID = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Make room for what is known of tables."""
    op.create_table("table_terms", _key("table_id"), sa.Column("is_private", sa.Boolean, nullable=False))
    op.create_table("table_guests", _key("table_id"), _key("player_id"))


def downgrade() -> None:
    """Forget it."""
    for name in ("table_guests", "table_terms"):
        op.drop_table(name)


def _key(name: str) -> sa.Column[str]:
    return sa.Column(name, _ID, primary_key=True, autoincrement=False)
