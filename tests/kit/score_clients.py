"""Asks a scoring process as clients do."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from kit.service_process import refusal_in
from kit.settling import finishing, opening_commit, settling_commit
from shuangkou.chassis.nats import Bus, NewMessage, append
from shuangkou.v1.scoring_pb2 import GetPlayerRequest
from shuangkou.v1.scoring_pb2_grpc import ScoringServiceStub


async def settle(bus: Bus, table_id: str, number: int, time_ms: int) -> None:
    """What an engine does when a deal ends; alice and carol win two points, and an event with the third."""
    if number == 1:
        opening = opening_commit(table_id)
        await append(bus, NewMessage(f"table.qq.{table_id}.public.none", opening.SerializeToString()))
    commit = settling_commit(table_id, number, time_ms=time_ms)
    commit = finishing(commit, winner=0) if number == 3 else commit
    await append(bus, NewMessage(f"table.qq.{table_id}.public.score", commit.SerializeToString()))


class Client:
    """Asks a scoring process as a player."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self.stub = ScoringServiceStub(channel)
        self.metadata = (("authorization", f"Bearer {token}"),)

    async def player(self, player_id: str) -> list[tuple[str, int, int, int, int]]:
        """A player's results."""
        answer = await self.stub.GetPlayer(
            GetPlayerRequest(player_id=player_id), metadata=self.metadata, timeout=10
        )
        return [(row.ruleset_id, row.points, row.deals, row.deals_won, row.firsts) for row in answer.results]

    async def ask(self, call: str, request: object) -> Any:
        """The answer to any call."""
        return await getattr(self.stub, call)(request, metadata=self.metadata, timeout=10)

    async def refused(self, call: str, request: object) -> tuple[grpc.StatusCode, str]:
        """How a call is refused."""
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await getattr(self.stub, call)(request, metadata=self.metadata, timeout=10)
        return refusal_in(caught.value)
