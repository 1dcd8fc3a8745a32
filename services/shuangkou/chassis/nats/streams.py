"""Streams made or brought up to date at start, by whoever starts first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nats.js.api import StreamConfig

from shuangkou.chassis.nats.connection import Bus
from shuangkou.chassis.nats.errors import ApiRefused, NotThere, UnfitStream

Judge = Callable[[Mapping[str, str]], str]
"""Says what is wrong with a stream by the metadata that its makers gave it; nothing where all is well."""

_NAME_IN_USE = 10058
_NO_CLUSTER = 10074
_ATTEMPTS = 5


async def ensure_stream(bus: Bus, config: StreamConfig, judge: Judge | None = None) -> None:
    """Create the stream or change it to ``config``; harmless when repeated and when several processes race.

    Raises ApiRefused where the server forbids the change, such as another storage or retention, and
    UnfitStream, before it changes anything, where ``judge`` finds fault with the stream that is there.
    """
    wanted = config.as_dict()
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            await bus.api(f"STREAM.CREATE.{config.name}", wanted)
            return
        except ApiRefused as error:
            if error.code == _NO_CLUSTER:
                reason = f"SHUANGKOU_STREAM_REPLICAS={config.num_replicas}, but the broker is a single server"
                raise ApiRefused(error.code, reason) from None
            if error.code != _NAME_IN_USE:
                raise
        try:
            if judge is not None:
                await check_stream(bus, str(config.name), judge)
            await bus.api(f"STREAM.UPDATE.{config.name}", wanted)
            return
        except NotThere:
            # Deleted between the two calls.
            if attempt == _ATTEMPTS:
                raise


async def ensure_streams(bus: Bus, configs: Iterable[StreamConfig], judge: Judge | None = None) -> None:
    """``ensure_stream`` for one after another. ``judge`` is asked about the first of them."""
    for config in configs:
        await ensure_stream(bus, config, judge)
        judge = None


async def check_stream(bus: Bus, name: str, judge: Judge) -> None:
    """Hold a stream against what this process was told. Nothing is wrong with one that is not there yet.

    Raises UnfitStream.
    """
    told = await _told(bus, name)
    complaint = judge(told["config"].get("metadata") or {}) if told else ""
    if complaint:
        raise UnfitStream(complaint)


async def _told(bus: Bus, name: str) -> dict[str, Any] | None:
    try:
        return await bus.api(f"STREAM.INFO.{name}", {})
    except NotThere:
        return None


async def purge_subject(bus: Bus, stream: str, subject: str, before_sequence: int | None = None) -> int:
    """Delete every message on ``subject`` (wildcards allowed) and say how many there were.

    ``before_sequence``: those from this stream sequence on stay.
    """
    request: dict[str, object] = {"filter": subject}
    if before_sequence is not None:
        request["seq"] = before_sequence
    answer = await bus.api(f"STREAM.PURGE.{stream}", request)
    return int(answer["purged"])
