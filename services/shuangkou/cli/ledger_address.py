"""Where the ledger of a suite on this machine is: in its data folder, or where the environment says."""

from __future__ import annotations

from os import environ
from typing import Final

from shuangkou.chassis.ledger_address import database_url
from shuangkou.chassis.settings import PREFIX
from shuangkou.cli.problem import BAD_INPUT, Problem

VARIABLE: Final = f"{PREFIX}DATABASE_URL"


def elsewhere() -> str:
    """The address that the environment names, empty for the ledger in the data folder.

    Problem for one that no ledger can have.
    """
    address = environ.get(VARIABLE, "")
    try:
        if address:
            database_url(address)
    except ValueError as error:
        raise Problem(f"{VARIABLE}: {error}", BAD_INPUT) from None
    return address
