"""Scoring processes that are killed (SIGKILL) or race leave the tables that one alone makes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest
from sqlalchemy import func, select

from kit.ledgers import admitted, at_rest
from kit.nats_proxy import proxied
from kit.service_process import Launcher, ServiceProcess
from kit.settling import a_season, opening_commit
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, NewMessage, append, ensure_streams, read
from shuangkou.scoring.derivation import open_ledger
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.schema import SETTLEMENTS
from shuangkou.v1.events_pb2 import Commit
from shuangkou.wire.streams import public_streams

_SECONDS = 90.0


def openings(commits: Sequence[Commit]) -> list[Commit]:
    """The first commits of their tables."""
    return [opening_commit(table_id) for table_id in sorted({commit.table_id for commit in commits})]


async def tell(bus: Bus, commits: Sequence[Commit]) -> None:
    """What engines append, each table opened first."""
    await ensure_streams(bus, public_streams(1))
    for opening in openings(commits):
        subject = f"table.qq.{opening.table_id}.public.none"
        await append(bus, NewMessage(subject, opening.SerializeToString()))
    for commit in commits:
        subject = f"table.qq.{commit.table_id}.public.score"
        await append(bus, NewMessage(subject, commit.SerializeToString()))


async def entered(ledger: Ledger) -> int:
    """Deals in the database."""
    async with ledger.database.connect() as connection:
        return await connection.scalar(select(func.count()).select_from(SETTLEMENTS)) or 0


async def published(bus: Bus) -> list[str]:
    """The subjects of all settlements in SCORES."""
    return [message.subject async for message in read(bus, "SCORES", "score.>")]


async def unfinished(bus: Bus) -> int:
    """Deliveries that are neither acknowledged nor made yet."""
    info = await bus.api("CONSUMER.INFO.TABLES.scoring", {})
    return int(info["num_pending"]) + int(info["num_ack_pending"])


async def expected(commits: Sequence[Commit], folder: Path) -> dict[str, str]:
    """The tables of a ledger that is told everything once, in order."""
    async with open_ledger(f"sqlite:///{folder}/expected.db") as ledger:
        await ledger.store(admitted([*openings(commits), *commits]))
        return await at_rest(ledger)


def counted(process: ServiceProcess, metric: str) -> float:
    """A counter on the page of metrics of a process."""
    with urlopen(f"http://127.0.0.1:{process.metrics_port}/metrics") as page:
        lines = page.read().decode().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{metric} ")))


@pytest.mark.parametrize("lost", ["score.", "$JS.ACK.TABLES.scoring"])
async def test_killed_between_commit_and_acknowledgement(
    bus: Bus,
    launcher: Launcher,
    ledger: Ledger,
    database_url: str,
    lost: str,
    tmp_path: Path,
) -> None:
    """The transaction is over; the settlement is not published, or it is and no acknowledgement has left."""
    commits = a_season(seed=6, deals=24)
    await tell(bus, commits)

    async def all_entered() -> bool:
        return await entered(ledger) == len(commits)

    async def all_done() -> bool:
        return not await unfinished(bus)

    async with proxied(launcher.nats_server) as proxy:
        for _ in range(2_000):
            proxy.lose_publish(lost)
        victim = await launcher.start("scoring", database_url=database_url, nats_url=proxy.url)
        await eventually(all_entered, within=_SECONDS)
        if lost != "score.":
            await eventually(lambda: _all_published(bus, commits), within=_SECONDS)
        victim.kill()
    assert await unfinished(bus) == len(commits)
    assert bool(await published(bus)) == (lost != "score.")
    survivor = await launcher.start("scoring", database_url=database_url)
    await eventually(all_done, within=_SECONDS)
    assert counted(survivor, "shuangkou_scoring_settlements_duplicate_total") == len(commits)
    assert counted(survivor, "shuangkou_scoring_settlements_stored_total") == 0
    subjects = await published(bus)
    assert len(subjects) == len(set(subjects)) == len(commits)
    assert await at_rest(ledger) == await expected(commits, tmp_path)


async def _all_published(bus: Bus, commits: Sequence[Commit]) -> bool:
    return len(await published(bus)) == len(commits)


async def test_processes_that_race_and_die_leave_the_same_tables(
    bus: Bus, launcher: Launcher, ledger: Ledger, database_url: str, tmp_path: Path
) -> None:
    """Every commit stands twice in the log, in any order; of two replicas one is killed on the way."""
    commits = a_season(seed=9, deals=80)
    await tell(bus, random.Random(2).sample(commits * 2, len(commits) * 2))

    async def some_published() -> bool:
        return len(await published(bus)) > len(commits) // 4

    async def all_done() -> bool:
        return not await unfinished(bus)

    victim, other = await launcher.start_all("scoring", 2, database_url=database_url)
    await eventually(some_published, within=_SECONDS)
    victim.kill()
    third = await launcher.start("scoring", database_url=database_url)
    await eventually(all_done, within=_SECONDS)
    subjects = await published(bus)
    assert len(subjects) == len(set(subjects)) == len(commits)
    assert await at_rest(ledger) == await expected(commits, tmp_path)
    assert [await process.stop() for process in (other, third)] == [0, 0]
