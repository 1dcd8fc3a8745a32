"""From a seat's view, as it travels, to the act of a persona."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from shuangkou.ai_player.families import mind_for
from shuangkou.ai_player.metrics import AiPlayerMetrics
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.unanswerable import NotToAct
from shuangkou.rules.ruleset import AnyRuleSet, available, load
from shuangkou.v1 import table_pb2
from shuangkou.wire.commands import SeatAct
from shuangkou.wire.families import codec_for
from shuangkou.wire.views import ruleset_of_view


class Decisions:
    """Decides for seats. An act takes well below a millisecond, so it is chosen on the event loop;
    what a ruleset needs takes far longer, so for one that was not met before it is made on a thread."""

    def __init__(self, metrics: AiPlayerMetrics) -> None:
        self._metrics = metrics
        self._met: set[Any] = set()

    async def prepare(self) -> None:
        """Make what all rulesets need, with their own options."""
        for ruleset in map(load, available()):
            await self._meet(ruleset)

    async def act(self, message: table_pb2.SeatView, persona: Persona) -> SeatAct:
        """The act that the persona chooses; MalformedMessage, ImplausibleView, NotToAct or NoPolicy."""
        ruleset = ruleset_of_view(message)
        await self._meet(ruleset)
        started = time.perf_counter()
        view = codec_for(ruleset).view_from_wire(message, ruleset)
        if not _is_to_act(message):
            raise NotToAct(f"it is not the turn of {_name(message)}")
        mind = mind_for(ruleset)
        mind.check_plausible(ruleset.options, view)
        act = mind.act(ruleset.options, view, persona)
        self._metrics.decision_seconds.labels(persona.id).observe(time.perf_counter() - started)
        return act

    async def _meet(self, ruleset: AnyRuleSet) -> None:
        if ruleset.options not in self._met:
            await asyncio.to_thread(mind_for(ruleset).prepare, ruleset.options)
            self._met.add(ruleset.options)


def _is_to_act(message: table_pb2.SeatView) -> bool:
    is_deal = message.phase == table_pb2.TABLE_PHASE_DEAL
    return is_deal and message.HasField("seat") and message.seat in message.next.seats


def _name(message: table_pb2.SeatView) -> str:
    return f"seat {message.seat}" if message.HasField("seat") else "a spectator"
