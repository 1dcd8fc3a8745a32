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
    scoring_target: str = Field(
        "", description="gRPC target of the ledger, which tells ratings; empty takes everybody for equal"
    )
    personas: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_personas)] = Field(
        PERSONAS,
        description="Who may fill empty seats, separated by commas",
    )
    claim_patience_seconds: float = Field(
        2.0, gt=0, description="After this another replica settles a claim that was left behind"
    )
    ready_check_seconds: float = Field(15.0, ge=0, description="Time to say that one is ready; 0 asks nobody")
    unready_pause_seconds: float = Field(
        60.0, gt=0, description="First pause of a player who was not ready; longer each time of a day"
    )
    rematch_seconds: float = Field(
        60.0, gt=0, description="How long players of a rematch wait for each other"
    )
    room_idle_seconds: float = Field(
        1800.0, ge=1, description="How long a room stays open in which nothing happens"
    )
    room_link: str = Field(
        "shuangkou://room/", description="What a client opens a room with, before its code"
    )
    ended_ticket_seconds: int = Field(
        600, ge=1, description="How long a ticket that has ended can be looked at"
    )
