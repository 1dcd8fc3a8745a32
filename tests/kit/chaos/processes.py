"""A whole suite of one run: every service behind a proxy of its own, each comes back where it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from kit.chaos.mutations import MODULE, MUTATED
from kit.keys import Keys
from kit.nats_cluster import NatsCluster
from kit.nats_proxy import NatsProxy, proxied
from kit.ports import free_port
from kit.service_process import Begin, Launcher, ServiceProcess, launching
from shuangkou.chassis.channels import target_of
from shuangkou.engine.settings import EngineSettings

WORKERS = ("ai_player", "scoring", "matchmaking")
SHARDS = "table_shards"
"""The engine's setting for the number of streams that tables are spread over."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many engines, nodes of the broker (with as many copies of every stream), and streams of tables."""

    engines: int = 3
    nodes: int = 1
    shards: int = 1

    def __post_init__(self) -> None:
        if self.shards > 1 and SHARDS not in EngineSettings.model_fields:
            raise ValueError("engines have no setting for more than one stream of tables")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run takes place: an empty folder, the keys of all tokens, and what begins processes."""

    folder: Path
    keys: Keys
    begin: Begin


class Processes:
    """The broker, and the services by name: engine-0, engine-1, …, ai_player, scoring, matchmaking."""

    def __init__(
        self,
        cluster: NatsCluster,
        launcher: Launcher,
        proxies: Mapping[str, NatsProxy],
        settings: dict[str, str],
        mutation: str,
    ) -> None:
        """``settings``: what all services are told besides. ``mutation``: the safeguard that is left out."""
        self.cluster = cluster
        self.proxies = proxies
        self._launcher = launcher
        self._settings = settings
        self._mutation = mutation
        self._ports = {name: free_port() for name in proxies}
        self.services: dict[str, ServiceProcess] = {name: self._begun(name) for name in proxies}

    @property
    def engines(self) -> list[str]:
        """Their names."""
        return [name for name in self.services if name.startswith("engine")]

    def addresses(self, *names: str) -> list[str]:
        """Where they listen."""
        return [f"127.0.0.1:{self._ports[name]}" for name in names]

    async def serving(self) -> None:
        """Wait until all serve."""
        await asyncio.gather(*(each.serving() for each in self.services.values()))

    async def kill(self, name: str) -> None:
        """SIGKILL, and start another in its place."""
        # In a thread: clients must not wait for it.
        self.services[name] = await asyncio.to_thread(self._killed_and_begun, name)

    def _killed_and_begun(self, name: str) -> ServiceProcess:
        self.services[name].kill()
        return self._begun(name)

    def _begun(self, name: str) -> ServiceProcess:
        service = name.partition("-")[0]
        settings = self._settings | {
            "nats_url": self.proxies[name].url,
            "grpc_address": self.addresses(name)[0],
            "engine_target": target_of(self.addresses(*(each for each in self._ports if "engine" in each))),
            "database_url": f"sqlite+aiosqlite:///{self._launcher.folder / 'ledger.db'}",
            # Players of a storm may be cut off for longer than people get to say that they are ready.
            "ready_check_seconds": "0",
        }
        if MUTATED.get(self._mutation) == service:
            return self._launcher.spawn(service, module=MODULE, mutation=self._mutation, **settings)
        return self._launcher.spawn(service, **settings)


@asynccontextmanager
async def processes_up(place: Place, size: Size, mutation: str) -> AsyncIterator[Processes]:
    """A suite of this run alone, its engines or its scorer without a safeguard where one is named."""
    cluster = NatsCluster(place.folder / "nats", size.nodes)
    names = (*(f"engine-{number}" for number in range(size.engines)), *WORKERS)
    settings = {"stream_replicas": str(size.nodes), SHARDS: str(size.shards)}
    try:
        await cluster.start()
        async with AsyncExitStack() as stack:
            proxies = {name: await stack.enter_async_context(proxied(*cluster.nodes)) for name in names}
            launching_here = launching(cluster.nodes[0], place.keys, place.folder, place.begin)
            launcher = stack.enter_context(launching_here)
            processes = Processes(cluster, launcher, proxies, settings, mutation)
            await processes.serving()
            yield processes
    finally:
        cluster.stop()
