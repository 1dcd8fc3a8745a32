"""Streams made or brought up to date at start, by whoever starts first."""

from __future__ import annotations

from collections.abc import Iterable

from nats.js.api import StreamConfig

from shuangkou.chassis.nats.connection import Bus
from shuangkou.chassis.nats.errors import ApiRefused, NotThere

_NAME_IN_USE = 10058
_ATTEMPTS = 5


async def ensure_stream(bus: Bus, config: StreamConfig) -> None:
    """Create the stream or change it to ``config``; harmless when repeated and when several processes race.

    Raises ApiRefused where the server forbids the change, such as another storage or retention.
    """
    wanted = config.as_dict()
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            await bus.api(f"STREAM.CREATE.{config.name}", wanted)
            return
        except ApiRefused as error:
            if error.code != _NAME_IN_USE:
                raise
        try:
            await bus.api(f"STREAM.UPDATE.{config.name}", wanted)
            return
        except NotThere:
            # Deleted between the two calls.
            if attempt == _ATTEMPTS:
                raise


async def ensure_streams(bus: Bus, configs: Iterable[StreamConfig]) -> None:
    """``ensure_stream`` for one after another."""
    for config in configs:
        await ensure_stream(bus, config)


async def purge_subject(bus: Bus, stream: str, subject: str, before_sequence: int | None = None) -> int:
    """Delete every message on ``subject`` (wildcards allowed) and say how many there were.

    ``before_sequence``: those from this stream sequence on stay.
    """
    request: dict[str, object] = {"filter": subject}
    if before_sequence is not None:
        request["seq"] = before_sequence
    answer = await bus.api(f"STREAM.PURGE.{stream}", request)
    return int(answer["purged"])
