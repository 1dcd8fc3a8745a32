"""Durable acts per second beside bare grpc.aio calls per second, measured in turn in one run."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

import grpc

from bench.scripted import ScriptedAct
from bench.suite import Callers, Engine, broker_and_launcher, engines
from kit.keys import Keys
from kit.ports import free_port
from shuangkou.v1 import table_pb2

TABLES_AT_ONCE = 64
ROUNDS = 5

Play = Callable[[list[ScriptedAct]], Awaitable[None]]


async def test_durable_acts_beside_bare_echo(keys: Keys, tmp_path: Path) -> None:
    """The same requests, the same concurrency: once stored by an engine, once merely answered."""
    callers = Callers.made_with(keys)
    with broker_and_launcher(keys, tmp_path) as launcher:
        async with engines(launcher, callers, 1) as (engine,), _echo(callers) as echo:
            ratios = [await _round(engine, echo) for _ in range(ROUNDS)]
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    print(f"\nacts / echo: median {median(ratios):.2f} of {ROUNDS} rounds, {spread}")


async def _round(engine: Engine, echo: Play) -> float:
    scripts = [await engine.new_script() for _ in range(TABLES_AT_ONCE)]
    acts = await _per_second(engine.play, scripts)
    echoes = await _per_second(echo, scripts)
    print(f"\n{TABLES_AT_ONCE} at once: {acts:,.0f} durable acts/s, {echoes:,.0f} echoes/s", end="")
    return acts / echoes


async def _per_second(play: Play, scripts: list[list[ScriptedAct]]) -> float:
    started = time.perf_counter()
    await asyncio.gather(*(play(script) for script in scripts))
    return sum(map(len, scripts)) / (time.perf_counter() - started)


@asynccontextmanager
async def _echo(callers: Callers) -> AsyncIterator[Play]:
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
