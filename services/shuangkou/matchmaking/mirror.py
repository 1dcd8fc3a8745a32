"""A copy of what is alive in the bucket, in every replica: waiting tickets and open claims."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from google.protobuf.message import DecodeError
from nats.aio.msg import Msg

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import Bus, NatsFailure, StoredMessage, read
from shuangkou.matchmaking.bucket import CHANGES, EVERYTHING, STREAM, Bucket, key_of, ticket_key
from shuangkou.matchmaking.claim import OpenClaim
from shuangkou.matchmaking.matcher import Group, Queued
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_WAITING, Claim, Ticket

# A word of the server may be lost; nothing is missed for longer than this.
_LOOK_AGAIN_SECONDS = 1.0
_PAUSE_SECONDS = 0.5

News = asyncio.Queue[Queued]
"""The states of one ticket, oldest first."""


class Mirror:
    """Follows the bucket in the order of its stream. It may be a moment late: every write is checked."""

    def __init__(self, bus: Bus, bucket: Bucket) -> None:
        self._bus = bus
        self._bucket = bucket
        self._waiting: dict[str, Queued] = {}
        self._claims: dict[str, OpenClaim] = {}
        self._listeners: dict[str, list[News]] = defaultdict(list)
        self._position = 0
        self._told = asyncio.Event()
        self._moved = asyncio.Condition()

    @property
    def waiting(self) -> Mapping[str, Queued]:
        """The waiting tickets by their keys."""
        return self._waiting

    @property
    def claims(self) -> Mapping[str, OpenClaim]:
        """The open claims by their ids."""
        return self._claims

    @property
    def position(self) -> int:
        """The sequence of the newest message that is taken into account."""
        return self._position

    async def follow(self) -> None:
        """Stay up to date until cancelled; outages of NATS are waited out."""
        await self._bus.client.subscribe(CHANGES, cb=self._tell)
        while True:
            try:
                await self._catch_up()
                async with asyncio.timeout(_LOOK_AGAIN_SECONDS):
                    await self._told.wait()
            except TimeoutError:
                continue
            except NatsFailure as failure:
                logger().warning("tickets_out_of_reach", reason=str(failure))
                await asyncio.sleep(_PAUSE_SECONDS)

    async def moved_beyond(self, position: int, within: float) -> None:
        """Wait until something newer than ``position`` is known, ``within`` seconds at most."""
        try:
            async with asyncio.timeout(within), self._moved:
                await self._moved.wait_for(lambda: self._position > position)
        except TimeoutError:
            return

    async def refresh(self, group: Group) -> None:
        """Look at the group's tickets themselves: one that expired is never heard of again."""
        for queued in group.tickets:
            key = ticket_key(queued.ticket.player_id, queued.ticket.ticket_id)
            now = await self._bucket.ticket_at(key)
            if now is None:
                self._waiting.pop(key, None)
            else:
                self._take_ticket(key, now)

    def forget(self, group: Group) -> None:
        """Drop tickets that this replica has just claimed itself."""
        for queued in group.tickets:
            self._waiting.pop(ticket_key(queued.ticket.player_id, queued.ticket.ticket_id), None)

    def forget_claim(self, claim_id: str) -> None:
        """Drop a claim that someone else is known to have settled."""
        self._claims.pop(claim_id, None)

    @contextmanager
    def news_of(self, key: str) -> Iterator[News]:
        """What happens to the ticket at ``key`` from now on."""
        news: News = asyncio.Queue()
        self._listeners[key].append(news)
        try:
            yield news
        finally:
            self._listeners[key].remove(news)
            if not self._listeners[key]:
                del self._listeners[key]

    async def _tell(self, _msg: Msg) -> None:
        self._told.set()

    async def _catch_up(self) -> None:
        self._told.clear()
        before = self._position
        try:
            async for message in read(self._bus, STREAM, EVERYTHING, before + 1):
                self._take(message)
        finally:
            # Also what came before the connection broke counts.
            if self._position > before:
                async with self._moved:
                    self._moved.notify_all()

    def _take(self, message: StoredMessage) -> None:
        self._position = message.sequence
        key = key_of(message.subject)
        kind, _, rest = key.partition(".")
        try:
            if kind == "ticket":
                self._take_ticket(key, Queued(message.sequence, Ticket.FromString(message.payload)))
            elif kind == "claim" and message.payload:
                self._claims[rest] = OpenClaim(message.sequence, Claim.FromString(message.payload))
            elif kind == "claim":
                self._claims.pop(rest, None)
        except DecodeError:
            # Not written by us; it must not stop what is.
            logger().error("bucket_value_unreadable", key=key, sequence=message.sequence)

    def _take_ticket(self, key: str, queued: Queued) -> None:
        if queued.ticket.state == TICKET_STATE_WAITING:
            self._waiting[key] = queued
        else:
            self._waiting.pop(key, None)
        for news in self._listeners.get(key, ()):
            news.put_nowait(queued)
