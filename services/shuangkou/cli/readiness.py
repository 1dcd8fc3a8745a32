"""Whether a process of the suite can be used."""

from __future__ import annotations

import asyncio
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import CollectorRegistry

from shuangkou.chassis.channels import CHANNEL_OPTIONS
from shuangkou.chassis.nats import NatsFailure, Server, connect
from shuangkou.cli.problem import Problem
from shuangkou.cli.tls import channel_to

_ATTEMPT_SECONDS: Final = 2
_PAUSE_SECONDS: Final = 0.1


async def wait_for_service(address: str) -> None:
    """Until the gRPC health service at ``address`` says SERVING."""
    async with channel_to(address, CHANNEL_OPTIONS) as channel:
        while True:
            if await _is_serving(channel):
                return
            await asyncio.sleep(_PAUSE_SECONDS)


async def wait_for_nats(server: Server) -> None:
    """Until the broker answers; Problem when it does not, or is too old."""
    try:
        bus = await connect(server, "up", CollectorRegistry())
    except NatsFailure as failure:
        raise Problem(str(failure)) from None
    await bus.close()


async def _is_serving(channel: grpc.aio.Channel) -> bool:
    health = health_pb2_grpc.HealthStub(channel)
    try:
        answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=_ATTEMPT_SECONDS)
    except grpc.aio.AioRpcError:
        return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
