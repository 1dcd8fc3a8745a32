"""How engines know of outages: one message at the broker that says when one of them was last there."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from nats.js.api import StorageType, StreamConfig

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats.appending import append
from shuangkou.chassis.nats.connection import Bus
from shuangkou.chassis.nats.errors import NatsFailure, Unanswered, WrongLastSequence
from shuangkou.chassis.nats.messages import Expectation, NewMessage, StoredMessage
from shuangkou.chassis.nats.reading import last_message
from shuangkou.engine.clock import now_ms
from shuangkou.engine.metrics import EngineMetrics, LogRequest
from shuangkou.engine.outages import BEAT_MS, GAP_MS, NEW_GAP_MS, Outage, Uptime, seen
from shuangkou.v1 import events_pb2

UPTIME = "UPTIME"
_SUBJECT = "uptime"
_STALE_SECONDS = 2 * BEAT_MS / 1000
_APPEND_SECONDS = 2.0
_TRIES = 5

Found = Callable[[], Awaitable[None]]


class UptimeWatch:
    """Says that an engine is there, and learns when none was.

    Whoever finds a silence writes it down, on condition that nobody else has spoken meanwhile: all engines
    know the same outages, however many of them come back at once.
    """

    def __init__(self, bus: Bus, metrics: EngineMetrics) -> None:
        self._bus = bus
        self._metrics = metrics
        self._known = Uptime()
        self._known_at = float("-inf")
        self.was_away = True
        """Has just started, or lost its connection since it last looked."""
        self._checking = asyncio.Lock()
        bus.when_lost(self._lost)

    @property
    def outages(self) -> tuple[Outage, ...]:
        """Those that are known, oldest first."""
        return self._known.outages

    async def fresh(self) -> None:
        """Know of every outage until a moment ago. Raises NatsFailure when the broker cannot be reached."""
        if self._is_stale:
            async with self._checking:
                if self._is_stale:
                    await self._check()

    async def keep(self, found: Found) -> None:
        """Be seen, until cancelled. `found` is called when there has been another outage."""
        while True:
            before = self.outages
            try:
                async with self._checking:
                    await self._check()
                if self.outages != before:
                    await found()
            except NatsFailure as failure:
                logger().debug("uptime_unknown", reason=str(failure))
            await asyncio.sleep(BEAT_MS / 1000)

    @property
    def _is_stale(self) -> bool:
        return self.was_away or time.monotonic() - self._known_at > _STALE_SECONDS

    def _lost(self) -> None:
        self.was_away = True

    async def _check(self) -> None:
        for _ in range(_TRIES):
            began, was_away = time.monotonic(), self.was_away
            with self._metrics.heard(LogRequest.UPTIME):
                last = await last_message(self._bus, UPTIME, _SUBJECT)
            before, at_ms = _uptime_of(last), now_ms()
            after = before
            if was_away or at_ms - before.seen_ms >= BEAT_MS / 2:
                after = seen(before, at_ms, NEW_GAP_MS if was_away else GAP_MS)
                if not await self._tell(after, last.sequence if last else 0):
                    continue
                self._count(before, after)
            self._known, self._known_at = after, began
            if was_away:
                self.was_away = False
            return
        raise Unanswered(f"{UPTIME}: others were faster {_TRIES} times")

    async def _tell(self, uptime: Uptime, last_sequence: int) -> bool:
        """False: another engine has spoken since."""
        message = NewMessage(_SUBJECT, _to_message(uptime).SerializeToString())
        try:
            with self._metrics.heard(LogRequest.UPTIME):
                expect = Expectation(last_sequence, _SUBJECT)
                await append(self._bus, message, expect, timeout=_APPEND_SECONDS)
        except WrongLastSequence:
            return False
        return True

    def _count(self, before: Uptime, after: Uptime) -> None:
        if after.outages and after.outages[-1] not in before.outages:
            outage = after.outages[-1]
            self._metrics.outages.inc()
            lasted_ms = outage.until_ms - outage.from_ms
            logger().warning("outage_over", from_ms=outage.from_ms, lasted_ms=lasted_ms)


def uptime_stream(replicas: int) -> StreamConfig:
    """Holds the newest message only."""
    return StreamConfig(
        name=UPTIME,
        description="When engines were there",
        subjects=[_SUBJECT],
        storage=StorageType.FILE,
        num_replicas=replicas,
        max_msgs_per_subject=1,
        allow_direct=True,
    )


def _to_message(uptime: Uptime) -> events_pb2.Uptime:
    outages = [
        events_pb2.Outage(from_ms=outage.from_ms, until_ms=outage.until_ms) for outage in uptime.outages
    ]
    return events_pb2.Uptime(seen_ms=uptime.seen_ms, outages=outages)


def _uptime_of(stored: StoredMessage | None) -> Uptime:
    if stored is None:
        return Uptime()
    message = events_pb2.Uptime.FromString(stored.payload)
    return Uptime(
        message.seen_ms, tuple(Outage(outage.from_ms, outage.until_ms) for outage in message.outages)
    )
