"""Where the ledger of a suite on this machine is: in its data folder, or where the environment says."""

from __future__ import annotations

from os import environ
from typing import Final
from urllib.parse import urlsplit

from shuangkou.chassis.settings import PREFIX

VARIABLE: Final = f"{PREFIX}DATABASE_URL"


def elsewhere() -> str:
    """The address that the environment names; empty for the ledger in the data folder."""
    return environ.get(VARIABLE, "")


def shown(address: str) -> str:
    """The address as it may stand on a screen or in a file: without a password, and without options."""
    parts = urlsplit(address)
    user, at, place = parts.netloc.rpartition("@")
    return f"{parts.scheme}://{user.partition(':')[0]}{at}{place}{parts.path}"
