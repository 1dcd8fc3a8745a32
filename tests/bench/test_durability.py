"""What durability costs: acts at a thousand tables by how the broker keeps them, beside a bare echo."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

import grpc
import pytest

from bench.echo import Play, echo_server
from bench.scripted import ScriptedAct
from bench.suite import Callers, Engine, engines, percentile
from kit.keys import Keys
from kit.nats_cluster import NatsCluster
from kit.service_process import launching

TABLES = 1000
PAUSES_SECONDS = (4.0, 2.0)
"""Between two acts of a table, so that all tables together make 250 and 500 acts a second."""
PACED_ACTS = 8
FLAT_OUT_TABLES = 64
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Keeping:
    """How the broker keeps what it has acknowledged."""

    name: str
    nodes: int = 1
    sync: str = ""


KEEPINGS = (
    Keeping("one node, default sync"),
    Keeping("one node, sync always", sync="always"),
    Keeping("three nodes, R3", nodes=3),
)


@pytest.mark.timeout(900)
async def test_acts_by_how_the_broker_keeps_them(keys: Keys, tmp_path: Path) -> None:
    """One row for each way; the echo is measured in turn with every row's acts."""
    callers = Callers.made_with(keys)
    rows = []
    async with echo_server(callers) as echo:
        for number, keeping in enumerate(KEEPINGS):
            async with _engine(keys, tmp_path / str(number), callers, keeping) as engine:
                rows.append(f"| {keeping.name:<22} | {await _measured(engine, echo)} |")
    paces = " | ".join(f"{TABLES / pause:>4.0f} acts/s: p50, p99" for pause in PAUSES_SECONDS)
    print(f"\n\nact → ack at {TABLES} tables on one engine, and flat out at {FLAT_OUT_TABLES}")
    print(f"| {'broker':<22} | {paces} | flat out, echo: acts/s, ratio |")
    print("\n".join(rows))


@asynccontextmanager
async def _engine(keys: Keys, folder: Path, callers: Callers, keeping: Keeping) -> AsyncIterator[Engine]:
    cluster = NatsCluster(folder, keeping.nodes, keeping.sync)
    await cluster.start()
    try:
        with launching(cluster.nodes[0], keys, folder) as launcher:
            settings = {"nats_url": cluster.url, "stream_replicas": str(keeping.nodes)}
            async with engines(launcher, callers, 1, **settings) as (engine,):
                yield engine
    finally:
        cluster.stop()


async def _measured(engine: Engine, echo: Play) -> str:
    cells = []
    for pause in PAUSES_SECONDS:
        latencies = await _paced(engine, pause)
        p50, p99 = (percentile(latencies, share) * 1e3 for share in (0.5, 0.99))
        cells.append(f"{p50:>8.1f} ms, {p99:>6.1f} ms")
    rounds = [await _flat_out(engine, echo) for _ in range(ROUNDS)]
    acts, echoes = (median(column) for column in zip(*rounds, strict=True))
    cells.append(f"{acts:>7,.0f}, {echoes:>6,.0f}: {median(a / e for a, e in rounds):.2f}")
    return " | ".join(cells)


async def _paced(engine: Engine, pause: float) -> list[float]:
    """Seconds from sending an act to its answer, each table at its own moments."""
    scripts = await engine.new_scripts(TABLES, PACED_ACTS)
    rng, latencies = Random(1), list[float]()

    async def table(acts: list[ScriptedAct]) -> None:
        await asyncio.sleep(rng.uniform(0, pause))
        for act in acts:
            began = time.perf_counter()
            try:
                await engine.play([act])
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.ABORTED:
                    raise
                # Its deadline passed while the other tables were opened.
                return
            latencies.append(time.perf_counter() - began)
            await asyncio.sleep(max(0.0, pause - latencies[-1]))

    await asyncio.gather(*(table(acts) for acts in scripts))
    return latencies


async def _flat_out(engine: Engine, echo: Play) -> tuple[float, float]:
    scripts = await engine.new_scripts(FLAT_OUT_TABLES)
    return await _per_second(engine.play, scripts), await _per_second(echo, scripts)


async def _per_second(play: Play, scripts: list[list[ScriptedAct]]) -> float:
    began = time.perf_counter()
    await asyncio.gather(*(play(script) for script in scripts))
    return sum(map(len, scripts)) / (time.perf_counter() - began)
