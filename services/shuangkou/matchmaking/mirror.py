"""The picture of the bucket in every replica, kept up to date in the order of its stream."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from google.protobuf.message import DecodeError
from nats.aio.msg import Msg

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import Bus, NatsFailure, StoredMessage, read
from shuangkou.matchmaking.bucket import CHANGES, EVERYTHING, STREAM, key_of
from shuangkou.matchmaking.picture import Picture
from shuangkou.matchmaking.store import Entry, Store, player_key
from shuangkou.matchmaking.unit import Queued

# A word of the server may be lost; nothing is missed for longer than this.
_LOOK_AGAIN_SECONDS = 1.0
_PAUSE_SECONDS = 0.5

News = asyncio.Queue[Entry]
"""The values of one key, oldest first."""


class Mirror:
    """Follows the bucket, and tells those who listen to a key."""

    def __init__(self, bus: Bus, store: Store) -> None:
        self._bus = bus
        self._store = store
        self.picture = Picture()
        self._listeners: dict[str, list[News]] = defaultdict(list)
        self._position = 0
        self._told = asyncio.Event()
        self._moved = asyncio.Condition()

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

    async def refresh(self, tickets: Iterable[Queued]) -> None:
        """Look at the records themselves: one that expired is never heard of again."""
        for queued in tickets:
            key = player_key(queued.player_id)
            entry = await self._store.get(key)
            if entry.value:
                self._take(key, entry)
            else:
                self.picture.forget_player(queued.player_id)

    @contextmanager
    def news_of(self, key: str) -> Iterator[News]:
        """What happens to ``key`` from now on."""
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
                self._take_message(message)
        finally:
            # Also what came before the connection broke counts.
            if self._position > before:
                async with self._moved:
                    self._moved.notify_all()

    def _take_message(self, message: StoredMessage) -> None:
        self._position = message.sequence
        self._take(key_of(message.subject), Entry(message.sequence, message.payload))

    def _take(self, key: str, entry: Entry) -> None:
        kind, _, rest = key.partition(".")
        try:
            if kind == "player":
                self.picture.take_player(key, entry.sequence, entry.value)
            elif kind == "claim":
                self.picture.take_claim(rest, entry.sequence, entry.value)
            elif kind == "waits":
                self.picture.take_waits(entry.value)
        except DecodeError:
            # Not written by us; it must not stop what is.
            logger().error("bucket_value_unreadable", key=key, sequence=entry.sequence)
        for news in self._listeners.get(key, ()):
            news.put_nowait(entry)
