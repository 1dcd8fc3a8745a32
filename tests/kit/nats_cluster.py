"""Three nats-servers that keep three copies of every stream, and lose one of them when a test wants it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from prometheus_client import CollectorRegistry

from kit.nats import NatsServer
from kit.ports import free_port
from kit.waiting import eventually
from shuangkou.chassis.nats import NatsFailure, Server, connect

_READY_SECONDS = 60.0


class NatsCluster:
    """``nodes`` of one cluster; a single one is a server by itself."""

    def __init__(self, folder: Path, size: int, sync: str = "") -> None:
        """``sync``: the ``sync_interval`` of a single server; its own by default."""
        ports = [free_port() for _ in range(size)]
        routes = ",".join(f"nats://127.0.0.1:{port}" for port in ports)
        self.nodes: list[NatsServer] = []
        for number, port in enumerate(ports):
            place = folder / f"node{number}"
            options = _options(place, f"node{number}", port, routes) if size > 1 else ()
            self.nodes.append(NatsServer(place, *options, *_sync_options(place, sync)))

    @property
    def url(self) -> str:
        """All nodes, as clients name them."""
        return ",".join(node.url for node in self.nodes)

    async def start(self) -> None:
        """Start all; returns when streams can be made."""
        await asyncio.gather(*(asyncio.to_thread(node.start) for node in self.nodes))
        await eventually(self._answers, within=_READY_SECONDS)

    def stop(self) -> None:
        """End all."""
        for node in self.nodes:
            node.stop()

    async def leader(self, stream: str) -> NatsServer | None:
        """The node that leads the stream, None while it has no leader or stands alone."""
        if len(self.nodes) == 1:
            return None
        try:
            bus = await connect(Server(self.url, patience_seconds=3), "cluster", CollectorRegistry())
        except NatsFailure:
            return None
        try:
            info = await bus.api(f"STREAM.INFO.{stream}", {})
        except NatsFailure:
            return None
        finally:
            await bus.close()
        name = info.get("cluster", {}).get("leader", "")
        return self.nodes[int(name.removeprefix("node"))] if name else None

    async def _answers(self) -> bool:
        try:
            bus = await connect(Server(self.url, patience_seconds=3), "cluster", CollectorRegistry())
        except NatsFailure:
            return False
        try:
            await bus.api("STREAM.NAMES", {})
        except NatsFailure:
            return False
        finally:
            await bus.close()
        return True


def _options(folder: Path, name: str, port: int, routes: str) -> tuple[str, ...]:
    # Clients are to come back through whoever stands between them and the cluster, so it names no addresses.
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "cluster.conf"
    config.write_text(
        f"server_name: {name}\ncluster {{ name: kit, listen: 127.0.0.1:{port}, no_advertise: true,"
        f" routes: [{routes}] }}\n"
    )
    return "-c", str(config)


def _sync_options(folder: Path, sync: str) -> tuple[str, ...]:
    if not sync:
        return ()
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "sync.conf"
    config.write_text(f"jetstream {{ sync_interval: {sync} }}\n")
    return "-c", str(config)
