"""Who follows a table on this engine."""

import asyncio
from dataclasses import dataclass, field

from shuangkou.rules.cards import Card
from shuangkou.rules.seats import Seat
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_to_wire

QUEUE_LIMIT = 256
"""Commits that a slow reader may be behind before it is sent a new snapshot instead."""


@dataclass(slots=True, eq=False)
class Watcher:
    """One stream. `seat` None is a spectator. `fell_behind`: commits were dropped, start over."""

    seat: Seat | None
    queue: asyncio.Queue[table_pb2.TableUpdate] = field(default_factory=lambda: asyncio.Queue(QUEUE_LIMIT))
    fell_behind: bool = False

    def offer(self, update: table_pb2.TableUpdate) -> None:
        """Queue a commit, never blocking."""
        try:
            self.queue.put_nowait(update)
        except asyncio.QueueFull:
            self.fell_behind = True


class Watchers:
    """The streams of one table."""

    def __init__(self) -> None:
        self._watchers: set[Watcher] = set()

    def __len__(self) -> int:
        return len(self._watchers)

    def add(self, watcher: Watcher) -> None:
        """From now on this watcher is told of every commit."""
        self._watchers.add(watcher)

    def remove(self, watcher: Watcher) -> None:
        """It is told no more."""
        self._watchers.discard(watcher)

    def tell(self, commit: events_pb2.Commit, hands: tuple[tuple[Card, ...], ...] | None) -> None:
        """Tell everyone of a stored commit, each what its seat may see. `hands`: just dealt, by seat."""
        if not self._watchers:
            return
        public = public_part(commit)
        for watcher in self._watchers:
            watcher.offer(seat_update(public, hands, watcher.seat))


def public_part(commit: events_pb2.Commit) -> events_pb2.Commit:
    """The commit without what engines keep for themselves."""
    public = events_pb2.Commit()
    public.CopyFrom(commit)
    public.ClearField("bookkeeping")
    return public


def seat_update(
    public: events_pb2.Commit, hands: tuple[tuple[Card, ...], ...] | None, seat: Seat | None
) -> table_pb2.TableUpdate:
    """The commit as one seat may see it."""
    own_hand = cards_to_wire(hands[seat]) if hands is not None and seat is not None else ()
    return table_pb2.TableUpdate(commit=public, own_hand=own_hand)
