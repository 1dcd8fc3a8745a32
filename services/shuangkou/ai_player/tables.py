"""The engine as a bot sees it: a seat's view, and acts on it."""

from __future__ import annotations

import grpc
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from shuangkou.chassis.clients import ServiceClient
from shuangkou.v1.errors_pb2 import Refusal
from shuangkou.v1.table_pb2 import ActRequest, GetTableRequest, SeatView
from shuangkou.v1.table_pb2_grpc import TableServiceStub
from shuangkou.wire.commands import SeatAct, put_act

_GONE = frozenset({"seat/not_yours", "state/stale_version", "turn/not_your_turn", "state/match_over"})
_TRY_AGAIN = frozenset({"state/version_ahead", "state/try_again"})
_REFUSING = frozenset(
    {
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.PERMISSION_DENIED,
    }
)


class EngineOutOfReach(Exception):
    """No engine answers now; an act may or may not be stored."""


class TableUnknown(Exception):
    """There is no such table, or no longer."""


class MovedOn(Exception):
    """The seat is no longer this bot's to play at that version."""


class ActRefused(Exception):
    """The engine will not have this call, however often it is repeated."""


class Tables:
    """Calls to whichever engine answers, each within `call_seconds`."""

    def __init__(self, client: ServiceClient, call_seconds: float) -> None:
        self._client = client
        self._stub = TableServiceStub(client.channel)
        self._call_seconds = call_seconds

    async def view(self, table_id: str, seat: int, version: int) -> SeatView:
        """The seat's view at this version or a later one."""
        request = GetTableRequest(table_id=table_id, seat=seat, at_least_version=version)
        try:
            answer = await self._stub.GetTable(
                request, timeout=self._call_seconds, metadata=self._client.metadata()
            )
        except grpc.aio.AioRpcError as error:
            raise _failure(error) from None
        return answer.view

    async def act(self, view: SeatView, act: SeatAct) -> int:
        """Make the act, once however often it is called; the version that it made."""
        request = ActRequest(
            table_id=view.table_id,
            seat=view.seat,
            command_id=f"bot:{view.version}:{view.seat}",
            expected_version=view.version,
        )
        put_act(request, act)
        try:
            answer = await self._stub.Act(
                request, timeout=self._call_seconds, metadata=self._client.metadata()
            )
        except grpc.aio.AioRpcError as error:
            raise _failure(error) from None
        return answer.version


def _failure(error: grpc.aio.AioRpcError) -> Exception:
    code = _code_of(error)
    sentence = f"{error.code().name} {code}: {error.details()}"
    if error.code() is grpc.StatusCode.NOT_FOUND:
        return TableUnknown(sentence)
    if code in _GONE:
        return MovedOn(sentence)
    if error.code() in _REFUSING and code not in _TRY_AGAIN:
        return ActRefused(sentence)
    return EngineOutOfReach(sentence)


def _code_of(error: grpc.aio.AioRpcError) -> str:
    status: Status | None = rpc_status.from_call(error)
    refusal = Refusal()
    if status is not None and any(detail.Unpack(refusal) for detail in status.details):
        return refusal.code
    return ""
