"""Calls to a suite under fire, made as docs/clients.md asks clients to make them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import grpc
from grpc_status import rpc_status

from kit.chaos.history import History
from kit.keys import Keys
from shuangkou.chassis.channels import CHANNEL_OPTIONS, attempts, target_of
from shuangkou.v1.errors_pb2 import Refusal
from shuangkou.v1.matchmaking_pb2_grpc import MatchmakingServiceStub
from shuangkou.v1.table_pb2_grpc import TableServiceStub

_PASSING = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.UNKNOWN,
)
_AGAIN = ("state/try_again", "state/version_ahead")
_TOKEN_SECONDS = 86_400.0
Metadata = tuple[tuple[str, str], ...]
A = TypeVar("A")


class Suite:
    """Engines and matchmaking to call, and tokens that outlast a run."""

    def __init__(
        self, engines: grpc.aio.Channel, matchmaking: grpc.aio.Channel, keys: Keys, history: History
    ) -> None:
        self.tables = TableServiceStub(engines)
        self.tickets = MatchmakingServiceStub(matchmaking)
        self.history = history
        self._keys = keys
        self._tokens: dict[str, Metadata] = {}

    def metadata(self, name: str) -> Metadata:
        """The token of a person."""
        if name not in self._tokens:
            self._tokens[name] = _bearer(self._keys.player(name, _TOKEN_SECONDS))
        return self._tokens[name]

    def service_metadata(self) -> Metadata:
        """The token of matchmaking, which may seat anybody."""
        return _bearer(self._keys.service("matchmaking", _TOKEN_SECONDS))

    async def answer(self, call: Callable[[float], Awaitable[A]], patience_seconds: float) -> A:
        """The answer to a call, made with a timeout in seconds; AioRpcError when it is refused.

        TimeoutError when there is none for so long.
        """
        async with asyncio.timeout(patience_seconds):
            for attempt in attempts():
                try:
                    return await call(attempt.seconds)
                except grpc.aio.AioRpcError as error:
                    if not may_pass(error):
                        raise
                    self.history.troubles[error.code().name] += 1
                await asyncio.sleep(attempt.pause)
        raise AssertionError("there is always another attempt")


def may_pass(error: grpc.aio.AioRpcError) -> bool:
    """Whether the same call can succeed later or elsewhere."""
    return error.code() in _PASSING or refusal_code(error) in _AGAIN


def refusal_code(error: grpc.aio.AioRpcError) -> str:
    """The code of the refusal that the error carries; without one the status."""
    refusal = Refusal()
    status = rpc_status.from_call(error)
    if status is not None and any(detail.Unpack(refusal) for detail in status.details):
        return refusal.code
    return error.code().name


def _bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


@asynccontextmanager
async def callers(
    engines: Sequence[str], matchmaking: str, keys: Keys, history: History
) -> AsyncIterator[Suite]:
    """Connections of clients to these addresses, which find them again after a restart."""
    targets = (target_of(engines), target_of([matchmaking]))
    channels = [grpc.aio.insecure_channel(target, options=CHANNEL_OPTIONS) for target in targets]
    try:
        yield Suite(channels[0], channels[1], keys, history)
    finally:
        await asyncio.gather(*(channel.close() for channel in channels))
