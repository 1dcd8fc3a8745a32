"""From a seat's view, as it travels, to the act of a persona."""

from __future__ import annotations

import asyncio
import time

from shuangkou.ai_player.metrics import AiPlayerMetrics
from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.plausibility import check_plausible
from shuangkou.ai_player.policy.features import features_of
from shuangkou.ai_player.policy.phases import act_for
from shuangkou.ai_player.policy.position import NotToAct
from shuangkou.rules.climbing.move_table import move_table
from shuangkou.rules.climbing.options import ClimbingOptions
from shuangkou.rules.ruleset import available, load
from shuangkou.v1 import table_pb2
from shuangkou.wire.commands import SeatAct
from shuangkou.wire.views import ruleset_of_view, seat_view_from_wire


class Decisions:
    """Decides for seats. An act takes well below a millisecond, so it is chosen on the event loop;
    a move table takes far longer, so one that was not met before is made on a thread."""

    def __init__(self, metrics: AiPlayerMetrics) -> None:
        self._metrics = metrics
        self._met: set[ClimbingOptions] = set()

    async def prepare(self) -> None:
        """Make the move tables of all rulesets, with their own options."""
        for ruleset_id in available():
            await self._meet(load(ruleset_id).options)

    async def act(self, message: table_pb2.SeatView, persona: Persona) -> SeatAct:
        """The act that the persona chooses; MalformedMessage, ImplausibleView, NotToAct or NoPolicy."""
        ruleset = ruleset_of_view(message)
        await self._meet(ruleset.options)
        started = time.perf_counter()
        view = seat_view_from_wire(message, ruleset)
        if not _is_to_act(message):
            raise NotToAct(f"it is not the turn of {_name(message)}")
        check_plausible(ruleset.options, view)
        act = act_for(ruleset.options, view, persona)
        self._metrics.decision_seconds.observe(time.perf_counter() - started)
        return act

    async def _meet(self, options: ClimbingOptions) -> None:
        if options not in self._met:
            await asyncio.to_thread(lambda: features_of(move_table(options)))
            self._met.add(options)


def _is_to_act(message: table_pb2.SeatView) -> bool:
    is_deal = message.phase == table_pb2.TABLE_PHASE_DEAL
    return is_deal and message.HasField("seat") and message.seat in message.next.seats


def _name(message: table_pb2.SeatView) -> str:
    return f"seat {message.seat}" if message.HasField("seat") else "a spectator"
