"""How late an engine acts for bots that say nothing: by its own clock, and by schedules once it died."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

from prometheus_client import CollectorRegistry

from bench.suite import Callers, broker_and_launcher, client_of, percentile
from kit.keys import Keys
from shuangkou.chassis.nats import Server, connect, read
from shuangkou.v1 import table_pb2, table_pb2_grpc
from shuangkou.v1.events_pb2 import Commit

TABLES = 400
OPENED_AT_ONCE = 16
BOT_SECONDS = 3.0
"""So long an engine waits for a bot."""
BEFORE_DEATH_SECONDS = 15.0
AFTER_DEATH_SECONDS = 30.0

Lateness = tuple[float, float]
"""When the act was stored, and how long after the bot's deadline. Seconds."""


async def test_deadline_of_a_silent_bot_to_the_act_in_its_place(keys: Keys, tmp_path: Path) -> None:
    """No AI player runs. The engine that opened all tables is killed while another one knows none of them."""
    callers = Callers.made_with(keys)
    with broker_and_launcher(keys, tmp_path) as launcher:
        first, _ = await launcher.start_all("engine", 2, bot_seconds=str(BOT_SECONDS))
        async with client_of(first, callers) as engine:
            for _ in range(TABLES // OPENED_AT_ONCE):
                await asyncio.gather(*(_open(engine.stub, callers) for _ in range(OPENED_AT_ONCE)))
            await asyncio.sleep(BEFORE_DEATH_SECONDS)
        first.kill()
        died_at = time.time()
        await asyncio.sleep(AFTER_DEATH_SECONDS)
        lateness = [late async for late in _lateness(launcher.nats_server.url)]
    _tell("by the clock of the engine that holds the table", [by for at, by in lateness if at < died_at])
    _tell("by another engine once that one is dead", [by for at, by in lateness if at >= died_at])


async def _lateness(nats_url: str) -> AsyncIterator[Lateness]:
    """Of every act that the engine made for a bot."""
    bus = await connect(Server(nats_url), "bench", CollectorRegistry())
    deadlines: dict[str, int] = {}
    try:
        async for message in read(bus, "TABLES", "table.*.*.public.*"):
            commit = Commit.FromString(message.payload)
            deadline_ms = deadlines.get(commit.table_id, 0)
            if deadline_ms and any(event.HasField("deadline_passed") for event in commit.events):
                at = message.stored_at.timestamp()
                yield at, at - deadline_ms / 1000
            deadlines[commit.table_id] = commit.next.deadline_ms
    finally:
        await bus.close()


def _tell(how: str, lateness: list[float]) -> None:
    p50, p99, worst = (percentile(lateness, share) * 1e3 for share in (0.5, 0.99, 1))
    print(f"\n{how}: {len(lateness)} acts, {p50:.0f} ms late p50, {p99:.0f} p99, {worst:.0f} at worst")


async def _open(stub: table_pb2_grpc.TableServiceStub, callers: Callers) -> None:
    seats = [
        table_pb2.SeatAssignment(seat=seat, occupant=table_pb2.Occupant(persona="plain")) for seat in range(4)
    ]
    request = table_pb2.CreateTableRequest(
        command_id=f"silent-{time.time_ns()}", ruleset_id="qq", seats=seats, deal_pause_ms=0
    )
    await stub.CreateTable(request, timeout=20, metadata=callers.service)
