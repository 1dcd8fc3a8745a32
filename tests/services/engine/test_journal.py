"""What an operator reads in the engine's log about a table."""

from __future__ import annotations

from dataclasses import replace

from kit.engines import Engines
from kit.keys import Keys
from kit.service_process import Launcher
from kit.table_clients import Clients, is_dealt, play_until
from shuangkou.engine import journal
from shuangkou.v1.events_pb2 import Event
from shuangkou.v1.table_pb2 import TABLE_PHASE_FINISHED, ActRequest, HostSeat

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"


async def test_a_line_for_every_station_of_a_table_and_none_for_acts(
    clients: Clients, engines: Engines
) -> None:
    alice = clients.player("alice")
    traced = replace(alice, metadata=(*alice.metadata, ("traceparent", f"00-{TRACE_ID}-b7ad6b7169203331-01")))
    bots = {0: alice} | dict.fromkeys((1, 2, 3), clients.service())
    table_id = await traced.create("alice", *["bot:plain"] * 3, deals=2, deal_pause_ms=0)
    await play_until(bots, table_id, is_dealt)
    await alice.act(ActRequest(table_id=table_id, seat=0, command_id="away", host_seat=HostSeat()))
    bots[0] = clients.service()
    view = await play_until(bots, table_id, lambda view: view.phase == TABLE_PHASE_FINISHED)
    lines = [
        line for process in engines.processes for line in process.log if line.get("table_id") == table_id
    ]
    lines.sort(key=lambda line: int(str(line["version"])))
    assert [line["event"] for line in lines] == [
        "table_opened",
        "deal_started",
        "seat_hosted",
        "deal_settled",
        "deal_started",
        "deal_settled",
        "match_over",
    ]
    assert {(line["level"], line["ruleset_id"]) for line in lines} == {("info", "qq")}
    assert all(line["trace_id"] and line["span_id"] for line in lines)
    assert (lines[0]["version"], lines[0]["trace_id"]) == (1, TRACE_ID)
    assert [line["deal"] for line in lines if "deal" in line] == [1, 1, 2, 2]
    assert (lines[-1]["version"], lines[-1]["totals"]) == (view.version, [seat.total for seat in view.seats])


async def test_every_commit_is_a_line_for_who_looks_for_faults(engine_launcher: Launcher, keys: Keys) -> None:
    engine = await engine_launcher.start("engine", log_level="debug")
    clients = Clients([engine], keys)
    table_id = await clients.service().create(*["bot:plain"] * 4)
    bots = dict.fromkeys(range(4), clients.service())
    view = await play_until(bots, table_id, lambda view: view.version >= 6)
    await clients.close()
    lines = [line for line in engine.log if line["event"] == "committed" and line["table_id"] == table_id]
    assert [line["version"] for line in lines] == list(range(1, view.version + 1))
    assert lines[2]["actor"] == "ai_player"
    assert lines[2]["events"] == ["cards_played"]


def test_all_that_it_tells_of_can_happen() -> None:
    assert set(journal._TOLD) <= set(Event.DESCRIPTOR.fields_by_name)
