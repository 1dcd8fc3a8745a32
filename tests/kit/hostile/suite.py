"""The whole suite as processes, for hostile callers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from kit.hostile.record import Record
from kit.hostile.rpcs import Rpc, rpcs_of
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import Launcher, ServiceProcess, launching

_ENGINES = 2
_GRAVE = ("error", "critical")


@dataclass(frozen=True, slots=True)
class HostileSuite:
    """Two engines and everything else on one broker."""

    nats: NatsServer
    processes: dict[str, ServiceProcess]
    rpcs: tuple[Rpc, ...]
    keys: Keys
    _looked_at: dict[str, int] = field(default_factory=dict)

    @property
    def engines(self) -> list[ServiceProcess]:
        """Those that serve tables."""
        return [process for name, process in self.processes.items() if name.startswith("engine")]

    def refresh_tokens(self) -> None:
        """Sign the tokens of the services anew, which are short-lived."""
        for name in ("matchmaking", "ai_player"):
            self.keys.service_token_file(name)

    def look_after(self, record: Record) -> None:
        """Whether everybody lives and nobody has complained."""
        for name, process in self.processes.items():
            if not process.is_running:
                record.find("no process ends", f"{name}: {process.written[-2000:]}")
            written = process.written
            news = written[self._looked_at.get(name, 0) :]
            self._looked_at[name] = len(written) - len(news) + news.rfind("\n") + 1
            for line in news[: news.rfind("\n") + 1].splitlines():
                if not line.startswith("{") or json.loads(line)["level"] in _GRAVE:
                    record.find("nobody logs an error", f"{name}: {line}")


@asynccontextmanager
async def hostile_suite(keys: Keys, folder: Path) -> AsyncIterator[HostileSuite]:
    """Started for the block."""
    async with AsyncExitStack() as stack:
        nats = NatsServer(folder / "nats")
        stack.callback(nats.stop)
        nats.start()
        launcher = stack.enter_context(launching(nats, keys, folder))
        processes = await _started(launcher)
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(process.target))
            for process in processes.values()
        ]
        rpcs = [rpc for channel in channels for rpc in await rpcs_of(channel)]
        yield HostileSuite(nats, processes, tuple(rpcs), keys)


async def _started(launcher: Launcher) -> dict[str, ServiceProcess]:
    engines = await launcher.start_all("engine", _ENGINES)
    target = f"ipv4:{','.join(engine.target for engine in engines)}"
    database = f"sqlite:///{launcher.folder}/ledger.db"
    others = await asyncio.gather(
        launcher.start("matchmaking", engine_target=target),
        launcher.start("ai_player", engine_target=target),
        launcher.start("scoring", database_url=database),
    )
    named = {f"engine-{number}": engine for number, engine in enumerate(engines, start=1)}
    return named | dict(zip(("matchmaking", "ai_player", "scoring"), others, strict=True))
