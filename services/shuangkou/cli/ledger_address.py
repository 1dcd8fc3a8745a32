"""Where the ledger of a suite on this machine is: in its data folder, or where the environment says."""

from __future__ import annotations

from os import environ
from typing import Final
from urllib.parse import urlsplit

from shuangkou.chassis.settings import PREFIX
from shuangkou.cli.problem import BAD_INPUT, Problem

VARIABLE: Final = f"{PREFIX}DATABASE_URL"


def elsewhere() -> str:
    """The address that the environment names; empty for the ledger in the data folder."""
    return environ.get(VARIABLE, "")


def checked() -> str:
    """The same; Problem for one that no ledger can have."""
    address = elsewhere()
    if address and not _is_of_a_ledger(address):
        forms = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST:5432/DATABASE"
        raise Problem(f"{VARIABLE}: expected {forms}", BAD_INPUT)
    return address


def _is_of_a_ledger(address: str) -> bool:
    """As the service reads it."""
    # Most commands need no database, and it takes a while to load.
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        return False
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return is_file or url.get_backend_name() == "postgresql"


def shown(address: str) -> str:
    """The address as it may stand on a screen or in a file: without a password, and without options."""
    parts = urlsplit(address)
    user, at, place = parts.netloc.rpartition("@")
    return f"{parts.scheme}://{user.partition(':')[0]}{at}{place}{parts.path}"
