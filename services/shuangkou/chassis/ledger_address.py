"""The address of the ledger's database: what it may be, and how it is told of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

_FORMS: Final = "expected sqlite:///FILE or postgresql://USER:PASSWORD@HOST:5432/DATABASE"
_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}


def database_url(address: str) -> URL:
    """The address with the driver that we use; ValueError for another kind of database, or one in memory."""
    # Whoever only may have to tell of a ledger is spared loading this until then.
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise ValueError(_FORMS) from None
    if "@" in (url.host or ""):
        raise ValueError("in a password write @ as %40, and other such signs likewise")
    driver = _DRIVERS.get(url.get_backend_name())
    if driver is None:
        raise ValueError(f"{_FORMS}, not {url.get_backend_name()}")
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise ValueError(f"{_FORMS}: a ledger in memory would be lost with the process")
    return url.set(drivername=driver)


def shown(address: str) -> str:
    """A ledger's address as it was given, for a person to read: without a password, and without options."""
    from sqlalchemy.engine import make_url

    return make_url(address).set(query={}).render_as_string(hide_password=True)
