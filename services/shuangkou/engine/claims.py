"""Which stream of a person at a table is the newest, on whatever engine: the others end.

Each stream leaves a message on its person's subject; the sequence of these is the order in which streams were
opened, the same for all engines. The broker tells every engine of each such message once it is stored.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from nats.aio.msg import Msg
from nats.js.api import RePublish, StorageType, StreamConfig

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import Bus, NatsFailure, NewMessage, append, last_message

CLAIMS = "CLAIMS"
_KEPT_SECONDS = 6 * 3600.0
"""Longer than a stream lasts."""
_PAUSE_SECONDS = 0.5
_CLAIM_SECONDS = 2.0

End = Callable[[], None]


@dataclass(slots=True, eq=False)
class Claim:
    """One open stream. `sequence`: 0 until the broker has stored that it was opened."""

    subject: str
    end: End
    sequence: int = 0


class Claims:
    """The streams of people on this engine."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._open: dict[str, set[Claim]] = {}
        self._newest: dict[str, int] = {}
        self._lost = asyncio.Event()

    async def start(self) -> None:
        """Listen to what other engines open."""
        self._bus.when_lost(self._lost.set)
        await self._bus.client.subscribe("claimed.*.*", cb=self._told)

    async def keep(self) -> None:
        """After every outage look up what was opened meanwhile, until cancelled."""
        while True:
            await self._lost.wait()
            self._lost.clear()
            try:
                await self._bus.connected(within=3600)
                for subject in list(self._open):
                    last = await last_message(self._bus, CLAIMS, subject)
                    if last is not None:
                        self._newest_is(subject, last.sequence)
            except NatsFailure as failure:
                logger().info("claims_not_read", reason=str(failure))
                self._lost.set()
                await asyncio.sleep(_PAUSE_SECONDS)

    @asynccontextmanager
    async def held(self, table_id: str, player_id: str, end: End) -> AsyncIterator[None]:
        """Be the newest stream of this person inside the block. `end`: called once a newer one is known."""
        claim = Claim(subject_of(table_id, player_id), end)
        self._open.setdefault(claim.subject, set()).add(claim)
        # Not waited for: a stream can begin while the broker is slow to say that it is the newest.
        making = asyncio.create_task(self._make(claim))
        try:
            yield
        finally:
            making.cancel()
            with suppress(asyncio.CancelledError):
                await making
            self._forget(claim)

    async def _make(self, claim: Claim) -> None:
        while not claim.sequence:
            try:
                claim.sequence = await append(self._bus, NewMessage(claim.subject), timeout=_CLAIM_SECONDS)
            except NatsFailure as failure:
                logger().info("claim_not_made", reason=str(failure))
                await asyncio.sleep(_PAUSE_SECONDS)
        self._newest_is(claim.subject, max(claim.sequence, self._newest.get(claim.subject, 0)))

    async def _told(self, message: Msg) -> None:
        subject = message.subject.replace("claimed.", "claim.", 1)
        if subject in self._open:
            self._newest_is(subject, int((message.headers or {}).get("Nats-Sequence", "0")))

    def _newest_is(self, subject: str, sequence: int) -> None:
        newest = self._newest[subject] = max(sequence, self._newest.get(subject, 0))
        for claim in tuple(self._open.get(subject, ())):
            if 0 < claim.sequence < newest:
                claim.end()

    def _forget(self, claim: Claim) -> None:
        claims = self._open[claim.subject]
        claims.discard(claim)
        if not claims:
            del self._open[claim.subject]
            self._newest.pop(claim.subject, None)


def subject_of(table_id: str, player_id: str) -> str:
    """Where the streams of this person at this table are counted."""
    # A name may hold what means something in a subject.
    return f"claim.{table_id}.{hashlib.blake2b(player_id.encode(), digest_size=12).hexdigest()}"


def claims_stream(replicas: int) -> StreamConfig:
    """The newest stream of each person at each table."""
    return StreamConfig(
        name=CLAIMS,
        description="The newest stream of each person at each table",
        subjects=["claim.*.*"],
        storage=StorageType.FILE,
        num_replicas=replicas,
        max_msgs_per_subject=1,
        max_age=_KEPT_SECONDS,
        allow_direct=True,
        republish=RePublish(src="claim.*.*", dest="claimed.{{wildcard(1)}}.{{wildcard(2)}}"),
    )
