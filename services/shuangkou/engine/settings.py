"""Settings of the engine."""

from pydantic import Field

from shuangkou.chassis.settings import ServiceSettings


class EngineSettings(ServiceSettings):
    """What an engine needs beside the settings of every service."""

    bot_seconds: float = Field(
        5.0, gt=0, le=60, description="Time that a bot gets before the engine acts for it"
    )
    idle_table_seconds: float = Field(
        300.0, gt=0, description="How long an engine keeps a table in memory that nobody asks it for"
    )
    finished_table_seconds: float = Field(
        604_800.0, ge=0, description="How long a table that is over stays in the log; 0 keeps it for ever"
    )
