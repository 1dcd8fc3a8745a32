"""Services as processes of their own, which can be killed as a crash would."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import grpc
from grpc_status import rpc_status

import shuangkou.v1
from kit.keys import Keys
from kit.nats import NatsServer
from kit.waiting import eventually
from shuangkou.v1.errors_pb2 import Refusal

_SOURCES = (Path(shuangkou.v1.__path__[0]).parents[1], Path(__file__).parents[1])
_START_SECONDS = 90.0
_END_SECONDS = 30.0


class Process(Protocol):
    """What is needed of a running process."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    def poll(self) -> int | None:
        """The exit code, None while it runs."""

    def wait(self) -> int:
        """Wait until it ends; the exit code."""

    def kill(self) -> None:
        """SIGKILL, if it runs."""

    def send_signal(self, number: int) -> None:
        """Any signal, if it runs."""


Begin = Callable[[str, Mapping[str, str], Path], Process]
"""Runs a module with an environment, which writes to a log file."""


def begin_process(module: str, environment: Mapping[str, str], log_file: Path) -> Process:
    """``python -m module``."""
    with log_file.open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", module], env=environment, stdout=log, stderr=log, cwd=log_file.parent
        )


class ServiceProcess:
    """``python -m module`` with these settings, named as its fields; both ports are free ones on loopback."""

    def __init__(
        self, module: str, log_file: Path, settings: Mapping[str, object], begin: Begin = begin_process
    ) -> None:
        self.grpc_port = 0
        self.metrics_port = 0
        self._log_file = log_file
        chosen = {"grpc_address": "127.0.0.1:0", "metrics_address": "127.0.0.1:0"} | dict(settings)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SHUANGKOU_")}
        environment |= {f"SHUANGKOU_{name.upper()}": str(value) for name, value in chosen.items()}
        environment["PYTHONPATH"] = os.pathsep.join(map(str, _SOURCES))
        self._process = begin(module, environment, log_file)

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    @property
    def resident_bytes(self) -> int:
        """The memory that it holds now."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE")

    @property
    def target(self) -> str:
        """Where clients connect."""
        return f"127.0.0.1:{self.grpc_port}"

    @property
    def written(self) -> str:
        """All that it wrote."""
        return self._log_file.read_text()

    @property
    def log(self) -> list[dict[str, Any]]:
        """The log lines so far."""
        lines = self.written.splitlines()
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]

    def line(self, event: str) -> dict[str, Any] | None:
        """The first log line with this event."""
        return next((line for line in self.log if line["event"] == event), None)

    async def serving(self) -> None:
        """Wait until it serves."""
        line = await eventually(self._serving_line, within=_START_SECONDS)
        self.grpc_port, self.metrics_port = line["grpc_port"], line["metrics_port"]

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    async def exit_code(self) -> int:
        """Wait until it ends."""
        await eventually(lambda: self._process.poll() is not None, within=_END_SECONDS)
        return self._process.wait()

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop; its exit code."""
        self._process.send_signal(number)
        return await self.exit_code()

    def kill(self) -> None:
        """End it as a crash would (SIGKILL), if it still runs."""
        self._process.kill()
        self._process.wait()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Alive but silent (SIGSTOP) inside the block."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def _serving_line(self) -> dict[str, Any] | None:
        line = self.line("serving")
        if line is None and self._process.poll() is not None:
            raise RuntimeError(f"the process ended with {self._process.returncode}:\n{self.written}")
        return line


class Launcher:
    """Starts processes of services on one NATS."""

    def __init__(
        self, nats_server: NatsServer, keys: Keys, folder: Path, begin: Begin = begin_process
    ) -> None:
        self.nats_server = nats_server
        self._begin = begin
        self._keys = keys
        self.folder = folder
        self._started: list[ServiceProcess] = []

    async def start(self, name: str, **settings: str) -> ServiceProcess:
        """Start a service with these settings, named as its fields, and wait until it serves."""
        process = self.spawn(name, **settings)
        await process.serving()
        return process

    async def start_all(self, name: str, replicas: int, **settings: str) -> list[ServiceProcess]:
        """Start several replicas at once."""
        processes = [self.spawn(name, **settings) for _ in range(replicas)]
        await asyncio.gather(*(process.serving() for process in processes))
        return processes

    def spawn(self, name: str, module: str = "", **settings: str) -> ServiceProcess:
        """Start a service, or a ``module`` that runs one in a way of its own, and do not wait for it."""
        common = {
            "nats_url": self.nats_server.url,
            "auth_keys_file": str(self._keys.key_set_file),
            "service_token_file": str(self._keys.service_token_file(name)),
            "grace_seconds": "5",
            # Tests play faster than people do.
            **dict.fromkeys(
                ("reads_per_second", "writes_per_second", "streams_per_second", "streams_per_player"), "0"
            ),
            **({"thinking": "0"} if name == "ai_player" else {}),
        }
        log_file = self.folder / f"{name}-{len(self._started)}.log"
        process = ServiceProcess(module or f"shuangkou.{name}", log_file, common | settings, self._begin)
        self._started.append(process)
        return process

    def kill_all(self) -> None:
        """End whatever was started."""
        for process in self._started:
            process.kill()


@contextmanager
def launching(
    nats_server: NatsServer, keys: Keys, folder: Path, begin: Begin = begin_process
) -> Iterator[Launcher]:
    """A launcher whose processes do not outlive the block."""
    launcher = Launcher(nats_server, keys, folder, begin)
    try:
        yield launcher
    finally:
        launcher.kill_all()


def refusal_in(error: grpc.aio.AioRpcError) -> tuple[grpc.StatusCode, str]:
    """The status of a refused call and the code of its refusal."""
    status = rpc_status.from_call(error)
    refusal = Refusal()
    assert status is not None, error
    assert status.details[0].Unpack(refusal), status
    return error.code(), refusal.code
