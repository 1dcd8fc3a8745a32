"""What the measurements run on: engines as processes, tables on them, and scripts for the tables."""

import asyncio
import itertools
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from bench.scripted import PLAYERS, ScriptedAct, script
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import Launcher, ServiceProcess, launching
from shuangkou.rules.seats import SEATS
from shuangkou.v1 import table_pb2, table_pb2_grpc
from shuangkou.wire.cards import cards_from_wire

Metadata = tuple[tuple[str, str], ...]
_DEADLINE_SECONDS = 20.0
_OPENED_AT_ONCE = 32
_PATIENT = {"turn_seconds": "60", "lead_seconds": "60", "time_bank_seconds": "60"}
"""Many tables are open for a while before anybody plays."""


def bearer(token: str) -> Metadata:
    """Call metadata with this token."""
    return (("authorization", f"Bearer {token}"),)


@dataclass(frozen=True, slots=True)
class Callers:
    """Metadata of the four players, and of a service that may seat them."""

    players: tuple[Metadata, ...]
    service: Metadata

    @classmethod
    def made_with(cls, keys: Keys) -> "Callers":
        """Tokens that outlive any measurement."""
        players = tuple(bearer(keys.player(player, ttl_seconds=3600)) for player in PLAYERS)
        return cls(players, bearer(keys.service("matchmaking", ttl_seconds=3600)))


@dataclass(slots=True)
class Engine:
    """A client of one engine process."""

    channel: grpc.aio.Channel
    callers: Callers
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def stub(self) -> table_pb2_grpc.TableServiceStub:
        """The calls."""
        return table_pb2_grpc.TableServiceStub(self.channel)

    async def new_script(self, most: int | None = None) -> list[ScriptedAct]:
        """Open a table of four people and script its deal, or the first so many acts of it."""
        seats = [
            table_pb2.SeatAssignment(seat=seat, occupant=table_pb2.Occupant(player_id=PLAYERS[seat]))
            for seat in SEATS
        ]
        request = table_pb2.CreateTableRequest(
            command_id=f"bench-{time.time_ns()}-{next(self._numbers)}",
            ruleset_id="qq",
            options=_PATIENT,
            seats=seats,
        )
        opened = await self.stub.CreateTable(
            request, timeout=_DEADLINE_SECONDS, metadata=self.callers.service
        )
        views = [await self._view(opened.table_id, seat) for seat in SEATS]
        return script(views[0], tuple(cards_from_wire(view.hand) for view in views), most)

    async def new_scripts(self, count: int, most: int | None = None) -> list[list[ScriptedAct]]:
        """So many tables, a few of them opened at once."""
        scripts: list[list[ScriptedAct]] = []
        while len(scripts) < count:
            some = min(_OPENED_AT_ONCE, count - len(scripts))
            scripts += await asyncio.gather(*(self.new_script(most) for _ in range(some)))
        return scripts

    async def play(self, acts: list[ScriptedAct]) -> None:
        """Send a whole script, each act after the answer to the one before."""
        act, players = self.stub.Act, self.callers.players
        for scripted in acts:
            await act(scripted.request, timeout=_DEADLINE_SECONDS, metadata=players[scripted.seat])

    async def _view(self, table_id: str, seat: int) -> table_pb2.SeatView:
        request = table_pb2.GetTableRequest(table_id=table_id, seat=seat)
        metadata = self.callers.players[seat]
        while True:
            view = (await self.stub.GetTable(request, timeout=_DEADLINE_SECONDS, metadata=metadata)).view
            if view.phase == table_pb2.TABLE_PHASE_DEAL:
                return view


@asynccontextmanager
async def engines(
    launcher: Launcher, callers: Callers, count: int, **settings: str
) -> AsyncIterator[list[Engine]]:
    """Clients of freshly started engines."""
    processes = await launcher.start_all("engine", count, **settings)
    channels = [grpc.aio.insecure_channel(process.target) for process in processes]
    try:
        yield [Engine(channel, callers) for channel in channels]
    finally:
        for channel in channels:
            await channel.close()


@asynccontextmanager
async def client_of(process: ServiceProcess, callers: Callers) -> AsyncIterator[Engine]:
    """A client of a running engine."""
    async with grpc.aio.insecure_channel(process.target) as channel:
        yield Engine(channel, callers)


@contextmanager
def broker_and_launcher(keys: Keys, folder: Path) -> Iterator[Launcher]:
    """A nats-server with a file store, and what starts services on it."""
    nats_server = NatsServer(folder / "nats")
    nats_server.start()
    try:
        with launching(nats_server, keys, folder) as launcher:
            yield launcher
    finally:
        nats_server.stop()


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def machine() -> str:
    """What the numbers were measured on."""
    return f"{os.cpu_count()} cores"
