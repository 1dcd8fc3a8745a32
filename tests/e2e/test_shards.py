"""Tables spread over several streams: played, settled and told as if there were one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from kit.bot_tables import Tables
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import Begin, Launcher, launching
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, NotThere, Server, connect, ensure_stream, read
from shuangkou.v1.events_pb2 import Commit
from shuangkou.wire.streams import WHOLE, Shard, shard_of, shards, spread_over, tables_stream

_SHARDS = 3
_PLAY_SECONDS = 90.0


@pytest.fixture
def launcher(nats_server: NatsServer, keys: Keys, tmp_path: Path, begin: Begin) -> Iterator[Launcher]:
    """Starts services of this test alone."""
    with launching(nats_server, keys, tmp_path, begin) as ready:
        yield ready


@pytest.fixture
async def broker(nats_server: NatsServer) -> AsyncIterator[Bus]:
    """A connection of the test's own."""
    bus = await connect(Server(nats_server.url), "test", CollectorRegistry())
    yield bus
    await bus.close()


async def commits_in(bus: Bus, shard: Shard) -> list[Commit]:
    """Every public commit that the shard holds."""
    stored = read(bus, shard.stream, f"{shard.root}.*.*.public.*")
    return [Commit.FromString(message.payload) async for message in stored]


async def events_of(bus: Bus, table_id: str) -> list[int]:
    """The versions of the table in EVENTS, in the order of the stream."""
    told = read(bus, "EVENTS", f"events.table.*.{table_id}")
    return [Commit.FromString(message.payload).version async for message in told]


async def test_tables_of_every_shard_are_played_settled_and_told(
    launcher: Launcher, keys: Keys, broker: Bus
) -> None:
    spread = {"table_shards": str(_SHARDS)}
    first, second = await launcher.start_all("engine", 2, **spread)
    await launcher.start("ai_player", engine_target=first.target, **spread)
    await launcher.start("scoring", database_url=f"sqlite:///{launcher.folder / 'ledger.db'}", **spread)
    opener, watcher = Tables(first, keys), Tables(second, keys)
    try:
        opened = [await opener.open("plain", "plain", "plain", "plain") for _ in range(12)]
        for table_id in opened:
            await eventually(partial(watcher.is_finished, table_id), within=_PLAY_SECONDS)
    finally:
        await asyncio.gather(opener.close(), watcher.close())
    assert len(Counter(shard_of(table_id, _SHARDS) for table_id in opened)) == _SHARDS
    for shard in shards(_SHARDS):
        stored = await commits_in(broker, shard)
        assert {commit.table_id for commit in stored} == {
            table_id for table_id in opened if shard_of(table_id, _SHARDS) == shard
        }
    for table_id in opened:
        await eventually(partial(_is_settled, broker, table_id), within=_PLAY_SECONDS)
        told = await events_of(broker, table_id)
        assert told == list(range(1, len(told) + 1))


async def _is_settled(bus: Bus, table_id: str) -> bool:
    return len([message async for message in read(bus, "SCORES", f"score.*.{table_id}.*")]) == 1


async def test_another_number_of_shards_is_refused_before_there_is_a_table(
    launcher: Launcher, broker: Bus
) -> None:
    await launcher.start("engine")
    await (await launcher.start("engine", table_shards="1")).stop()
    await _is_refused(launcher, broker)


async def test_streams_of_an_early_version_are_those_of_one_shard(launcher: Launcher, broker: Bus) -> None:
    unmarked = tables_stream(1)
    unmarked.metadata = None
    await ensure_stream(broker, unmarked)
    await _is_refused(launcher, broker)
    await (await launcher.start("engine")).stop()
    told = await broker.api(f"STREAM.INFO.{WHOLE.stream}", {})
    assert spread_over(told["config"]["metadata"]) == 1


async def test_of_engines_that_count_differently_one_alone_makes_streams(
    launcher: Launcher, broker: Bus
) -> None:
    racing = {count: launcher.spawn("engine", table_shards=str(count)) for count in (2, 3)}
    ended = {asyncio.create_task(engine.exit_code()): count for count, engine in racing.items()}
    done, others = await asyncio.wait(ended, timeout=_PLAY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    (lost,) = done
    assert lost.result() == 1
    for other in others:
        other.cancel()
    (won,) = racing.keys() - {ended[lost]}
    assert f"are spread over {won}: set it to {won}" in racing[ended[lost]].written
    await eventually(partial(_are_made, broker, won), within=_PLAY_SECONDS)
    assert not await _is_there(broker, Shard(won))


async def _is_refused(launcher: Launcher, broker: Bus) -> None:
    other = launcher.spawn("engine", table_shards="4")
    assert await other.exit_code() == 1
    failed = other.line("start_failed")
    assert failed is not None
    assert failed["reason"] == (
        "SHUANGKOU_TABLE_SHARDS=4, but the tables of this broker are spread over 1: "
        "set it to 1, or begin with an empty broker"
    )
    assert not await _is_there(broker, Shard(1))


async def _are_made(broker: Bus, count: int) -> bool:
    return all([await _is_there(broker, shard) for shard in shards(count)])


async def _is_there(broker: Bus, shard: Shard) -> bool:
    try:
        await broker.api(f"STREAM.INFO.{shard.stream}", {})
    except NotThere:
        return False
    return True
