"""The event stream read in order, each message once, however often the broker goes away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from typing import Final

from prometheus_client import CollectorRegistry

from shuangkou.chassis.nats import (
    Bus,
    NatsFailure,
    NoResponse,
    NotConnected,
    Server,
    StoredMessage,
    Unanswered,
    connect,
    last_message,
    read,
)
from shuangkou.cli.problem import Problem

STREAM: Final = "EVENTS"
_PAUSE_SECONDS: Final = 0.2
_PATIENCE_SECONDS: Final = 3.0
_GONE = (Unanswered, NoResponse, NotConnected)


@dataclass(frozen=True, slots=True)
class Reading:
    """Which subjects. ``follow`` goes on for ever; without it, reading ends with what is stored now.

    ``missing`` is the Problem to have when nothing at all is stored there; None when that is none.
    """

    subject: str
    from_start: bool
    follow: bool
    missing: Problem | None = None


async def read_events(
    server: Server, reading: Reading, on_trouble: Callable[[], None]
) -> AsyncGenerator[StoredMessage, None]:
    """The messages in the order of the stream. Problem when the broker cannot be reached at the start.

    ``on_trouble`` is called whenever the broker has gone.
    """
    try:
        bus = await connect(
            replace(server, patience_seconds=_PATIENCE_SECONDS), "events", CollectorRegistry()
        )
    except NatsFailure as failure:
        raise Problem(str(failure)) from None

    is_reading = True
    bus.when_lost(lambda: on_trouble() if is_reading else None)
    try:
        async for message in _messages(bus, reading):
            yield message
    finally:
        is_reading = False
        await bus.close()


async def _messages(bus: Bus, reading: Reading) -> AsyncGenerator[StoredMessage, None]:
    if reading.missing is not None and await last_message(bus, STREAM, reading.subject) is None:
        raise reading.missing
    following = 1 if reading.from_start else await _end(bus, reading.subject)
    while True:
        try:
            async for message in read(bus, STREAM, reading.subject, following):
                following = message.sequence + 1
                yield message
            if not reading.follow:
                return
        except _GONE as failure:
            if not reading.follow:
                raise Problem(f"the broker stopped answering: {failure}") from None
        await asyncio.sleep(_PAUSE_SECONDS)


async def _end(bus: Bus, subject: str) -> int:
    """The sequence of the first message that is not stored yet."""
    last = await last_message(bus, STREAM, subject)
    return 1 if last is None else last.sequence + 1
