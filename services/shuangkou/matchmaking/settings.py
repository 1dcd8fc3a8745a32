"""What the matchmaking service can be told."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_settings import NoDecode

from shuangkou.chassis.settings import ServiceSettings

_PERSONA = re.compile(r"[a-z0-9_-]{1,64}")


def _split_personas(listed: object) -> object:
    if not isinstance(listed, str):
        return listed
    personas = tuple(persona.strip() for persona in listed.split(","))
    if not all(_PERSONA.fullmatch(persona) for persona in personas):
        raise ValueError("expected personas of a-z 0-9 _ -, separated by commas")
    return personas


class MatchmakingSettings(ServiceSettings):
    """The common settings, where the engine is, and how tickets become tables."""

    engine_target: str = Field("127.0.0.1:50051", description="gRPC target of the engines")
    personas: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_personas)] = Field(
        ("plain", "steady", "veteran", "carefree", "critic", "tilt"),
        description="Who may fill empty seats, separated by commas; the AI players must know them",
    )
    claim_patience_seconds: float = Field(
        3.0, gt=0, description="After this another replica opens a claimed table"
    )
    ended_ticket_seconds: int = Field(
        600, ge=1, description="How long a ticket that has ended can be looked at"
    )
