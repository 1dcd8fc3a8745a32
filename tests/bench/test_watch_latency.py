"""From an act on one engine to its sight by a watcher on another, with many tables at play."""

import asyncio
import time
from pathlib import Path

from bench.scripted import ScriptedAct
from bench.suite import Callers, Engine, broker_and_launcher, engines, percentile
from kit.keys import Keys
from shuangkou.v1 import table_pb2

TABLES = 200
PAUSE_SECONDS = 0.5
"""Between two acts of a table: people and thinking bots are slower still."""
ACTS_PER_TABLE = 40


async def test_act_to_sight_on_another_engine(keys: Keys, tmp_path: Path) -> None:
    """Acts go to engine A, watchers listen to engine B."""
    callers = Callers.made_with(keys)
    with broker_and_launcher(keys, tmp_path) as launcher:
        async with engines(launcher, callers, 2) as (acting, watching):
            scripts = [await acting.new_script() for _ in range(TABLES)]
            results = await asyncio.gather(*(_table(acting, watching, script) for script in scripts))
    seen = [latency for table in results for latency in table]
    p50, p99 = (percentile(seen, share) * 1e3 for share in (0.5, 0.99))
    print(f"\n{TABLES} tables, {len(seen)} acts: act → seen in {p50:.1f} ms p50, {p99:.1f} ms p99")


async def _table(acting: Engine, watching: Engine, script: list[ScriptedAct]) -> list[float]:
    acts = script[:ACTS_PER_TABLE]
    sent: dict[int, float] = {}
    request = table_pb2.WatchTableRequest(table_id=acts[0].request.table_id)
    stream = watching.stub.WatchTable(request, metadata=watching.callers.service)
    first = await anext(aiter(stream))
    assert first.HasField("snapshot")
    sender = asyncio.create_task(_send(acting, acts, sent))
    seen: list[float] = []
    async for response in stream:
        if response.HasField("commit"):
            seen.append(time.perf_counter() - sent[response.commit.commit.version])
            if len(seen) == len(acts):
                break
    await sender
    stream.cancel()
    return seen


async def _send(engine: Engine, acts: list[ScriptedAct], sent: dict[int, float]) -> None:
    for act in acts:
        await asyncio.sleep(PAUSE_SECONDS)
        sent[act.request.expected_version + 1] = time.perf_counter()
        await engine.play([act])
