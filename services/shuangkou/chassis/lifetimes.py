"""How long server streams may go on: until their maximum age, their token's expiry, or the process stops."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from shuangkou.chassis.auth import Identity, expired_token
from shuangkou.chassis.errors import Refused, Unavailable

T = TypeVar("T")


class Lifetime:
    """The time that one stream has."""

    def __init__(self, seconds: float, at_the_end: Refused) -> None:
        """``at_the_end`` is raised from then on."""
        self._ends_at = asyncio.get_running_loop().time() + seconds
        self._at_the_end = at_the_end
        self._clock: asyncio.Timeout | None = None

    async def wait_for(self, something: Awaitable[T]) -> T:
        """Wait within the time. Not for a write: while one is cut short, gRPC takes no status."""
        try:
            async with asyncio.timeout_at(self._ends_at) as clock:
                self._clock = clock
                return await something
        except TimeoutError:
            if not clock.expired():
                raise
            raise self._at_the_end from None
        finally:
            self._clock = None

    def end(self, refusal: Refused) -> None:
        """The time is up now, for this reason."""
        self._at_the_end = refusal
        self._ends_at = asyncio.get_running_loop().time()
        if self._clock is not None:
            self._clock.reschedule(self._ends_at)


class Lifetimes:
    """All open streams of a process."""

    def __init__(self, max_age_seconds: float) -> None:
        self._max_age_seconds = max_age_seconds
        self._open: set[Lifetime] = set()
        self._stopping = False

    @contextmanager
    def of_stream(self, identity: Identity | None) -> Iterator[Lifetime]:
        """The lifetime of a stream that this caller has opened."""
        lifetime = Lifetime(self._max_age_seconds, _too_old())
        held = identity.expires_at - time.time() if identity is not None else self._max_age_seconds
        if held < self._max_age_seconds:
            lifetime = Lifetime(held, expired_token())
        if self._stopping:
            lifetime.end(_stopping())
        self._open.add(lifetime)
        try:
            yield lifetime
        finally:
            self._open.discard(lifetime)

    def end_all(self) -> None:
        """End every stream, and those opened from now on."""
        self._stopping = True
        for lifetime in self._open:
            lifetime.end(_stopping())


def _too_old() -> Unavailable:
    return Unavailable("server/stream_age", "the stream is too old; open it again")


def _stopping() -> Unavailable:
    return Unavailable("server/stopping", "the server stops; open the stream again")
