"""What the scoring service can be told."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from shuangkou.chassis.settings import ServiceSettings
from shuangkou.scoring.database import database_url


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
