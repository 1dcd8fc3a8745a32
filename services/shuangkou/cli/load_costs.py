"""What a load costs a suite on this machine: CPU time of its processes, and bytes in its streams."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
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
_PAGE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Costs:
    """``cpu`` seconds since the start and ``memory`` bytes by process, and bytes ``stored`` by stream."""

    cpu: dict[str, float]
    memory: dict[str, float]
    stored: dict[str, int]

    def since(self, earlier: Costs) -> Costs:
        """What has been spent between the two; memory as it is now. A process started anew counts whole."""
        cpu = {name: _spent(total, earlier.cpu.get(name, 0.0)) for name, total in self.cpu.items()}
        stored = {name: total - earlier.stored.get(name, 0) for name, total in self.stored.items()}
        return Costs(cpu, self.memory, stored)

    @property
    def engine_cpu(self) -> float:
        """CPU seconds of all engines."""
        return sum(seconds for name, seconds in self.cpu.items() if name.startswith("engine"))


async def costs_of(folder: DataFolder) -> Costs:
    """Read them from the suite that runs in ``folder``; Problem where the broker does not answer."""
    record = folder.running()
    pages = await asyncio.gather(*(asyncio.to_thread(_page, address) for address in record.metrics.values()))
    read = dict(zip(record.metrics, pages, strict=True))
    server = Server(
        record.nats_url, _OPERATOR, password_of(folder, _OPERATOR), patience_seconds=_PAGE_SECONDS
    )
    try:
        bus = await connect(server, _OPERATOR, CollectorRegistry())
        try:
            listed = await bus.api("STREAM.LIST", {})
        finally:
            await bus.close()
    except NatsFailure as failure:
        raise Problem(str(failure)) from None
    return Costs(
        {name: _sample(_CPU, page) for name, page in read.items()},
        {name: _sample(_MEMORY, page) for name, page in read.items()},
        {stream: _bytes(listed["streams"], stream) for stream in _STREAMS},
    )


def _bytes(listed: Sequence[Mapping[str, Any]], stream: str) -> int:
    ours = [each for each in listed if re.fullmatch(rf"{stream}(-\d+)?", each["config"]["name"])]
    return sum(int(each["state"]["bytes"]) for each in ours)


def _page(address: str) -> str:
    try:
        with urlopen(f"http://{address}/metrics", timeout=_PAGE_SECONDS) as page:
            text: str = page.read().decode()
    except OSError:
        # An engine that is being started again has spent nothing yet.
        return ""
    return text


def _sample(pattern: re.Pattern[str], page: str) -> float:
    found = pattern.search(page)
    return float(found[1]) if found else 0.0


def _spent(total: float, earlier: float) -> float:
    return total - earlier if total >= earlier else total
