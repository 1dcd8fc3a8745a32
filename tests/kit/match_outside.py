"""What replicas of matchmaking work on: a store and an engine in one thread.

The store has the promises of the bucket and its faults: an answer may get lost, whatever came of the request.
The engine opens a claim's table once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kit.stepping import turn
from shuangkou.chassis.nats import AppendTimeout, WrongLastSequence
from shuangkou.matchmaking.claim import names_of
from shuangkou.matchmaking.store import Change, Entry
from shuangkou.matchmaking.tables import EngineOutOfReach
from shuangkou.v1.matchmaking_pb2 import Claim
from shuangkou.v1.table_pb2 import TABLE_PHASE_DEAL, TABLE_PHASE_FINISHED, Occupant, SeatState, SeatView

NOTHING = Entry(0, b"")


class LoggedStore:
    """A Store with its log of writes. ``lose`` says whether the next answer gets lost."""

    def __init__(self, lose: Callable[[], bool]) -> None:
        self.log: list[tuple[str, Entry]] = [("", NOTHING)]
        self.newest: dict[str, Entry] = {}
        self._lose = lose

    async def get(self, key: str) -> Entry:
        """The newest value."""
        await turn()
        entry = self.newest.get(key, NOTHING)
        await turn()
        return entry

    async def get_all(self, keys: Sequence[str]) -> list[Entry]:
        """One after the other, as it may happen."""
        return [await self.get(key) for key in keys]

    async def put(self, changes: Sequence[Change]) -> tuple[int, ...]:
        """All changes or none."""
        await turn()
        if self._lose():
            raise AppendTimeout("the request got lost")
        assert len({change.key for change in changes}) == len(changes)
        if any(self.newest.get(each.key, NOTHING).sequence != each.expected for each in changes):
            await turn()
            raise WrongLastSequence(10071, "wrong last sequence")
        stored = [self._store(change) for change in changes]
        await turn()
        if self._lose():
            raise AppendTimeout("the answer got lost")
        return tuple(stored)

    def _store(self, change: Change) -> int:
        entry = Entry(len(self.log), change.value)
        self.log.append((change.key, entry))
        self.newest[change.key] = entry
        return entry.sequence


class OneEngine:
    """Tables by the claims that they were opened for."""

    def __init__(self, lose: Callable[[], bool]) -> None:
        self.claims: dict[str, Claim] = {}
        self.finished: set[str] = set()
        self.left: set[tuple[str, str]] = set()
        """Tables and the players who left them for good."""
        self._lose = lose

    async def open(self, claim: Claim) -> str:
        """The table of the claim."""
        await turn()
        if self._lose():
            raise EngineOutOfReach("the request got lost")
        table_id = f"table-{claim.claim_id}"
        self.claims.setdefault(table_id, claim)
        assert names_of(self.claims[table_id]) == names_of(claim)
        await turn()
        if self._lose():
            raise EngineOutOfReach("the answer got lost")
        return table_id

    async def look(self, table_id: str) -> SeatView | None:
        """Who sits there, and whether the match is over."""
        await turn()
        if self._lose():
            raise EngineOutOfReach("the answer got lost")
        phase = TABLE_PHASE_FINISHED if table_id in self.finished else TABLE_PHASE_DEAL
        names = [name for name in names_of(self.claims[table_id]) if not name.startswith("bot:")]
        seats = [
            SeatState(occupant=Occupant(player_id=name), forfeited=(table_id, name) in self.left)
            for name in names
        ]
        return SeatView(table_id=table_id, phase=phase, seats=seats)

    async def is_in_reach(self) -> bool:
        """Unless the answer gets lost."""
        await turn()
        return not self._lose()

    @property
    def running(self) -> dict[str, Claim]:
        """The tables that are played."""
        return {table_id: claim for table_id, claim in self.claims.items() if table_id not in self.finished}
