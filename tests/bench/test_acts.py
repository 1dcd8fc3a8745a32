"""Durable acts per second beside bare grpc.aio calls per second, measured in turn in one run."""

import asyncio
import time
from pathlib import Path
from statistics import median

from bench.echo import Play, echo_server
from bench.scripted import ScriptedAct
from bench.suite import Callers, Engine, broker_and_launcher, engines
from kit.keys import Keys

TABLES_AT_ONCE = 64
ROUNDS = 5


async def test_durable_acts_beside_bare_echo(keys: Keys, tmp_path: Path) -> None:
    """The same requests, the same concurrency: once stored by an engine, once merely answered."""
    callers = Callers.made_with(keys)
    with broker_and_launcher(keys, tmp_path) as launcher:
        async with engines(launcher, callers, 1) as (engine,), echo_server(callers) as echo:
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
