"""From TABLES to the ledger and on to SCORES, exactly once in effect, through crashes and races."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from prometheus_client import CollectorRegistry

from kit.nats import NatsServer
from kit.settling import settling_commit
from kit.waiting import eventually
from shuangkou.chassis.nats import (
    Bus,
    NatsFailure,
    NewMessage,
    Server,
    Worker,
    append,
    connect,
    delete_consumer,
    ensure_streams,
    read,
)
from shuangkou.scoring.database import open_database
from shuangkou.scoring.ledger import LeaderboardQuestion, Ledger, SettlementsQuestion
from shuangkou.scoring.metrics import ScoringMetrics
from shuangkou.scoring.recorder import Recorder, settling_commits
from shuangkou.scoring.settlement import settlement_of
from shuangkou.v1.events_pb2 import Commit, SettlementStored
from shuangkou.wire.streams import public_streams

QUEUE = settling_commits(concurrency=4)


async def settle(bus: Bus, commit: Commit) -> None:
    """What an engine does when a deal ends."""
    subject = f"table.{commit.ruleset_id}.{commit.table_id}.public.score"
    await append(bus, NewMessage(subject, commit.SerializeToString()))


async def published(bus: Bus) -> list[tuple[str, SettlementStored]]:
    """Everything in SCORES."""
    return [
        (message.subject, SettlementStored.FromString(message.payload))
        async for message in read(bus, "SCORES", "score.>")
    ]


@dataclass(frozen=True, slots=True)
class Replica:
    """A recorder at work."""

    bus: Bus
    worker: Worker
    task: asyncio.Task[None]
    metrics: ScoringMetrics


@asynccontextmanager
async def recording(url: str, ledger: Ledger) -> AsyncIterator[Replica]:
    """A replica with a connection of its own that records until the block ends."""
    registry = CollectorRegistry()
    bus = await connect(Server(url), "scoring", registry)
    metrics = ScoringMetrics(registry)
    worker = Worker(bus, QUEUE, Recorder(bus, ledger, metrics).record)
    task = asyncio.create_task(worker.run())
    try:
        yield Replica(bus, worker, task, metrics)
    finally:
        task.cancel()
        await worker.stop(grace=5.0)
        await bus.close()


@pytest.fixture
async def streams(bus: Bus) -> None:
    """The streams as every service makes them."""
    await ensure_streams(bus, public_streams(1))


async def results(ledger: Ledger) -> list[tuple[str, int, int]]:
    """Player, points and deals of everybody."""
    page = await ledger.leaderboard(LeaderboardQuestion("qq", include_bots=True), None, 500)
    return [(row.player_id, row.points, row.deals) for row in page.rows]


@pytest.mark.usefixtures("streams")
async def test_a_settled_deal_reaches_the_ledger_and_the_stream(
    bus: Bus, nats_server: NatsServer, ledger: Ledger
) -> None:
    commit = settling_commit()
    await settle(bus, commit)
    async with recording(nats_server.url, ledger):
        [(subject, settlement)] = await eventually(lambda: published(bus))
    assert subject == "score.qq.t1.1"
    assert settlement == SettlementStored(
        table_id="t1", ruleset_id="qq", version=100, deal=commit.events[2].deal_settled
    )
    page = await ledger.settlements(SettlementsQuestion("", ""), None, 10)
    assert list(page.settlements) == [settlement]


@pytest.mark.usefixtures("streams")
async def test_other_commits_are_left_alone_and_senseless_ones_given_up(
    bus: Bus, nats_server: NatsServer, ledger: Ledger
) -> None:
    await append(bus, NewMessage("table.qq.t9.public.human", settling_commit("t9").SerializeToString()))
    await append(bus, NewMessage("table.qq.t8.public.score", b"\xff\xff"))
    await append(bus, NewMessage("table.qq.t7.public.score", Commit(table_id="t7").SerializeToString()))
    await settle(bus, settling_commit("t1"))

    async def nothing_pending() -> bool:
        info = await bus.api("CONSUMER.INFO.TABLES.scoring", {})
        return not info["num_pending"] and not info["num_ack_pending"]

    async with recording(nats_server.url, ledger):
        await eventually(lambda: published(bus))
        await eventually(nothing_pending)
    assert [subject for subject, _ in await published(bus)] == ["score.qq.t1.1"]
    assert len(await results(ledger)) == 4


@pytest.mark.usefixtures("streams")
async def test_a_crash_between_ledger_and_stream_is_made_good(
    bus: Bus, nats_server: NatsServer, ledger: Ledger
) -> None:
    commit = settling_commit()
    await settle(bus, commit)
    # The process died right after its transaction.
    assert await ledger.store(settlement_of(commit))
    async with recording(nats_server.url, ledger) as replica:
        await eventually(lambda: published(bus))
        assert replica.metrics.duplicates._value.get() == 1
    assert await results(ledger) == [("alice", 2, 1), ("carol", 2, 1), ("bob", -2, 1), ("dave", -2, 1)]


@pytest.mark.usefixtures("streams")
async def test_the_whole_log_delivered_again_changes_nothing(
    bus: Bus, nats_server: NatsServer, ledger: Ledger
) -> None:
    for number in range(1, 6):
        await settle(bus, settling_commit("t1", number))

    async def all_published() -> bool:
        return len(await published(bus)) == 5

    async with recording(nats_server.url, ledger):
        await eventually(all_published)
    before = await published(bus), await results(ledger)
    await delete_consumer(bus, QUEUE)
    async with recording(nats_server.url, ledger) as replica:
        await eventually(lambda: replica.metrics.duplicates._value.get() == 5)
    assert (await published(bus), await results(ledger)) == before


@pytest.mark.usefixtures("streams")
async def test_two_replicas_share_the_work(
    bus: Bus, nats_server: NatsServer, ledger: Ledger, database_url: str
) -> None:
    deals = 60
    await asyncio.gather(*(settle(bus, settling_commit(f"t{number}")) for number in range(deals)))

    async def all_published() -> bool:
        return len(await published(bus)) == deals

    async with (
        open_database(database_url) as other,
        recording(nats_server.url, ledger) as one,
        recording(nats_server.url, Ledger(other)) as two,
    ):
        await eventually(all_published, within=30)
        shares = [replica.metrics.stored._value.get() for replica in (one, two)]
    assert sum(shares) == deals
    assert await results(ledger) == expected_of(deals)


@pytest.mark.usefixtures("streams")
async def test_a_broker_that_dies_meanwhile_loses_nothing(
    bus: Bus, nats_server: NatsServer, ledger: Ledger
) -> None:
    deals = 40

    async def all_published() -> bool:
        try:
            return len(await published(bus)) == deals
        except NatsFailure:
            return False

    async with recording(nats_server.url, ledger) as replica:
        await asyncio.gather(*(settle(bus, settling_commit(f"t{number}")) for number in range(deals)))
        await eventually(lambda: replica.metrics.stored._value.get() > 3)
        nats_server.restart()
        await eventually(all_published, within=40)
    assert await results(ledger) == expected_of(deals)


def expected_of(deals: int) -> Sequence[tuple[str, int, int]]:
    """The results of so many equal deals."""
    return [(player, points * deals, deals) for player, points in zip(*_ONE_DEAL, strict=True)]


_ONE_DEAL = (("alice", "carol", "bob", "dave"), (2, 2, -2, -2))
