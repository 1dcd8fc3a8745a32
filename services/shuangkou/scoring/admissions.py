"""Whom a table lets in, read from its public commits: everybody, or who is named there."""

from __future__ import annotations

from dataclasses import dataclass, field

from shuangkou.chassis.nats import read
from shuangkou.scoring.openings import Openings, UnknownOpening
from shuangkou.v1.events_pb2 import Commit
from shuangkou.wire.names import is_player_name
from shuangkou.wire.streams import EVENTS


@dataclass(frozen=True, slots=True)
class Admission:
    """Whom a table lets in.

    guests: of a private table, its maker and who is invited, in alphabetical order. Those who play there are
    let in as well, and need not be among them.
    """

    is_private: bool
    guests: tuple[str, ...] = ()


PUBLIC = Admission(is_private=False)


@dataclass(slots=True)
class GuestList:
    """Puts the admission of one table together from its commits, in the order of their versions.

    version: of the last commit. is_private: None where the opening of the table is missing.
    """

    version: int = 0
    is_private: bool | None = None
    names: set[str] = field(default_factory=set)

    def add(self, commit: Commit) -> None:
        """The next commit."""
        self.version = commit.version
        for event in commit.events:
            if event.HasField("table_created"):
                self.is_private = event.table_created.is_private
                # A table that a service made has no maker among the players.
                self.names.update(filter(is_player_name, (event.table_created.creator,)))
            elif event.HasField("players_invited"):
                self.names.update(event.players_invited.player_ids)

    @property
    def admission(self) -> Admission | None:
        """Whom the table lets in after the last commit; None where that is not known."""
        if self.is_private is None:
            return None
        return Admission(is_private=True, guests=tuple(sorted(self.names))) if self.is_private else PUBLIC


async def read_admission(openings: Openings, ruleset_id: str, table_id: str, version: int) -> Admission:
    """Whom a table lets in at this version; UnknownOpening where EVENTS does not tell, or not yet."""
    if not (await openings.opening(ruleset_id, table_id)).is_private:
        return PUBLIC
    guests = GuestList()
    async for message in read(openings.bus, EVENTS, f"events.table.{ruleset_id}.{table_id}"):
        commit = Commit.FromString(message.payload)
        if commit.version > version:
            break
        guests.add(commit)
    if guests.admission is None or guests.version < version:
        raise UnknownOpening(f"not all invitations before version {version} of table {table_id} are told")
    return guests.admission
