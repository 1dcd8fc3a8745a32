"""What the matchmaking service can be told."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_settings import NoDecode

from shuangkou.chassis.settings import ServiceSettings
from shuangkou.wire.names import PERSONAS


def _split_personas(listed: object) -> object:
    if not isinstance(listed, str):
        return listed
    personas = tuple(persona.strip() for persona in listed.split(","))
    if not set(personas) <= set(PERSONAS):
        raise ValueError(f"expected some of {', '.join(PERSONAS)}, separated by commas")
    return personas


class MatchmakingSettings(ServiceSettings):
    """The common settings, where the engine is, and how tickets become tables."""

    engine_target: str = Field("127.0.0.1:50051", description="gRPC target of the engines")
    personas: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_personas)] = Field(
        PERSONAS,
        description="Who may fill empty seats, separated by commas",
    )
    claim_patience_seconds: float = Field(
        3.0, gt=0, description="After this another replica opens a claimed table"
    )
    ended_ticket_seconds: int = Field(
        600, ge=1, description="How long a ticket that has ended can be looked at"
    )
