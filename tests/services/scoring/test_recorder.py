"""From TABLES to the ledger and on to SCORES, exactly once in effect, through crashes and races."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from kit.ledgers import admitted, at_rest, settlements
from kit.nats import NatsServer
from kit.pure_table import opened
from kit.settling import a_season, opening_commit, settling_commit
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
from shuangkou.rules.ruleset import load
from shuangkou.scoring.acts import Acts, UnknownActs
from shuangkou.scoring.boards import Boards, PointsQuestion
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.intake import Intake
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.metrics import ScoringMetrics
from shuangkou.scoring.openings import Openings
from shuangkou.scoring.rater import Rater
from shuangkou.scoring.recorder import Recorder, settling_commits
from shuangkou.scoring.records import Records, SettlementsQuestion
from shuangkou.scoring.scribe import Scribe
from shuangkou.scoring.settlement import settlement_of
from shuangkou.scoring.teller import Teller
from shuangkou.v1.events_pb2 import Commit, Event, MatchFinished, RatingsChanged, SettlementStored
from shuangkou.wire.families import contradiction
from shuangkou.wire.streams import public_streams

QUEUE = settling_commits(concurrency=4)


async def say(bus: Bus, commit: Commit, route: str) -> None:
    """What an engine does with a commit."""
    subject = f"table.{commit.ruleset_id}.{commit.table_id}.public.{route}"
    await append(bus, NewMessage(subject, commit.SerializeToString()))


async def settle(bus: Bus, commit: Commit) -> None:
    """What an engine does when a deal ends; before the first of a table it has opened it."""
    if any(1 in (event.deal_settled.number, event.deal_voided.number) for event in commit.events):
        await say(bus, opening_commit(commit.table_id, commit.ruleset_id), "none")
    await say(bus, commit, "score")


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
    recorder = Recorder(bus, Intake(ledger), Openings(bus), Acts(bus), metrics)
    worker = Worker(bus, QUEUE, recorder.record)
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
    page = await Boards(ledger.database).points(PointsQuestion("qq", "", include_bots=True), None, 500)
    return [(ranked.row.player_id, ranked.row.points, ranked.row.deals) for ranked in page.rows]


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
    page = await Records(ledger.database).settlements(SettlementsQuestion("", ""), None, 10)
    assert list(page.settlements) == [settlement]


@pytest.mark.usefixtures("streams")
async def test_other_commits_are_left_alone_and_senseless_ones_given_up(
    bus: Bus, nats_server: NatsServer, ledger: Ledger
) -> None:
    await say(bus, settling_commit("t9"), "human")
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
    assert await ledger.store([settlement_of(commit)])
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
        open_ledger(database_url) as other,
        recording(nats_server.url, ledger) as one,
        recording(nats_server.url, other) as two,
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


@pytest.mark.usefixtures("streams")
async def test_everything_three_times_in_any_order_changes_nothing(
    bus: Bus, nats_server: NatsServer, ledger: Ledger, tmp_path: Path
) -> None:
    """The log is delivered three times, and the same commits stand in it again under later sequences."""
    commits = a_season(seed=4, deals=40)
    openings = [opening_commit(table_id) for table_id in sorted({commit.table_id for commit in commits})]
    for opening in openings:
        await say(bus, opening, "none")
    for commit in random.Random(1).sample(commits * 2, len(commits) * 2):
        await say(bus, commit, "score")

    def all_seen(replica: Replica) -> bool:
        handled = replica.metrics.stored._value.get() + replica.metrics.duplicates._value.get()
        return bool(handled == 2 * len(commits))

    for _ in range(3):
        async with recording(nats_server.url, ledger) as replica:
            await eventually(partial(all_seen, replica), within=60)
        await delete_consumer(bus, QUEUE)
    async with open_ledger(f"sqlite:///{tmp_path}/expected.db") as expected:
        await expected.store(admitted([*openings, *commits]))
        assert await at_rest(ledger) == await at_rest(expected)
    assert len(await published(bus)) == len(commits)


def played(ruleset_id: str, seed: int, deals: int = 1) -> list[tuple[str, Commit]]:
    """The commits of a table with their routes, really played until so many deals have a result."""
    chance, table = random.Random(seed), opened(deals=deals, ruleset=load(ruleset_id), table_id="t" * 20)
    while deals:
        table.go_on(chance)
        deals -= any(event.HasField("deal_settled") for event in table.log[-1].commit.events)
    return [(stored.route, stored.commit) for stored in table.log]


@pytest.mark.usefixtures("streams")
@pytest.mark.parametrize("ruleset_id", ["classic54", "landlord52", "qq", "sixteen_deals"])
async def test_the_rules_are_asked_again(
    bus: Bus, nats_server: NatsServer, ledger: Ledger, ruleset_id: str
) -> None:
    """A settlement that the rules do not make of its facts is not entered, and said aloud."""
    log = played(ruleset_id, 1)
    for route, commit in log:
        await say(bus, commit, route)
    forged = Commit()
    forged.CopyFrom(log[-1][1])
    for event in forged.events:
        if event.HasField("deal_settled"):
            event.deal_settled.number += 1
            event.deal_settled.scores[0] += 1
            for part in event.deal_settled.climbing.breakdown[:1]:
                part.contribution += 1
    await say(bus, forged, "score")
    ended = sum(route == "score" for route, _ in log)
    async with recording(nats_server.url, ledger) as replica:
        await eventually(lambda: replica.metrics.contested._value.get() == 1)
        await eventually(lambda: replica.metrics.published._value.get() == ended)
        assert replica.metrics.unchecked._value.get() == 0
    page = await Records(ledger.database).settlements(SettlementsQuestion("", ""), None, 10)
    assert len(page.settlements) == ended


@pytest.mark.usefixtures("streams")
async def test_acts_of_every_deal_of_a_match_are_found_whatever_the_order(bus: Bus) -> None:
    log = played("classic52", 3, deals=3)
    for route, commit in log:
        await say(bus, commit, route)
    acts, settled = Acts(bus), [settlement_of(commit).stored for route, commit in log if route == "score"]

    async def copied() -> bool:
        return len([message async for message in read(bus, "EVENTS", "events.>")]) == len(log)

    await eventually(copied)
    for stored in (*settled, *reversed(settled), settled[1]):
        assert contradiction(load("classic52"), stored, await acts.of(stored)) == ""
    later = SettlementStored(table_id=settled[0].table_id, ruleset_id="classic52", version=10_000)
    with pytest.raises(UnknownActs):
        await acts.of(later)


@pytest.mark.usefixtures("streams")
async def test_a_deal_whose_acts_are_told_no_more_is_taken_at_its_word(
    bus: Bus, nats_server: NatsServer, ledger: Ledger
) -> None:
    log = played("duel52", 1)
    gap = next(place for place, (_, commit) in enumerate(log) if commit.events[0].HasField("cards_played"))
    for route, commit in [*log[:gap], *log[gap + 1 :]]:
        await say(bus, commit, route)
    async with recording(nats_server.url, ledger) as replica:
        await eventually(lambda: replica.metrics.published._value.get() == 1, within=60)
        assert replica.metrics.unchecked._value.get() == 1


@pytest.mark.usefixtures("streams")
async def test_a_match_that_ends_between_two_deals_waits_for_the_last_of_them(
    bus: Bus, nats_server: NatsServer, ledger: Ledger
) -> None:
    ended = Event(match_finished=MatchFinished(totals=(2, -2, 2, -2)))
    await say(bus, Commit(table_id="t1", ruleset_id="qq", version=101, time_ms=9, events=[ended]), "score")
    records = Records(ledger.database)
    async with recording(nats_server.url, ledger) as replica:
        put_off = replica.bus.work_metrics.of_queue(QUEUE.durable, QUEUE.stream).handled["failed"]._value
        await eventually(put_off.get)
        await settle(bus, settling_commit("t1"))

        async def is_there() -> bool:
            return bool((await records.matches("alice", None, 10)).matches)

        await eventually(is_there, within=30)
    [match] = (await records.matches("alice", None, 10)).matches
    assert (list(match.players), list(match.winners)) == (["alice", "bob", "carol", "dave"], [0, 2])
    [tally] = await records.tallies("bob")
    assert (tally.deals, tally.matches, tally.matches_won) == (1, 1, 0)


async def told(bus: Bus) -> list[RatingsChanged]:
    """Every change of ratings in SCORES."""
    return [RatingsChanged.FromString(message.payload) async for message in read(bus, "SCORES", "rating.>")]


@pytest.mark.usefixtures("streams")
async def test_rating_changes_are_told_once_and_corrected_when_a_deal_was_late(
    bus: Bus, registry: CollectorRegistry, ledger: Ledger
) -> None:
    late, early = (settling_commit("t1", number, time_ms=number) for number in (1, 2))
    scribes = [
        Scribe(Rater(ledger.database), Teller(bus, ledger.database), ScoringMetrics(CollectorRegistry()))
        for _ in "12"
    ]
    await ledger.store(settlements([early]))
    for scribe in scribes:
        while await scribe.work():
            pass
    [first] = await told(bus)
    assert [list(change.player_ids) for change in first.changes] == [
        ["alice"],
        ["bob"],
        ["carol"],
        ["dave"],
        ["alice", "carol"],
        ["bob", "dave"],
    ]
    assert [change.mu > change.mu_before for change in first.changes] == [True, False] * 3
    await ledger.store(settlements([late]))
    while sum(await asyncio.gather(*(scribe.work() for scribe in scribes))):
        pass
    messages = await told(bus)
    assert sorted(message.deal_number for message in messages) == [1, 2, 2]
    assert messages[-1] != first or messages[-2] != first
    last = {message.deal_number: message for message in messages}
    assert last[2].changes[0].mu_before == last[1].changes[0].mu


def expected_of(deals: int) -> Sequence[tuple[str, int, int]]:
    """The results of so many equal deals."""
    return [(player, points * deals, deals) for player, points in zip(*_ONE_DEAL, strict=True)]


_ONE_DEAL = (("alice", "carol", "bob", "dave"), (2, 2, -2, -2))
