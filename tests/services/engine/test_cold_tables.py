"""Engines hold a table while somebody asks for it, and read no more than its last deal to hold it again."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry

from kit.engines import stored_commits
from kit.keys import Keys
from kit.long_match import LongMatch
from kit.metrics_page import sampled
from kit.service_process import Launcher
from kit.table_clients import PEOPLE, Clients, is_dealt, play_one, play_until
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, ensure_streams, purge_subject, read
from shuangkou.engine.log import TableLog, engine_streams
from shuangkou.engine.metrics import EngineMetrics
from shuangkou.engine.tables import Keeping, Tables, prepare
from shuangkou.rules.ruleset import load
from shuangkou.v1.table_pb2 import TABLE_PHASE_DEAL

TABLE_ID = "aaaaaaaaaaaaaaaaaaaa"
TABLES_WARM = "shuangkou_engine_tables_warm"
WITHIN = 30.0


def cold(bus: Bus) -> Tables:
    """Tables of an engine that has just started."""
    nothing = Keeping(changed=lambda _: None, forgotten=lambda _: None)
    return Tables(bus, TableLog(bus), EngineMetrics(CollectorRegistry()), nothing)


@pytest.mark.parametrize("ruleset_id", ["qq", "sheng_basic"])
async def test_a_cold_table_is_folded_from_its_last_deal_alone(bus: Bus, ruleset_id: str) -> None:
    """What lies before is purged, which nothing but this test does, and the table is still the same."""
    await ensure_streams(bus, engine_streams(1))
    await prepare(load(ruleset_id))
    match = await LongMatch.opened(TableLog(bus), TABLE_ID, load(ruleset_id), deals=100)
    await match.play_until(deal=3, acts=30)
    everything = [message async for message in read(bus, "TABLES", f"table.*.{TABLE_ID}.>")]
    assert len(everything) > 100
    await purge_subject(bus, "TABLES", f"table.*.{TABLE_ID}.>", match.warm.deal_sequence)
    assert await cold(bus).peek(TABLE_ID) == match.warm.table


async def test_tables_that_nobody_asks_for_leave_memory_and_keep_their_deadlines(
    engine_launcher: Launcher, keys: Keys, bus: Bus
) -> None:
    engine = await engine_launcher.start("engine", idle_table_seconds="0.5")
    clients = Clients([engine], keys)
    seating = await clients.player("alice").create("alice", "", "", "")
    options = {"turn_seconds": "5", "lead_seconds": "5", "time_bank_seconds": "0"}
    dealt = await clients.service().create(*PEOPLE, options=options)
    await play_until(clients.people(), dealt, is_dealt)
    await eventually(lambda: sampled(engine, TABLES_WARM) == 0, within=WITHIN)

    async def has_passed_deadline() -> bool:
        commits = await stored_commits(bus, dealt)
        return any(event.HasField("deadline_passed") for commit in commits for event in commit.events)

    await eventually(has_passed_deadline, within=WITHIN)
    view = await clients.player("zoe").view(dealt)
    assert view.phase == TABLE_PHASE_DEAL
    await play_one(clients.people(), dealt, view)
    assert (await clients.player("bob").view(seating)).version == 1
    await clients.close()
