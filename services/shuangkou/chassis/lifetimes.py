"""How long server streams may go on: until their maximum age, their token's expiry, or the process stops."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from shuangkou.chassis.auth import CallerKind, Identity, expired_token, unknown_key
from shuangkou.chassis.errors import Refused, ResourceExhausted, Unavailable

T = TypeVar("T")
_LAST_WRITE_SECONDS = 1.0
_YOUNGEST = 0.9
"""Of the maximum age: streams that were opened together, after an outage, are not all reopened together."""


class Lifetime:
    """The time that one stream has."""

    def __init__(self, seconds: float, at_the_end: Refused, key_id: str = "") -> None:
        """``at_the_end`` is raised from then on. ``key_id``: of the key that signed the caller's token."""
        self._ends_at = asyncio.get_running_loop().time() + seconds
        self._at_the_end = at_the_end
        self._clock: asyncio.Timeout | None = None
        self._is_writing = False
        self.key_id = key_id

    async def wait_for(self, something: Awaitable[T]) -> T:
        """Wait within the time."""
        if self._is_over:
            # What is there at once would never be interrupted.
            raise self._at_the_end
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

    async def write(self, writing: Awaitable[None], patience: float) -> None:
        """Wait for a write; Unavailable where it lasts longer than ``patience`` seconds: nobody reads.

        A write that is under way when the time is up gets another second, so that the stream ends behind it.
        """
        gives_up = asyncio.get_running_loop().time() + patience
        self._is_writing = True
        try:
            async with asyncio.timeout_at(min(gives_up, self._ends_at + _LAST_WRITE_SECONDS)) as clock:
                self._clock = clock
                await writing
        except TimeoutError:
            if not clock.expired():
                raise
            raise (self._at_the_end if self._is_over else _unread()) from None
        finally:
            self._clock = None
            self._is_writing = False

    @property
    def _is_over(self) -> bool:
        return asyncio.get_running_loop().time() >= self._ends_at

    def end(self, refusal: Refused) -> None:
        """The time is up now, for this reason."""
        self._at_the_end = refusal
        self._ends_at = asyncio.get_running_loop().time()
        if self._clock is not None:
            self._clock.reschedule(self._ends_at + (_LAST_WRITE_SECONDS if self._is_writing else 0))


class Lifetimes:
    """All open streams of a process."""

    def __init__(self, max_age_seconds: float, most_of_player: int = 0) -> None:
        """``most_of_player``: how many streams a player may have open at once; 0 for any number."""
        self._max_age_seconds = max_age_seconds
        self._most_of_player = most_of_player
        self._of_player: Counter[str] = Counter()
        self._open: set[Lifetime] = set()
        self._stopping = False

    @contextmanager
    def of_stream(self, identity: Identity | None) -> Iterator[Lifetime]:
        """The lifetime of a stream that this caller has opened; ResourceExhausted where it has too many."""
        lifetime = self._lifetime(identity)
        if self._stopping:
            lifetime.end(_stopping())
        with self._counted(identity):
            self._open.add(lifetime)
            try:
                yield lifetime
            finally:
                self._open.discard(lifetime)

    def _lifetime(self, identity: Identity | None) -> Lifetime:
        age = self._max_age_seconds * random.uniform(_YOUNGEST, 1)
        if identity is None:
            return Lifetime(age, _too_old())
        held = identity.expires_at - time.time()
        if held < age:
            return Lifetime(held, expired_token(), identity.key_id)
        return Lifetime(age, _too_old(), identity.key_id)

    @contextmanager
    def _counted(self, identity: Identity | None) -> Iterator[None]:
        if identity is None or identity.kind is CallerKind.SERVICE or not self._most_of_player:
            yield
            return
        player = identity.subject
        if self._of_player[player] >= self._most_of_player:
            explanation = f"you have {self._most_of_player} streams open; end one first"
            raise ResourceExhausted("request/too_many_streams", explanation)
        self._of_player[player] += 1
        try:
            yield
        finally:
            self._of_player[player] -= 1
            if not self._of_player[player]:
                del self._of_player[player]

    def end_of_keys(self, key_ids: frozenset[str]) -> None:
        """End the streams whose callers' tokens are signed with one of these keys."""
        for lifetime in self._open:
            if lifetime.key_id in key_ids:
                lifetime.end(unknown_key())

    def check_taking(self) -> None:
        """Unavailable once the process stops."""
        if self._stopping:
            raise _stopping()

    def end_all(self) -> None:
        """End every stream, and those opened from now on."""
        self._stopping = True
        for lifetime in self._open:
            lifetime.end(_stopping())


def _unread() -> Unavailable:
    return Unavailable("server/unread_stream", "the stream is not read; open it again to go on")


def _too_old() -> Unavailable:
    return Unavailable("server/stream_age", "the stream is too old; open it again")


def _stopping() -> Unavailable:
    return Unavailable("server/stopping", "the server stops; call again, another one answers")
