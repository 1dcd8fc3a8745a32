"""The next step of a claim, by whichever replica takes it up: it can be repeated and left off anywhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from shuangkou.matchmaking.desk import Case, ClaimDesk, Verdict, verdict
from shuangkou.matchmaking.tables import TableRefused
from shuangkou.v1.matchmaking_pb2 import Claim
from shuangkou.v1.table_pb2 import SeatView


class Engine(Protocol):
    """Where tables are."""

    async def open(self, claim: Claim) -> str:
        """The id of the claim's table, the same for the same claim; EngineOutOfReach or TableRefused."""
        ...

    async def look(self, table_id: str) -> SeatView | None:
        """The table as somebody beside it sees it, None for an unknown one; EngineOutOfReach."""
        ...

    async def is_in_reach(self) -> bool:
        """Whether an engine answers now."""
        ...


Tell = Callable[[Claim, str], Awaitable[None]]
"""Tells whom it may concern of the claim's table."""


class Step(Enum):
    """What became of a claim."""

    GONE = auto()
    WAITS = auto()
    GIVEN_BACK = auto()
    OUT_OF_REACH = auto()
    REFUSED = auto()
    SEATED = auto()
    LOST_RACE = auto()


@dataclass(frozen=True, slots=True)
class Finished:
    """A step, the claim that it was made with, and its table or the code of the refusal."""

    step: Step
    claim: Claim | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Finisher:
    """Takes claims a step further."""

    desk: ClaimDesk
    engine: Engine
    tell: Tell
    now_ms: Callable[[], int]

    async def finish(self, claim_id: str) -> Finished:
        """Settle the claim if it is ripe; raises EngineOutOfReach and what ``Store.put`` does."""
        case = await self.desk.look(claim_id)
        if case is None:
            return Finished(Step.GONE)
        ripe_for = verdict(case.claim, case.tickets, self.now_ms())
        if ripe_for is Verdict.WAIT:
            return Finished(Step.WAITS, case.claim)
        if ripe_for is Verdict.GIVE_BACK:
            return await self._give_back(case, Step.GIVEN_BACK)
        if not case.claim.is_opening:
            if not await self.engine.is_in_reach():
                return await self._give_back(case, Step.OUT_OF_REACH)
            case = await self.desk.mark_opening(case)
        return await self._open(case)

    async def _give_back(self, case: Case, step: Step) -> Finished:
        is_done = await self.desk.give_back(case, self.now_ms())
        return Finished(step if is_done else Step.LOST_RACE, case.claim)

    async def _open(self, case: Case) -> Finished:
        try:
            table_id = await self.engine.open(case.claim)
        except TableRefused as refusal:
            is_done = await self.desk.refuse(case, refusal.code, self.now_ms())
            return Finished(Step.REFUSED if is_done else Step.LOST_RACE, case.claim, str(refusal))
        await self.tell(case.claim, table_id)
        is_done = await self.desk.seat(case, table_id, self.now_ms())
        return Finished(Step.SEATED if is_done else Step.LOST_RACE, case.claim, table_id)
