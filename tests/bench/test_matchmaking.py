"""Tickets a second, from the fourth ticket to a seat with a long queue, and how even matches are."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from bench.suite import broker_and_launcher, percentile
from kit.keys import Keys
from kit.killing import CLAIMED, MARKED, Scene, kill_matchmaker
from kit.nats_proxy import proxied
from kit.queueing import Club, Player
from kit.service_process import ServiceProcess
from kit.tickets import NOW, queued, ticket_of
from kit.waiting import eventually
from shuangkou.chassis.nats import Server, connect, ensure_stream
from shuangkou.matchmaking.bucket import Bucket, bucket_stream
from shuangkou.matchmaking.matcher import group_of, groups
from shuangkou.matchmaking.record import Terms, write
from shuangkou.matchmaking.unit import Queued, Unit, unit_of
from shuangkou.rules.ruleset import available, load
from shuangkou.v1.matchmaking_pb2 import (
    TICKET_MODE_RANKED,
    TICKET_STATE_MATCHED,
    GetQueueStatsRequest,
    PlayerRecord,
    SkillEstimate,
    Ticket,
)

FOURTHS = 20
PAUSE_SECONDS = 0.1
CROWD = 400
KILLS = 5
TICKETS = 4_000
AT_ONCE = 64
_TERMS = Terms(600, 60_000)
_LATER_MS = 600_000
"""Tickets from the future: their windows stay as they are."""

Wish = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """Tickets that make no table, and the wish of somebody with whom some of them do."""

    waiting: list[Wish]
    fourth: Wish


def one_ruleset(_number: int) -> Line:
    """Three who wait for the fourth."""
    return Line([{} for _ in range(3)], {})


def any_ruleset(number: int) -> Line:
    """The same for any game."""
    four = [ruleset_id for ruleset_id in available() if load(ruleset_id).options.players == 4]
    wish: Wish = {"ruleset_id": four[number % len(four)]}
    wish["deals"] = load(wish["ruleset_id"]).usual_deals
    return Line([wish] * 3, wish)


def near(_number: int) -> Line:
    """Three ranked players inside the narrowest window."""
    return Line([ranked(25.0 + place / 4) for place in range(3)], {"mode": TICKET_MODE_RANKED})


def far(_number: int) -> Line:
    """The same among many who are too far from anybody."""
    others = [ranked(30.0 + 2.5 * place) for place in range(27)]
    return Line([*others, *near(0).waiting], {"mode": TICKET_MODE_RANKED})


def with_party(_number: int) -> Line:
    """Two partners and one more."""
    return Line([{"partner": 1}, {"partner": 0}, {}], {})


def avoiding(_number: int) -> Line:
    """Sixty in three cliques in which everybody avoids everybody."""
    return Line([{"avoids": [p // 20 * 20 + (p + n) % 20 for n in range(1, 11)]} for p in range(60)], {})


def ranked(mu: float) -> Wish:
    """Of this rating, with the first window for good."""
    rating = SkillEstimate(mu=mu, sigma=25 / 3)
    return {"mode": TICKET_MODE_RANKED, "rating": rating, "later": True}


SPREADS: dict[str, tuple[Callable[[int], Line], int]] = {
    "one ruleset": (one_ruleset, 556),
    "all rulesets": (any_ruleset, 556),
    "ranked, near": (near, 556),
    "ranked, far apart": (far, 56),
    "parties": (with_party, 556),
    "avoiding": (avoiding, 28),
}
"""What waits in so many lines: together 10,000 tickets."""


async def fill_the_queue(url: str) -> dict[str, list[tuple[str, Wish]]]:
    """All lines, each in a region of its own; the regions and fourths of each spread."""
    bus = await connect(Server(url), "bench", CollectorRegistry())
    await ensure_stream(bus, bucket_stream(1))
    bucket, now_ms = Bucket(bus), time.time_ns() // 1_000_000
    slots = asyncio.Semaphore(256)

    async def put(ticket: Ticket) -> None:
        async with slots:
            record = PlayerRecord(player_id=ticket.player_id, ticket=ticket)
            await bucket.put([write(record, 0, _TERMS)])

    tickets, fourths = list[Ticket](), dict[str, list[tuple[str, Wish]]]()
    for kind, (spread, count) in SPREADS.items():
        lines = [(f"{kind.translate({32: 45, 44: None})}{number}", spread(number)) for number in range(count)]
        fourths[kind] = [(region, line.fourth) for region, line in lines]
        tickets += [
            _ticket(line, place, region, now_ms)
            for region, line in lines
            for place in range(len(line.waiting))
        ]
    await asyncio.gather(*(put(ticket) for ticket in tickets))
    await bus.close()
    print(f"\n{len(tickets)} waiting")
    return fourths


def _ticket(line: Line, place: int, region: str, now_ms: int) -> Ticket:
    wish = dict(line.waiting[place])
    names = [f"w{region}.{number}" for number in range(len(line.waiting))]
    if "partner" in wish:
        wish["partner_id"] = names[wish.pop("partner")]
    wish["avoided"] = [names[number] for number in wish.pop("avoids", ())]
    created_ms = now_ms + (_LATER_MS if wish.pop("later", False) else 0)
    return ticket_of(names[place], place, region=region, created_ms=created_ms, **wish)


async def test_from_the_fourth_ticket_to_a_seat_with_ten_thousand_waiting(keys: Keys, tmp_path: Path) -> None:
    """In every spread. Other people's tables are opened meanwhile, ten a second."""
    with broker_and_launcher(keys, tmp_path) as launcher:
        fourths = await fill_the_queue(launcher.nats_server.url)
        engine = await launcher.start("engine")
        replica = await launcher.start("matchmaking", engine_target=engine.target, ready_check_seconds="0")
        club = Club(keys)
        wishes = [(kind, *wish) for kind, some in fourths.items() for wish in some[:FOURTHS]]
        Random(1).shuffle(wishes)
        players = [await club.player(f"fourth{number}", replica) for number in range(len(wishes))]
        expected = sum(len(spread(0).waiting) * count for spread, count in SPREADS.values())
        await eventually(lambda: _all_seen(players[0], expected), within=300)
        processes = {"matchmaking": replica, "engine": engine}
        before = {name: cpu_seconds(process) for name, process in processes.items()}
        tasks = []
        for player, (_, region, wish) in zip(players, wishes, strict=True):
            tasks.append(asyncio.create_task(_seated(player, region=region, **wish)))
            await asyncio.sleep(PAUSE_SECONDS)
        seconds = await asyncio.gather(*tasks)
        spent = {name: cpu_seconds(process) - before[name] for name, process in processes.items()}
        await club.close()
    for kind in SPREADS:
        _print_percentiles(
            kind, [each for each, wish in zip(seconds, wishes, strict=True) if wish[0] == kind]
        )
    _print_percentiles("all", seconds)
    for name, cpu in spent.items():
        print(f"{name}: {cpu / len(wishes) * 1e3:.1f} ms of a core a table")


async def test_a_crowd_in_one_queue(keys: Keys, tmp_path: Path) -> None:
    """Hundreds queue for one game in the same moment; elsewhere fourth tickets come one by one."""
    with broker_and_launcher(keys, tmp_path) as launcher:
        engine = await launcher.start("engine")
        replica = await launcher.start("matchmaking", engine_target=engine.target, ready_check_seconds="0")
        club = Club(keys)
        crowd = [await club.player(f"c{number}", replica) for number in range(CROWD)]
        few = [await club.player(f"f{number}", replica) for number in range(4 * FOURTHS)]
        await crowd[0].queue("warm", bots_after_ms=0, region="warm")
        for number, player in enumerate(few):
            if number % 4:
                await player.queue(people_only=True, region=f"r{number // 4}")
        started = time.perf_counter()
        jobs = [asyncio.create_task(_seated(player, region="crowd")) for player in crowd[1:-3]]
        seconds = []
        for number, player in enumerate(few[::4]):
            seconds.append(await _seated(player, region=f"r{number}"))
        await asyncio.gather(*jobs)
        took = time.perf_counter() - started
        await club.close()
    print(f"\n{len(jobs) // 4} tables of a crowd: {len(jobs) / 4 / took:.0f} tables a second")
    _print_percentiles("fourth elsewhere meanwhile", seconds)


async def test_seats_after_a_matchmaker_was_killed(keys: Keys, tmp_path: Path) -> None:
    """Between claim and table; two seconds of it are patience with the one that is dead."""
    with broker_and_launcher(keys, tmp_path) as launcher:
        engine = await launcher.start("engine")
        survivor = await launcher.start("matchmaking", engine_target=engine.target)
        club = Club(keys)
        for moment in (CLAIMED, MARKED):
            seconds = []
            for number in range(KILLS):
                async with proxied(launcher.nats_server) as proxy:
                    scene = Scene(launcher, club, proxy, engine, survivor)
                    left = await kill_matchmaker(scene, moment, f"{moment}{number}")
                await left.seated()
                seconds.append(time.monotonic() - left.killed_at)
            _print_percentiles(f"killed when {moment}", seconds)
        await club.close()


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


@pytest.mark.parametrize(("people", "parties", "pools"), [(8, 0, 200), (8, 2, 200), (12, 0, 40), (12, 3, 40)])
def test_quality_against_the_best_assignment(people: int, parties: int, pools: int) -> None:
    """All seats are filled: what is matched, and the best of all ways to part the same people into tables."""
    random = Random(1)
    shares, spans = [], []
    started = time.process_time()
    for _ in range(pools):
        units = _pool(random, people, parties)
        found = mean(group.quality for group in groups(units[0].games[0], units, NOW))
        known: dict[tuple[Unit, ...], float] = {}
        best = max(mean(_quality(table, known) for table in tables) for tables in _assignments(units))
        shares.append(found / best)
        spans.append(best - found)
    print(
        f"\n{people} people, {parties} parties: mean chance of a draw {mean(shares):.1%} of the best,"
        f" at worst {min(shares):.1%}; {mean(spans):.4f} below it ({time.process_time() - started:.0f} s)"
    )


def _pool(random: Random, people: int, parties: int) -> list[Unit]:
    def one(number: int, **more: Any) -> Queued:
        rating = SkillEstimate(mu=random.gauss(25, 6), sigma=random.uniform(1, 25 / 3))
        return queued(number, rating=rating, **more)

    pairs = [(n, n + 1) for n in range(1, 2 * parties, 2)]
    units = [unit_of(one(n, partner_id=f"p{m}"), one(m, partner_id=f"p{n}")) for n, m in pairs]
    units += [unit_of(one(number)) for number in range(2 * parties + 1, people + 1)]
    random.shuffle(units)
    return units


def _assignments(units: Sequence[Unit]) -> Iterator[list[tuple[Unit, ...]]]:
    """Every way to part all of them into tables of four people."""
    if not units:
        yield []
        return
    first, *others = units
    for count in range(4):
        for company in combinations(others, count):
            if first.size + sum(unit.size for unit in company) == 4:
                rest = [unit for unit in others if unit not in company]
                yield from ([(first, *company), *more] for more in _assignments(rest))


def _quality(table: tuple[Unit, ...], known: dict[tuple[Unit, ...], float]) -> float:
    if table not in known:
        known[table] = group_of(table[0].games[0], table).quality
    return known[table]


async def _seated(player: Player, **wish: Any) -> float:
    started = time.perf_counter()
    await player.queue(people_only=True, **wish)
    async for update in player.updates():
        if update.ticket.state == TICKET_STATE_MATCHED:
            return time.perf_counter() - started
    raise AssertionError("the ticket ended without a table")


async def _all_seen(player: Player, waiting: int) -> bool:
    answer = await player.stub.GetQueueStats(GetQueueStatsRequest(), metadata=player.metadata, timeout=30)
    return sum(queue.waiting for queue in answer.queues) >= waiting


def cpu_seconds(process: ServiceProcess) -> float:
    """What the process has had of a core so far."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _print_percentiles(what: str, seconds: list[float]) -> None:
    p50, p95, p99 = (f"{percentile(seconds, share) * 1e3:.0f} ms" for share in (0.5, 0.95, 0.99))
    load = f"{os.getloadavg()[0]:.0f} processes want the machine"
    print(f"{what}: {p50} p50, {p95} p95, {p99} p99 of {len(seconds)}; {load}")
