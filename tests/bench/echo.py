"""What a call costs that does nothing: the same requests, merely answered by another process."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import grpc

from bench.scripted import ScriptedAct
from bench.suite import Callers
from kit.ports import free_port
from shuangkou.v1 import table_pb2

Play = Callable[[list[ScriptedAct]], Awaitable[None]]


@asynccontextmanager
async def echo_server(callers: Callers) -> AsyncIterator[Play]:
    """Send scripts to a bare grpc.aio server."""
    address = f"127.0.0.1:{free_port()}"
    server = str(Path(__file__).with_name("echo_server.py"))
    process = await asyncio.create_subprocess_exec(sys.executable, server, address)
    channel = grpc.aio.insecure_channel(address)
    call = channel.unary_unary(
        "/echo.Echo/Act", table_pb2.ActRequest.SerializeToString, table_pb2.ActResponse.FromString
    )

    async def play(acts: list[ScriptedAct]) -> None:
        for scripted in acts:
            await call(scripted.request, timeout=20.0, metadata=callers.players[scripted.seat])

    try:
        await asyncio.wait_for(channel.channel_ready(), 20.0)
        yield play
    finally:
        await channel.close()
        process.kill()
        await process.wait()
