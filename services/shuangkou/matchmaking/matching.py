"""One look at those who wait: what has lapsed ends, and every table that can be opened is claimed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Protocol

from shuangkou.chassis.errors import Refused
from shuangkou.chassis.nats import AppendTimeout, NatsFailure, WrongLastSequence
from shuangkou.matchmaking.claim import OpenClaim
from shuangkou.matchmaking.desk import ClaimDesk
from shuangkou.matchmaking.matcher import Group
from shuangkou.matchmaking.picture import Picture
from shuangkou.matchmaking.queue import TicketQueue
from shuangkou.matchmaking.unit import Queued


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
        """Every claim, None for one that came too late; what cannot be stored now is looked at again."""
        picture = self.mirror.picture
        for queued in picture.pool.lapsed(now_ms):
            await self._lapse(queued, now_ms)
        for group in picture.pool.ripe(now_ms):
            yield await self._claim(group, now_ms)

    async def _claim(self, group: Group, now_ms: int) -> OpenClaim | None:
        picture = self.mirror.picture
        try:
            taken = await self.desk.take(group, now_ms)
        except (WrongLastSequence, AppendTimeout):
            picture.pool.look_again(group)
            await self.mirror.refresh(group.tickets)
            return None
        except NatsFailure:
            picture.pool.look_again(group)
            raise
        picture.forget(group.tickets)
        return taken

    async def _lapse(self, queued: Queued, now_ms: int) -> None:
        try:
            await self.queue.leave(queued.player_id, queued.ticket.ticket_id, now_ms, "match/lapsed")
        except Refused:
            # It has just been claimed or ended.
            await self.mirror.refresh([queued])
            return
        self.mirror.picture.pool.drop(queued.player_id)
