"""One look at those who wait: what comes to nothing ends, every table that can be opened is claimed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from shuangkou.chassis.errors import Refused
from shuangkou.chassis.nats import AppendTimeout, NatsFailure, WrongLastSequence
from shuangkou.matchmaking.claim import OpenClaim
from shuangkou.matchmaking.desk import ClaimDesk
from shuangkou.matchmaking.matcher import Group
from shuangkou.matchmaking.picture import Picture
from shuangkou.matchmaking.queue import TicketQueue
from shuangkou.matchmaking.unit import Queued

_AT_ONCE = 16
"""So many tables are claimed in one batch at most."""


class Watching(Protocol):
    """Who keeps a picture of the bucket."""

    @property
    def picture(self) -> Picture:
        """As it was seen last."""
        ...

    async def refresh(self, tickets: Iterable[Queued]) -> None:
        """Look at these records themselves."""
        ...


@dataclass(frozen=True, slots=True)
class Matching:
    """Claims what the picture shows. Any number of replicas may do so at once.

    A group is claimed in one atomic batch, which fails when any of its tickets has changed: one replica wins,
    and nobody sits at two tables.
    """

    desk: ClaimDesk
    mirror: Watching
    queue: TicketQueue

    async def once(self, now_ms: int) -> AsyncIterator[OpenClaim | None]:
        """Claims of one look, None for one that came too late; what cannot be stored now is looked at again.

        It looks at some of what is ripe, not all: who came meanwhile must not wait for a crowd elsewhere.
        """
        pool = self.mirror.picture.pool
        for queued in pool.lapsed(now_ms):
            await self._end(queued, self.queue.leave(*_named(queued), now_ms, "match/lapsed"))
        for queued in pool.at_odds:
            await self._end(queued, self.queue.part(*_named(queued), now_ms))
        groups = self._next_groups(now_ms)
        try:
            claims = await self._claim(groups, now_ms) if groups else []
        except NatsFailure:
            self._put_back(groups)
            raise
        for taken in claims:
            yield taken

    def _next_groups(self, now_ms: int) -> list[Group]:
        groups: list[Group] = []
        with closing(self.mirror.picture.pool.ripe(now_ms)) as ripe:
            for group in islice(ripe, _AT_ONCE):
                groups.append(group)
                self.mirror.picture.forget(group.tickets)
        return groups

    async def _claim(self, groups: Sequence[Group], now_ms: int) -> list[OpenClaim | None]:
        """All in one batch; where one of them stands in the way, each in its own."""
        try:
            return [*await self.desk.take(groups, now_ms)]
        except WrongLastSequence:
            if len(groups) > 1:
                return [taken for group in groups for taken in await self._claim([group], now_ms)]
        except AppendTimeout:
            # Nobody knows what has been stored.
            pass
        self._put_back(groups)
        for group in groups:
            await self.mirror.refresh(group.tickets)
        return [None] * len(groups)

    def _put_back(self, groups: Iterable[Group]) -> None:
        for group in groups:
            self.mirror.picture.pool.put_back(group)

    async def _end(self, queued: Queued, step: Awaitable[object]) -> None:
        try:
            await step
        except Refused:
            # It has just been claimed or ended.
            await self.mirror.refresh([queued])
            return
        self.mirror.picture.pool.drop(queued.player_id)


def _named(queued: Queued) -> tuple[str, str]:
    return queued.player_id, queued.ticket.ticket_id
