"""What everybody saw of a deal that is over, read from the public commits of its table."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import NamedTuple

from shuangkou.chassis.nats import Bus, read
from shuangkou.v1.events_pb2 import Commit, Event, SettlementStored
from shuangkou.wire.streams import EVENTS

_REMEMBERED = 10_000


class UnknownActs(LookupError):
    """Not all commits of the deal are in EVENTS: not yet, or no more."""


class _Place(NamedTuple):
    """A commit of a table: its version and its sequence in EVENTS."""

    version: int
    sequence: int


@dataclass(slots=True)
class Following:
    """Puts the commits of one table together, deal by deal; a repeated one changes nothing.

    version: of the last commit, 0 before the first. events: of the last deal, from its start on; None where a
    commit of it is missing.
    """

    version: int = 0
    events: list[Event] | None = None

    def add(self, commit: Commit) -> None:
        """The next commit."""
        if commit.version <= self.version:
            return
        if commit.version > self.version + 1:
            self.events = None
        self.version = commit.version
        if any(event.HasField("deal_started") for event in commit.events):
            self.events = []
        if self.events is not None:
            self.events += commit.events

    def events_until(self, version: int) -> list[Event] | None:
        """Those of the deal whose last commit this is; None where not all are known."""
        return self.events if version == self.version else None


@dataclass(slots=True)
class Acts:
    """Reads deals; where the last one ended of the tables asked for lately is kept."""

    bus: Bus
    ends: OrderedDict[str, _Place] = field(default_factory=OrderedDict)

    async def of(self, stored: SettlementStored) -> list[Event]:
        """The public events of this deal from its start to its end; UnknownActs where some are missing."""
        start = self.ends.get(stored.table_id, _Place(0, 0))
        if start.version >= stored.version:
            start = _Place(0, 0)
        following = Following(start.version)
        subject = f"events.table.{stored.ruleset_id}.{stored.table_id}"
        async for message in read(self.bus, EVENTS, subject, start.sequence + 1):
            following.add(Commit.FromString(message.payload))
            if following.version >= stored.version:
                self._remember(stored.table_id, _Place(following.version, message.sequence))
                break
        events = following.events_until(stored.version)
        if events is None:
            raise UnknownActs(
                f"not all acts before version {stored.version} of table {stored.table_id} are told"
            )
        return events

    def _remember(self, table_id: str, place: _Place) -> None:
        self.ends[table_id] = place
        self.ends.move_to_end(table_id)
        if len(self.ends) > _REMEMBERED:
            self.ends.popitem(last=False)
