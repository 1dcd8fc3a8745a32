"""Settings of the AI players."""

from pydantic import Field

from shuangkou.chassis.settings import ServiceSettings


class AiPlayerSettings(ServiceSettings):
    """What an AI player needs beside the settings of every service."""

    engine_target: str = Field("127.0.0.1:50051", description="gRPC target of the engines")
    concurrency: int = Field(32, ge=1, le=1024, description="Decisions in the making at once")
    call_seconds: float = Field(2.0, gt=0, description="Time that the engine gets to answer a call")
    search_processes: int = Field(1, ge=0, le=64, description="Processes that search; 0: nobody searches")
    search_ms: float = Field(50.0, gt=0, le=10_000, description="Milliseconds that one search may take")
    thinking: float = Field(
        1.0, ge=0, le=10, description="How long bots think where people play, as a multiple; 0: not at all"
    )
