"""From a seat's view, as it travels, to the act of a persona."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.metrics import AiPlayerMetrics
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.readiness import make_ready, meet
from shuangkou.ai_player.search_pool import SearchPool
from shuangkou.ai_player.tiers import Tier
from shuangkou.ai_player.view_reading import believing, check_genuine, read_view
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.v1 import table_pb2
from shuangkou.wire.commands import SeatAct
from shuangkou.wire.views import ruleset_of_view


class Decisions:
    """Decides for seats. What the rule policy does takes well below a millisecond, so it is chosen on the
    event loop; what a ruleset needs takes far longer, so for one that was not met before it is made on a
    thread, where views from outside are checked as well. A persona that searches does so in the pool, and
    where nothing comes of it the rule policy decides."""

    def __init__(self, metrics: AiPlayerMetrics, pool: SearchPool, budget_ms: float) -> None:
        self._metrics = metrics
        self._pool = pool
        self._budget_ms = budget_ms
        self._met: set[Any] = set()

    async def prepare(self) -> None:
        """Load the kernels, which all rulesets share, and wait for a process that searches."""
        await asyncio.to_thread(make_ready, ())
        await self._pool.prepare()

    async def act(
        self,
        message: table_pb2.SeatView,
        persona: Persona,
        until: float | None = None,
        *,
        is_ours: bool = False,
    ) -> SeatAct:
        """The act that the persona chooses; MalformedMessage, ImplausibleView, NotToAct or NoPolicy.

        until: when the act is needed, on the clock of the event loop; without it a search waits for nobody.
        is_ours: the view comes from an engine of ours, so that only what is cheap to check is checked.
        """
        started = time.perf_counter()
        ruleset, view = await self._read(message, is_ours=is_ours)
        act = await self._searched(message, persona, until)
        if act is None:
            act = _by_rule(ruleset, view, persona)
        taken = time.perf_counter() - started
        self._metrics.decision_seconds.labels(persona.id, persona.tier.value).observe(taken)
        return act

    async def advise(
        self, message: table_pb2.SeatView, persona: Persona, most: int, until: float | None = None
    ) -> list[Advice]:
        """So many of the best acts with what they are expected to bring, as `act` raises.

        By what the rule policy weighs where nothing is played out; its act alone if that is a play, because
        nobody is free to weigh others in time.
        """
        ruleset, view = await self._read(message, is_ours=False)
        view_bytes = message.SerializeToString()
        found = await self._pool.advise(view_bytes, persona.id, most, self._budget_ms, until)
        if found is not None:
            return found
        with believing():
            return mind_for(ruleset).explain(ruleset.options, view, persona, most)

    async def _read(self, message: table_pb2.SeatView, *, is_ours: bool) -> tuple[AnyRuleSet, Any]:
        ruleset = ruleset_of_view(message)
        await self._meet(ruleset)
        view = read_view(message, ruleset)
        if not is_ours:
            await asyncio.to_thread(check_genuine, message, ruleset, view)
        return ruleset, view

    async def _searched(
        self, message: table_pb2.SeatView, persona: Persona, until: float | None
    ) -> SeatAct | None:
        if persona.tier is not Tier.STRONG:
            return None
        return await self._pool.search(message.SerializeToString(), persona.id, self._budget_ms, until)

    async def _meet(self, ruleset: AnyRuleSet) -> None:
        if ruleset.options not in self._met:
            await asyncio.to_thread(meet, ruleset)
            self._met.add(ruleset.options)


def _by_rule(ruleset: AnyRuleSet, view: Any, persona: Persona) -> SeatAct:
    with believing():
        return mind_for(ruleset).act(ruleset.options, view, persona)
