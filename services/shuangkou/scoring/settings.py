"""What the scoring service can be told."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from shuangkou.chassis.ledger_address import database_url
from shuangkou.chassis.settings import ServiceSettings


def _known_database(address: str) -> str:
    database_url(address)
    return address


class ScoringSettings(ServiceSettings):
    """The common settings and where the ledger is."""

    database_url: Annotated[str, AfterValidator(_known_database)] = Field(
        "sqlite:///scoring.db",
        description="The ledger: sqlite:///FILE, or postgresql://USER:PASSWORD@HOST:5432/DATABASE",
        repr=False,
    )
