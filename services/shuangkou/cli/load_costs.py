"""What a load costs a suite on this machine: CPU time of its processes, and bytes in its streams."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.request import urlopen

from prometheus_client import CollectorRegistry

from shuangkou.chassis.nats import NatsFailure, Server, connect
from shuangkou.cli.broker import password_of
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.problem import Problem

_OPERATOR: Final = "operator"
_STREAMS: Final = ("TABLES", "EVENTS", "SCORES", "MATCHES", "TIMERS")
"""What is told of; a stream that is spread over shards is one."""
_CPU: Final = re.compile(r"^process_cpu_seconds_total (\S+)$", re.MULTILINE)
_MEMORY: Final = re.compile(r"^process_resident_memory_bytes (\S+)$", re.MULTILINE)
_STARTED: Final = re.compile(r"^process_start_time_seconds (\S+)$", re.MULTILINE)
_PAGE_SECONDS: Final = 5.0
_READ_EVERY_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process uses: ``cpu`` seconds since it ``started`` (seconds since 1970), ``memory`` bytes."""

    started: float
    cpu: float
    memory: float


@dataclass(slots=True)
class Meter:
    """The CPU seconds of one place in a suite, where a process may die and another be started."""

    first: Usage | None = None
    newest: Usage | None = None
    of_the_dead: float = 0.0

    def read(self, usage: Usage) -> None:
        """The newest of a process; what it uses after that and before its death is not known."""
        if self.newest is not None and usage.started != self.newest.started:
            self.of_the_dead += self.newest.cpu
        self.first = self.first or usage
        self.newest = usage

    @property
    def spent(self) -> float:
        """CPU seconds since the first reading, of all processes that have been there."""
        if self.first is None or self.newest is None:
            return 0.0
        return self.of_the_dead + self.newest.cpu - self.first.cpu


@dataclass(frozen=True, slots=True)
class Costs:
    """``cpu`` seconds and ``memory`` bytes by process, and bytes ``stored`` by stream."""

    cpu: dict[str, float]
    memory: dict[str, float]
    stored: dict[str, int]

    @property
    def engine_cpu(self) -> float:
        """CPU seconds of all engines."""
        return sum(seconds for name, seconds in self.cpu.items() if name.startswith("engine"))


class Spending:
    """Watches, inside its block, what the suite in a folder spends; ``costs`` is told at the end."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._record = folder.running()
        self._meters = {name: Meter() for name in self._record.metrics}
        self._before: dict[str, int] = {}
        self._reading: asyncio.Task[None] | None = None
        self.costs = Costs({}, {}, {})

    async def __aenter__(self) -> Self:
        """Problem where the broker does not answer."""
        self._before = await self._stored()
        await self._read()
        self._reading = asyncio.create_task(self._keep_reading())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        await self._read()
        after = await self._stored()
        self.costs = Costs(
            {name: meter.spent for name, meter in self._meters.items()},
            {name: meter.newest.memory if meter.newest else 0.0 for name, meter in self._meters.items()},
            {name: total - self._before[name] for name, total in after.items()},
        )

    async def _keep_reading(self) -> None:
        while True:
            await asyncio.sleep(_READ_EVERY_SECONDS)
            await self._read()

    async def _read(self) -> None:
        pages = (asyncio.to_thread(_page, address) for address in self._record.metrics.values())
        for meter, page in zip(self._meters.values(), await asyncio.gather(*pages), strict=True):
            if page:
                meter.read(usage_on(page))

    async def _stored(self) -> dict[str, int]:
        url, password = self._record.nats_url, password_of(self._folder, _OPERATOR)
        server = Server(url, _OPERATOR, password, patience_seconds=_PAGE_SECONDS)
        try:
            bus = await connect(server, _OPERATOR, CollectorRegistry())
            try:
                listed = await bus.api("STREAM.LIST", {})
            finally:
                await bus.close()
        except NatsFailure as failure:
            raise Problem(str(failure)) from None
        return {stream: _bytes(listed["streams"], stream) for stream in _STREAMS}


def _bytes(listed: Sequence[Mapping[str, Any]], stream: str) -> int:
    ours = [each for each in listed if re.fullmatch(rf"{stream}(-\d+)?", each["config"]["name"])]
    return sum(int(each["state"]["bytes"]) for each in ours)


def _page(address: str) -> str:
    try:
        with urlopen(f"http://{address}/metrics", timeout=_PAGE_SECONDS) as page:
            text: str = page.read().decode()
    except OSError:
        # A process that is being started again has nothing to tell.
        return ""
    return text


def _sample(pattern: re.Pattern[str], page: str) -> float:
    found = pattern.search(page)
    return float(found[1]) if found else 0.0


def usage_on(page: str) -> Usage:
    """What a page of metrics says of its process."""
    return Usage(_sample(_STARTED, page), _sample(_CPU, page), _sample(_MEMORY, page))
