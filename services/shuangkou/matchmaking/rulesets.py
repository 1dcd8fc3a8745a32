"""Which rulesets there are, as the engine said last."""

from __future__ import annotations

import asyncio
import time

from shuangkou.chassis.errors import Unavailable
from shuangkou.matchmaking.tables import EngineOutOfReach, Tables

# A client that asks for nonsense must not become a load on the engine.
_ASK_AGAIN_SECONDS = 1.0


class KnownRulesets:
    """Asks the engine when a ruleset is not known yet."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._known: frozenset[str] = frozenset()
        self._asked_at = float("-inf")
        self._asking = asyncio.Lock()

    @property
    def ids(self) -> frozenset[str]:
        """Those known now, without asking."""
        return self._known

    async def has(self, ruleset_id: str) -> bool:
        """Whether tables can be opened with it; Unavailable while no engine can say."""
        if ruleset_id in self._known:
            return True
        async with self._asking:
            if time.monotonic() - self._asked_at >= _ASK_AGAIN_SECONDS:
                await self._ask()
        return ruleset_id in self._known

    async def _ask(self) -> None:
        try:
            self._known = await self._tables.rulesets()
        except EngineOutOfReach:
            raise Unavailable("match/engine_out_of_reach", "no engine answers now; try again") from None
        self._asked_at = time.monotonic()
