"""Run by alembic: the steps work on the connection, and in the transaction, of whoever opens the ledger."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()
