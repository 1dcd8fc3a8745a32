"""A ledger that was put beside streams with deals which it does not hold."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry

from shuangkou.chassis.auth import CallerKind
from shuangkou.chassis.nats import NatsFailure, connect, last_message
from shuangkou.cli import clients
from shuangkou.cli.broker import analysts_broker
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.problem import Problem
from shuangkou.v1.scoring_pb2 import ListSettlementsRequest

_STREAM: Final = "EVENTS"
_SETTLEMENTS: Final = "events.score.>"


async def lacks_told_deals(folder: DataFolder) -> bool:
    """Whether the ledger of the suite that runs in ``folder`` is empty, though deals were entered in one.

    Scoring goes on where it stopped reading, so it does not fill such a ledger. False where nobody answers.
    """
    try:
        async with clients.connect(folder, "up", lambda: None, kind=CallerKind.SERVICE) as suite:
            answer = await suite.ask(suite.scores.ListSettlements, ListSettlementsRequest(page_size=1))
        return not answer.settlements and await _has_told(folder)
    except (Problem, NatsFailure):
        return False


async def _has_told(folder: DataFolder) -> bool:
    bus = await connect(analysts_broker(folder), "up", CollectorRegistry())
    try:
        return await last_message(bus, _STREAM, _SETTLEMENTS) is not None
    finally:
        await bus.close()
