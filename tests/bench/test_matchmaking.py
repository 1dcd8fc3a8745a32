"""Tickets a second, from the fourth ticket to a seat with a long queue, and how even matches are."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from prometheus_client import CollectorRegistry

from bench.suite import broker_and_launcher, percentile
from kit.keys import Keys
from kit.queueing import Club, Player
from kit.service_process import Launcher
from kit.tickets import matches, queued, ticket_of
from kit.waiting import eventually
from shuangkou.chassis.nats import Server, connect, ensure_stream
from shuangkou.matchmaking.bucket import Bucket, bucket_stream
from shuangkou.matchmaking.matcher import group_of
from shuangkou.matchmaking.record import Terms, write
from shuangkou.matchmaking.unit import Queued, unit_of
from shuangkou.rules.ruleset import available, load
from shuangkou.v1.matchmaking_pb2 import TICKET_STATE_MATCHED, GetQueueStatsRequest, PlayerRecord

WAITING = 10_002
FOURTHS = 100
PAUSE_SECONDS = 0.1
TICKETS = 4_000
AT_ONCE = 64
POOLS = 200
_TERMS = Terms(600, 60_000)


def lines() -> Iterator[tuple[str, int, str]]:
    """Games for four that differ by their number of deals, in two regions."""
    for region in ("east", "west"):
        for ruleset_id in available():
            if load(ruleset_id).options.players == 4:
                yield from ((ruleset_id, deals, region) for deals in range(1, 101))


async def fill_the_queue(launcher: Launcher) -> list[tuple[str, int, str]]:
    """Three people wait for each of many games; the games."""
    bus = await connect(Server(launcher.nats_server.url), "bench", CollectorRegistry())
    await ensure_stream(bus, bucket_stream(1))
    bucket, now_ms = Bucket(bus), time.time_ns() // 1_000_000
    games = [game for game, _ in zip(lines(), range(WAITING // 3), strict=False)]
    slots = asyncio.Semaphore(256)

    async def put(name: str, ruleset_id: str, deals: int, region: str) -> None:
        game: dict[str, Any] = {"ruleset_id": ruleset_id, "deals": deals, "region": region}
        ticket = ticket_of(name, 0, created_ms=now_ms, **game)
        async with slots:
            await bucket.put([write(PlayerRecord(player_id=name, ticket=ticket), 0, _TERMS)])

    jobs = [put(f"w{number}.{place}", *game) for number, game in enumerate(games) for place in range(3)]
    await asyncio.gather(*jobs)
    await bus.close()
    return games


async def test_from_the_fourth_ticket_to_a_seat_with_ten_thousand_waiting(keys: Keys, tmp_path: Path) -> None:
    """Other people's tables are opened meanwhile, ten a second."""
    with broker_and_launcher(keys, tmp_path) as launcher:
        games = await fill_the_queue(launcher)
        engine = await launcher.start("engine")
        replica = await launcher.start("matchmaking", engine_target=engine.target, ready_check_seconds="0")
        club = Club(keys)
        players = [await club.player(f"fourth{number}", replica) for number in range(FOURTHS)]
        await eventually(lambda: _all_seen(players[0]), within=120)
        tasks = []
        # One ruleset: an engine that has to look up another for the first time is another measurement.
        fourths = [game for game in games if game[0] == "qq"]
        for player, game in zip(players, fourths, strict=False):
            tasks.append(asyncio.create_task(_seated(player, *game)))
            await asyncio.sleep(PAUSE_SECONDS)
        seconds = await asyncio.gather(*tasks)
        await club.close()
    p50, p95, p99 = (percentile(seconds, share) * 1e3 for share in (0.5, 0.95, 0.99))
    print(
        f"\n{len(games) * 3} waiting, {len(seconds)} tables: fourth ticket → seat in {p50:.0f} ms p50,"
        f" {p95:.0f} ms p95, {p99:.0f} ms p99"
    )


async def test_tickets_a_second(keys: Keys, tmp_path: Path) -> None:
    """Made through one replica, each of its own player; nobody meets."""
    with broker_and_launcher(keys, tmp_path) as launcher:
        engine = await launcher.start("engine")
        replica = await launcher.start("matchmaking", engine_target=engine.target, ready_check_seconds="0")
        club = Club(keys)
        players = [await club.player(f"p{number}", replica) for number in range(TICKETS)]
        await players[0].queue("warm", people_only=True, region="r")
        slots = asyncio.Semaphore(AT_ONCE)

        async def make(number: int) -> None:
            async with slots:
                await players[number].queue(people_only=True, region=f"r{number}")

        started = time.perf_counter()
        await asyncio.gather(*(make(number) for number in range(1, TICKETS)))
        seconds = time.perf_counter() - started
        await club.close()
    print(f"\n{TICKETS / seconds:.0f} tickets a second through one replica")


def test_quality_against_the_best_assignment() -> None:
    """Eight people, two tables: what is matched, and the best of all ways to part them."""
    random = Random(1)
    shares, spans = [], []
    started = time.process_time()
    for _ in range(POOLS):
        people = [queued(number, random.gauss(25, 6)) for number in range(1, 9)]
        found = mean(group.quality for group in matches(people))
        best = max(mean((_quality(four), _quality(rest))) for four, rest in _partings(people))
        shares.append(found / best)
        spans.append(best - found)
    print(
        f"\nmean chance of a draw is {mean(shares):.1%} of the best possible, at worst {min(shares):.1%};"
        f" {mean(spans):.4f} below it on average ({time.process_time() - started:.1f} s)"
    )


def _partings(people: Sequence[Queued]) -> Iterator[tuple[Sequence[Queued], Sequence[Queued]]]:
    first, *others = people
    for three in combinations(others, 3):
        yield (first, *three), [each for each in others if each not in three]


def _quality(four: Sequence[Queued]) -> float:
    units = [unit_of(each) for each in four]
    return group_of(units[0].games[0], units).quality


async def _seated(player: Player, ruleset_id: str, deals: int, region: str) -> float:
    started = time.perf_counter()
    await player.queue(ruleset_id=ruleset_id, deals=deals, people_only=True, region=region)
    async for update in player.updates():
        if update.ticket.state == TICKET_STATE_MATCHED:
            return time.perf_counter() - started
    raise AssertionError("the ticket ended without a table")


async def _all_seen(player: Player) -> bool:
    answer = await player.stub.GetQueueStats(GetQueueStatsRequest(), metadata=player.metadata, timeout=30)
    return sum(queue.waiting for queue in answer.queues) >= WAITING // 3 * 3
