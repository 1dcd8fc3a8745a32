"""What an engine tells Prometheus of itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from urllib.request import urlopen

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from kit.keys import Keys
from kit.nats import NatsServer
from kit.nats_proxy import LOST, Kind, NatsProxy, proxied
from kit.pure_table import dealt
from kit.service_process import Launcher, ServiceProcess
from kit.table_clients import PEOPLE, Clients, is_dealt, lowest_act, play_until, turn_of
from kit.waiting import eventually
from shuangkou.engine.commands import HostSeat
from shuangkou.engine.metrics import StandIn
from shuangkou.engine.stand_ins import stand_ins


@pytest.fixture
async def proxy(nats_server: NatsServer) -> AsyncIterator[NatsProxy]:
    """Between the engine of a test and the broker."""
    async with proxied(nats_server) as made:
        yield made


@pytest.fixture
async def engine(proxy: NatsProxy, engine_launcher: Launcher) -> ServiceProcess:
    """Reaches the broker through the proxy."""
    return await engine_launcher.start("engine", nats_url=proxy.url)


@pytest.fixture
async def clients(engine: ServiceProcess, keys: Keys) -> AsyncIterator[Clients]:
    """Its callers."""
    made = Clients([engine], keys)
    yield made
    await made.close()


def measured(engine: ServiceProcess) -> dict[tuple[str, str], float]:
    """Samples by name and by the value of their only label."""
    with urlopen(f"http://127.0.0.1:{engine.metrics_port}/metrics", timeout=10) as page:
        families = text_string_to_metric_families(page.read().decode())
        return {
            (sample.name, ",".join(sample.labels.values())): sample.value
            for family in families
            for sample in family.samples
        }


@pytest.mark.parametrize("found", ["stored", "absent"])
async def test_how_the_log_settles_an_append_that_nobody_answered(
    engine: ServiceProcess, clients: Clients, proxy: NatsProxy, found: str
) -> None:
    callers = clients.people()
    table_id = await clients.service().create(*PEOPLE)
    view = await play_until(callers, table_id, is_dealt)
    seat = turn_of(view)
    assert seat is not None
    watching = aiter(callers[seat].watch(table_id, seat))
    assert (await anext(watching)).HasField("snapshot")
    lose = proxy.lose_answer if found == "stored" else proxy.lose_publish
    lose(f"table.qq.{table_id}.public")
    await callers[seat].act(await lowest_act(callers[seat], table_id, seat))
    while not (await anext(watching)).HasField("commit"):
        pass
    samples = await asyncio.to_thread(measured, engine)
    assert samples["shuangkou_engine_ambiguous_appends_total", found] == 1
    assert samples["shuangkou_engine_watch_lag_seconds_count", ""] >= 1
    await eventually(lambda: measured(engine)["shuangkou_engine_tables_active", ""] == 1)


_BEFORE_AN_APPEND = {
    "read": (Kind.ANSWER, "$JS.API.DIRECT.GET.TABLES"),
    "timer": (Kind.PUBLISH, "timer."),
    "append": (Kind.PUBLISH, ".public.none"),
}


@pytest.mark.parametrize("request_kind", _BEFORE_AN_APPEND)
async def test_what_the_broker_leaves_unanswered_while_a_table_is_opened(
    engine: ServiceProcess, clients: Clients, proxy: NatsProxy, request_kind: str
) -> None:
    kind, part = _BEFORE_AN_APPEND[request_kind]
    await clients.service().create(*PEOPLE)
    name = "shuangkou_engine_log_unanswered_total"
    before = (await asyncio.to_thread(measured, engine))[name, request_kind]
    proxy.ask(kind, part, LOST)
    # Where nothing can be said of an append it is told so, and to try again.
    with suppress(grpc.aio.AioRpcError):
        await clients.service().create(*PEOPLE)
    await eventually(lambda: measured(engine)[name, request_kind] == before + 1, within=20)
    assert len(proxy.lost) == 1


def test_acts_in_place_of_a_holder() -> None:
    by_people = dealt()
    assert list(stand_ins(by_people.table, by_people.play_lowest())) == []
    assert list(stand_ins(by_people.table, by_people.let_time_pass())) == [StandIn.LATE_PERSON]
    by_people.perform(HostSeat(by_people.table.actors[0]))
    assert list(stand_ins(by_people.table, by_people.play_lowest())) == [StandIn.HOSTED]
    by_bots = dealt(*["bot:plain"] * 4)
    assert list(stand_ins(by_bots.table, by_bots.play_lowest())) == []
    assert list(stand_ins(by_bots.table, by_bots.let_time_pass())) == [StandIn.SILENT_BOT]
