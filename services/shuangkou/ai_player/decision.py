"""From a seat's view, as it travels, to the act of a persona."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from shuangkou.ai_player.advice import Advice
from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.metrics import AiPlayerMetrics
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.readiness import keep
from shuangkou.ai_player.search_pool import SearchPool
from shuangkou.ai_player.tiers import Tier
from shuangkou.ai_player.unanswerable import NotToAct
from shuangkou.fastplay.warm import warm
from shuangkou.rules.ruleset import AnyRuleSet, available, load
from shuangkou.v1 import table_pb2
from shuangkou.wire.commands import SeatAct
from shuangkou.wire.families import codec_for
from shuangkou.wire.views import ruleset_of_view


class Decisions:
    """Decides for seats. What the rule policy does takes well below a millisecond, so it is chosen on the
    event loop; what a ruleset needs takes far longer, so for one that was not met before it is made on a
    thread. A persona that searches does so in the pool, and where nothing comes of it the rule policy
    decides."""

    def __init__(self, metrics: AiPlayerMetrics, pool: SearchPool, budget_ms: float) -> None:
        self._metrics = metrics
        self._pool = pool
        self._budget_ms = budget_ms
        self._met: set[Any] = set()

    async def prepare(self) -> None:
        """Make what all rulesets need, with their own options."""
        await asyncio.to_thread(warm)
        for ruleset in map(load, available()):
            await self._meet(ruleset)
        keep()
        await self._pool.prepare()

    async def act(self, message: table_pb2.SeatView, persona: Persona) -> SeatAct:
        """The act that the persona chooses; MalformedMessage, ImplausibleView, NotToAct or NoPolicy."""
        started = time.perf_counter()
        ruleset, view = await self._read(message)
        act = await self._searched(message, persona)
        if act is None:
            act = mind_for(ruleset).act(ruleset.options, view, persona)
        taken = time.perf_counter() - started
        self._metrics.decision_seconds.labels(persona.id, persona.tier.value).observe(taken)
        return act

    async def advise(self, message: table_pb2.SeatView, persona: Persona, most: int) -> list[Advice]:
        """So many of the best acts with what they are expected to bring, as `act` raises.

        By what the rule policy weighs where nothing is played out; its act alone if that is a play, because
        nobody is free to weigh others.
        """
        ruleset, view = await self._read(message)
        found = await self._pool.advise(message.SerializeToString(), persona.id, most, self._budget_ms)
        if found is not None:
            return found
        return mind_for(ruleset).explain(ruleset.options, view, persona, most)

    async def _read(self, message: table_pb2.SeatView) -> tuple[AnyRuleSet, Any]:
        ruleset = ruleset_of_view(message)
        await self._meet(ruleset)
        view = codec_for(ruleset).view_from_wire(message, ruleset)
        if not _is_to_act(message):
            raise NotToAct(f"it is not the turn of {_name(message)}")
        mind_for(ruleset).check_plausible(ruleset.options, view)
        return ruleset, view

    async def _searched(self, message: table_pb2.SeatView, persona: Persona) -> SeatAct | None:
        if persona.tier is not Tier.STRONG:
            return None
        return await self._pool.search(message.SerializeToString(), persona.id, self._budget_ms)

    async def _meet(self, ruleset: AnyRuleSet) -> None:
        if ruleset.options not in self._met:
            await asyncio.to_thread(mind_for(ruleset).prepare, ruleset.options)
            self._met.add(ruleset.options)


def _is_to_act(message: table_pb2.SeatView) -> bool:
    is_deal = message.phase == table_pb2.TABLE_PHASE_DEAL
    return is_deal and message.HasField("seat") and message.seat in message.next.seats


def _name(message: table_pb2.SeatView) -> str:
    return f"seat {message.seat}" if message.HasField("seat") else "a spectator"
