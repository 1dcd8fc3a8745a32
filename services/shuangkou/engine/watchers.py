"""Who follows a table on this engine, and what each of them is told."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from shuangkou.engine.table import Table
from shuangkou.rules.decider import decider_for
from shuangkou.rules.events import Trait
from shuangkou.rules.match import View
from shuangkou.rules.seats import Seat
from shuangkou.v1 import events_pb2, table_pb2
from shuangkou.wire.cards import cards_to_wire

QUEUE_LIMIT = 256
"""Commits that a slow reader may be behind before it is sent a new snapshot instead."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks on: a person, a service at the seat of a bot, or with neither of them a spectator.

    A viewer is no seat number: people change places (换位), and leave for good.
    """

    player_id: str = ""
    bot_seat: Seat | None = None

    def seat_at(self, table: Table) -> Seat | None:
        """The seat whose hand this viewer may see now; None as a spectator."""
        if self.player_id:
            seat = table.seat_of(self.player_id)
            return None if seat is None or table.holders[seat].forfeited else seat
        seat = self.bot_seat
        return seat if seat is not None and table.holders[seat].is_played_by_bot else None


SPECTATOR = Viewer()


@dataclass(slots=True, eq=False)
class Watcher:
    """One stream. `fell_behind`: commits were dropped, start over. `is_superseded`: end it."""

    viewer: Viewer
    queue: asyncio.Queue[table_pb2.TableUpdate | None] = field(
        default_factory=lambda: asyncio.Queue(QUEUE_LIMIT)
    )
    fell_behind: bool = False
    is_superseded: bool = False

    def offer(self, update: table_pb2.TableUpdate) -> None:
        """Queue a commit, never blocking."""
        try:
            self.queue.put_nowait(update)
        except asyncio.QueueFull:
            self.fell_behind = True

    def supersede(self) -> None:
        """End the stream: its person has opened another one."""
        self.is_superseded = True
        # A reader that waits for a commit is woken by an empty one; with a full queue none waits.
        with suppress(asyncio.QueueFull):
            self.queue.put_nowait(None)


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

    def tell(self, commit: events_pb2.Commit, after: Table, traits: Trait) -> None:
        """Tell everyone of a stored commit, each what it may see. `after`: the table after it."""
        if not self._watchers:
            return
        public = public_part(commit)
        for watcher in self._watchers:
            watcher.offer(update_for(watcher.viewer, public, after, traits))


def public_part(commit: events_pb2.Commit) -> events_pb2.Commit:
    """The commit without what engines keep for themselves."""
    public = events_pb2.Commit()
    public.CopyFrom(commit)
    public.ClearField("bookkeeping")
    return public


def update_for(
    viewer: Viewer, public: events_pb2.Commit, after: Table, traits: Trait
) -> table_pb2.TableUpdate:
    """The commit as this viewer may see it. `traits`: those of its events."""
    seat = viewer.seat_at(after)
    if seat is None or not traits & _SHOWING:
        return table_pb2.TableUpdate(commit=public, seat=seat)
    view: View = decider_for(after.ruleset).observe(after.match, seat)
    shows_hand = Trait.SHOWS_HAND in traits
    return table_pb2.TableUpdate(
        commit=public,
        own_hand=cards_to_wire(view.hand) if shows_hand else (),
        partner_hand=cards_to_wire(view.partner_hand) if shows_hand else (),
        seat=seat,
        kitty=cards_to_wire(view.kitty),
    )


_SHOWING = Trait.SHOWS_HAND | Trait.SHOWS_KITTY
