"""Three brokers and a PostgreSQL are copied, lost and restored, by the steps of docs/operate.md."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from prometheus_client import CollectorRegistry

from kit.databases import dump, new_database, postgresql, undump
from kit.event_stream import check_one_deal, commits_of, settlements_of
from kit.keys import Keys
from kit.nats_cluster import NatsCluster
from kit.service_process import launching
from kit.table_clients import PEOPLE, Clients, is_dealt, play_one, play_until
from kit.waiting import eventually
from shuangkou.chassis.nats import Server, connect
from shuangkou.rules.ruleset import load
from shuangkou.scoring.derivation import digests, open_ledger
from shuangkou.v1.table_pb2 import TABLE_PHASE_FINISHED, SeatView

_COPIES = 3
_SECONDS = 90.0
_ACTS = 7


@dataclass(frozen=True, slots=True)
class Place:
    """Where a suite lives: its brokers' files, its ledger's address, and its keys."""

    folder: Path
    cluster: NatsCluster
    database: str
    keys: Keys

    @asynccontextmanager
    async def services(self, name: str) -> AsyncIterator[Clients]:
        """An engine and a scoring on the cluster for the block, and callers of the engine."""
        (self.folder / name).mkdir()
        with launching(self.cluster.nodes[0], self.keys, self.folder / name) as launcher:
            common = {"nats_url": self.cluster.url, "stream_replicas": str(_COPIES)}
            engine = await launcher.start("engine", **common)
            scoring = await launcher.start("scoring", database_url=self.database, **common)
            clients = Clients([engine], self.keys)
            yield clients
            await clients.close()
            for process in (scoring, engine):
                assert await process.stop() == 0

    async def streams(self) -> dict[str, tuple[int, int, int]]:
        """How many messages each stream of the public record and of tables holds, and which."""
        bus = await connect(Server(self.cluster.url, patience_seconds=20), "test", CollectorRegistry())
        try:
            listed = (await bus.api("STREAM.LIST", {}))["streams"]
        finally:
            await bus.close()
        return {
            each["config"]["name"]: (
                each["state"]["messages"],
                each["state"]["first_seq"],
                each["state"]["last_seq"],
            )
            for each in listed
            if each["config"]["name"] in ("TABLES", "EVENTS", "SCORES", "MATCHES")
        }

    async def holds(self, streams: dict[str, tuple[int, int, int]]) -> bool:
        """Whether the streams are these, once each of them has a leader again."""
        return await self.streams() == streams

    async def ledger(self) -> dict[str, str]:
        """All rows of the ledger, table by table, in short."""
        async with open_ledger(self.database) as ledger, ledger.database.connect() as connection:
            return await digests(connection)

    async def is_what_the_stream_says(self) -> bool:
        """Whether a ledger made from EVENTS alone would be the same."""
        settings = {
            "NATS_URL": self.cluster.url,
            "DATABASE_URL": self.database,
            "AUTH_KEYS_FILE": str(self.keys.key_set_file),
        }
        environment = os.environ | {f"SHUANGKOU_{name}": value for name, value in settings.items()}
        environment |= {"PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", "shuangkou.scoring.rebuild", "--check"]
        checked = await asyncio.to_thread(subprocess.run, command, env=environment, check=False, timeout=90)
        return checked.returncode == 0


def is_over(view: SeatView) -> bool:
    return view.phase == TABLE_PHASE_FINISHED


@pytest.mark.timeout(400)
async def test_a_restored_cluster_goes_on(tmp_path: Path, keys: Keys) -> None:
    # Apart from the folders of tests: those are closed to the server's own user when another run starts.
    with TemporaryDirectory(prefix="pg") as apart, postgresql(Path(apart)) as server:
        cluster = NatsCluster(tmp_path / "nats", _COPIES)
        place = Place(tmp_path, cluster, new_database(server, "ledger"), keys)
        try:
            await cluster.start()
            async with place.services("before") as clients:
                service, people = clients.service("matchmaking"), clients.people()
                over, running = await service.create(*PEOPLE), await service.create(*PEOPLE)
                await play_until(people, over, is_over)
                view = await play_until(people, running, is_dealt)
                for _ in range(_ACTS):
                    await play_one(people, running, view)
                    view = await people[0].view(running)
                await eventually(lambda: settlements_of(cluster.url, over), within=_SECONDS)
            streams, ledger = await place.streams(), await place.ledger()
            before = await commits_of(cluster.url, running)
            dump(place.database, tmp_path / "ledger.dump")
            cluster.stop()
            shutil.copytree(tmp_path / "nats", tmp_path / "snapshots")
            shutil.rmtree(tmp_path / "nats")
            server.psql("DROP DATABASE ledger;")
            shutil.copytree(tmp_path / "snapshots", tmp_path / "nats")
            undump(new_database(server, "ledger"), tmp_path / "ledger.dump")
            await cluster.start()
            await eventually(lambda: place.holds(streams), within=_SECONDS)
            assert await place.ledger() == ledger
            async with place.services("after") as clients:
                people = clients.people()
                assert (await people[0].view(running)).version >= view.version
                await play_until(people, running, is_over)
                await eventually(lambda: settlements_of(cluster.url, running), within=_SECONDS)
                await eventually(place.is_what_the_stream_says, within=_SECONDS)  # rated a moment later
            commits = await commits_of(cluster.url, running)
            assert commits[: len(before)] == before
            check_one_deal(load("qq"), commits)
            assert len(await settlements_of(cluster.url, over)) == 1
        finally:
            cluster.stop()
