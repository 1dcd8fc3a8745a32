"""The engine as matchmaking sees it: it opens tables and knows the rulesets."""

from __future__ import annotations

from typing import TypeVar

import grpc
from google.rpc.status_pb2 import Status
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_status import rpc_status

from shuangkou.chassis.clients import ServiceClient
from shuangkou.v1.errors_pb2 import Refusal
from shuangkou.v1.matchmaking_pb2 import Claim, ClaimedSeat
from shuangkou.v1.table_pb2 import (
    TABLE_VISIBILITY_PRIVATE,
    CreateTableRequest,
    GetTableRequest,
    ListRulesetsRequest,
    Occupant,
    SeatAssignment,
    SeatView,
)
from shuangkou.v1.table_pb2_grpc import TableServiceStub

Request = TypeVar("Request")
Response = TypeVar("Response")

_PATIENCE_SECONDS = 5.0
_PROBE_SECONDS = 1.0
_REPEATS = 2
_FINAL = frozenset(
    {
        grpc.StatusCode.ALREADY_EXISTS,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.OUT_OF_RANGE,
    }
)


class EngineOutOfReach(Exception):
    """No engine answers now; the table may or may not be open."""


class TableRefused(Exception):
    """The engine will never open this table; ``code`` is the code of its refusal."""

    def __init__(self, code: str, explanation: str) -> None:
        super().__init__(f"{code}: {explanation}")
        self.code = code


class Tables:
    """Calls to whichever engine answers."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client
        self._stub = TableServiceStub(client.channel)
        self._health = HealthStub(client.channel)

    async def open(self, claim: Claim) -> str:
        """The id of the claim's table; the same claim always opens the same one."""
        request = CreateTableRequest(
            command_id=claim.claim_id,
            ruleset_id=claim.ruleset_id,
            options=claim.options,
            deals=claim.deals,
            seats=[
                SeatAssignment(seat=seat, occupant=_occupant(taken)) for seat, taken in enumerate(claim.seats)
            ],
            event=claim.event if claim.HasField("event") else None,
        )
        _close_to_others(request, claim)
        try:
            answer = await self._ask(self._stub.CreateTable, request)
        except grpc.aio.AioRpcError as error:
            raise _failure(error) from None
        return answer.table_id

    async def rulesets(self) -> frozenset[str]:
        """The ids of all rulesets that a table can be opened with."""
        try:
            answer = await self._ask(self._stub.ListRulesets, ListRulesetsRequest())
        except grpc.aio.AioRpcError as error:
            raise EngineOutOfReach(_sentence(error)) from None
        return frozenset(ruleset.id for ruleset in answer.rulesets)

    async def look(self, table_id: str) -> SeatView | None:
        """The table as somebody beside it sees it, None for an unknown one; EngineOutOfReach."""
        try:
            return (await self._ask(self._stub.GetTable, GetTableRequest(table_id=table_id))).view
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return None
            raise EngineOutOfReach(_sentence(error)) from None

    async def is_in_reach(self) -> bool:
        """Whether an engine says within a second that it serves. Asked before every table, so cheap."""
        try:
            answer = await self._ask_once(self._health.Check, HealthCheckRequest(), _PROBE_SECONDS)
        except grpc.aio.AioRpcError:
            return False
        return bool(answer.status == HealthCheckResponse.SERVING)

    async def _ask(
        self, call: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request
    ) -> Response:
        """Ask again, perhaps another engine, when one goes away with the question."""
        for _ in range(_REPEATS):
            try:
                return await self._ask_once(call, request)
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
        return await self._ask_once(call, request)

    async def _ask_once(
        self,
        call: grpc.aio.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        seconds: float = _PATIENCE_SECONDS,
    ) -> Response:
        return await call(request, timeout=seconds, metadata=self._client.metadata(), wait_for_ready=True)


def _close_to_others(request: CreateTableRequest, claim: Claim) -> None:
    """Let only those who sit at the table see it, where the claim says so."""
    if claim.is_private:
        request.visibility = TABLE_VISIBILITY_PRIVATE


def _occupant(taken: ClaimedSeat) -> Occupant:
    if taken.HasField("ticket"):
        return Occupant(player_id=taken.ticket.player_id)
    return Occupant(persona=taken.persona)


def _failure(error: grpc.aio.AioRpcError) -> EngineOutOfReach | TableRefused:
    if error.code() not in _FINAL:
        return EngineOutOfReach(_sentence(error))
    status: Status | None = rpc_status.from_call(error)
    refusal = Refusal()
    if status is not None and any(detail.Unpack(refusal) for detail in status.details):
        return TableRefused(refusal.code, refusal.explanation)
    return TableRefused("table/refused", _sentence(error))


def _sentence(error: grpc.aio.AioRpcError) -> str:
    return f"{error.code().name}: {error.details()}"
