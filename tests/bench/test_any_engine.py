"""Any engine serves any table: what a cold table costs, and two engines at one table."""

import time
from pathlib import Path

from prometheus_client import CollectorRegistry

from bench.scripted import ScriptedAct
from bench.suite import Callers, Engine, broker_and_launcher, engines, percentile
from kit.keys import Keys
from kit.long_match import LongMatch
from kit.nats import NatsServer
from shuangkou.chassis.nats import Server, connect, ensure_streams
from shuangkou.engine.log import TableLog, engine_streams
from shuangkou.engine.metrics import EngineMetrics
from shuangkou.engine.tables import Keeping, Tables, prepare
from shuangkou.rules.ruleset import load

GAMES = ("qq", "sheng_basic")
DEALS = 60
LOADS = 300
PAIRS = 12


async def test_cold_tables(tmp_path: Path) -> None:
    """Read and folded at the end of the last deal that a match gets to, 60 at most."""
    server = NatsServer(tmp_path)
    server.start()
    bus = await connect(Server(server.url), "bench", CollectorRegistry())
    try:
        await ensure_streams(bus, engine_streams(1))
        log = TableLog(bus)
        nothing = Keeping(lambda _: None, lambda _: None)
        tables = Tables(bus, log, EngineMetrics(CollectorRegistry()), nothing)
        for number, ruleset_id in enumerate(GAMES):
            await prepare(load(ruleset_id))
            match = await _late_in_a_long_match(log, "ab"[number] * 20, ruleset_id)
            table, walls, cpus = match.warm.table, list[float](), list[float]()
            for _ in range(LOADS):
                wall, cpu = time.perf_counter(), time.process_time()
                assert (await tables.peek(table.id)).version == table.version
                walls.append((time.perf_counter() - wall) * 1e3)
                cpus.append((time.process_time() - cpu) * 1e3)
            place = f"deal {table.match.standing.last_number}, version {table.version}"
            p50, p99 = percentile(walls, 0.5), percentile(walls, 0.99)
            busy = f"{percentile(cpus, 0.5):.1f} and {percentile(cpus, 0.99):.1f} ms"
            print(
                f"\ncold {ruleset_id}, {place}: {p50:.1f} ms p50, {p99:.1f} ms p99; of the processor {busy}",
                end="",
            )
        print()
    finally:
        await bus.close()
        server.stop()


async def _late_in_a_long_match(log: TableLog, table_id: str, ruleset_id: str) -> LongMatch:
    """As many commits into the last deal as the deal before had."""
    match = await LongMatch.opened(log, table_id, load(ruleset_id), 100)
    await match.play_until(DEALS, 0)
    versions = match.warm.table.version
    await match.play_until(DEALS + 1, 0)
    await match.play_until(DEALS + 1, match.warm.table.version - versions - 5)
    return match


async def test_two_engines_at_one_table(keys: Keys, tmp_path: Path) -> None:
    """Every act goes to the engine that did not make the last one, as fast as answers come."""
    callers = Callers.made_with(keys)
    with broker_and_launcher(keys, tmp_path) as launcher:
        async with engines(launcher, callers, 2) as pair:
            rates = [await _rates(pair) for _ in range(PAIRS)]
    one, two = (percentile(list(column), 0.5) for column in zip(*rates, strict=True))
    print(f"\none table: {one:,.0f} acts/s by one engine, {two:,.0f} by two in turn, {two / one:.2f} of it")


async def _rates(pair: list[Engine]) -> tuple[float, float]:
    return await _rate(pair[:1] * 2), await _rate(pair)


async def _rate(pair: list[Engine]) -> float:
    script: list[ScriptedAct] = await pair[0].new_script()
    began = time.perf_counter()
    for number, act in enumerate(script):
        await pair[number % 2].play([act])
    return len(script) / (time.perf_counter() - began)
