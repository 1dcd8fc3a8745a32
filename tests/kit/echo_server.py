"""The echo service on a server of the harness, in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from grpc_status import rpc_status
from prometheus_client import CollectorRegistry

from kit.echo import Echo, EchoStub, add_echo_to_server
from kit.keys import Keys
from shuangkou.chassis.auth import Authenticator
from shuangkou.chassis.calls import CallLayer, CallLimits
from shuangkou.chassis.rpc_metrics import RpcMetrics
from shuangkou.chassis.server import GrpcServer

LIMITS = CallLimits(max_message_bytes=1024, stream_max_age_seconds=3600)


@dataclass
class Running:
    """A server with an echo in it, and a channel to it."""

    server: GrpcServer
    service: Echo
    channel: grpc.aio.Channel
    echo: EchoStub
    port: int
    token: str


def _detail(code: str, explanation: str) -> StringValue:
    return StringValue(value=f"{code}|{explanation}")


def echo_server(
    key_set: Path, registry: CollectorRegistry, limits: CallLimits = LIMITS, service: Echo | None = None
) -> GrpcServer:
    """The server, not listening yet."""
    layer = CallLayer(Authenticator(key_set, registry), RpcMetrics(registry), limits, _detail)
    server = GrpcServer(layer, max_connection_age_seconds=3600)
    server.add(add_echo_to_server, service or Echo())
    return server


@asynccontextmanager
async def running(
    keys: Keys, registry: CollectorRegistry, limits: CallLimits = LIMITS
) -> AsyncIterator[Running]:
    """The server with a channel to it for the block."""
    service = Echo()
    server = echo_server(keys.key_set_file, registry, limits, service)
    port = server.listen("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield Running(server, service, channel, EchoStub(channel), port, keys.player("alice"))
    await server.stop(grace=0)


async def refusal(call: Awaitable[Any]) -> tuple[grpc.StatusCode, str]:
    """The status a call is refused with, and the text of its detail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    error = caught.value
    status = rpc_status.from_call(error)
    assert status is not None
    text = StringValue()
    assert status.details[0].Unpack(text)
    return error.code(), text.value
