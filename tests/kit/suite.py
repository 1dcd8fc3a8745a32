"""A whole suite on this machine, run by `shuangkou up`."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit.command import RunningCommand, processes_with, running
from shuangkou.cli.broker import ANALYST, password_of
from shuangkou.cli.folder import DataFolder


@dataclass(frozen=True, slots=True)
class LocalSuite:
    """A suite that is up, and the command that keeps it up."""

    folder: Path
    command: RunningCommand

    @property
    def data(self) -> tuple[str, str]:
        """The option that makes another command find it."""
        return "--data", str(self.folder)

    @property
    def record(self) -> dict[str, Any]:
        """What it tells other commands."""
        record: dict[str, Any] = json.loads((self.folder / "suite.json").read_text())
        return record

    def broker_url(self, user: str) -> str:
        """Where its broker listens, with the name and password of one of the broker's users."""
        password = password_of(DataFolder(self.folder), user)
        address = self.record["nats_url"].removeprefix("nats://")
        return f"nats://{user}:{password}@{address}"

    @property
    def events_url(self) -> str:
        """The broker as an analyst sees it."""
        return self.broker_url(ANALYST)

    def kill(self, name: str, program: str) -> None:
        """End one of its processes as a crash would, and wait until it is back.

        ``name`` is the service's name in the suite, ``program`` a word of its command line.
        """
        returns = f"{name} is back"
        before = self.command.printed.count(returns)
        for process in self.processes(program, name):
            os.kill(process, signal.SIGKILL)
        self.command.until(lambda printed: printed.count(returns) > before)

    def processes(self, program: str, name: str) -> list[int]:
        """Its processes that run a program; of several engines the one of this name."""
        found = [each for each in processes_with(str(self.folder)) if program in _command_line(each)]
        if name.startswith("engine-"):
            address = f"SHUANGKOU_GRPC_ADDRESS={self.record['engines'][int(name[7:]) - 1]}"
            found = [each for each in found if address in Path(f"/proc/{each}/environ").read_text()]
        return found


@contextmanager
def suite_up(folder: Path, *options: str) -> Iterator[LocalSuite]:
    """A suite in ``folder / "data"`` for the block, started with these options of `up`."""
    data = folder / "data"
    with running(folder / "up.txt", "up", "--data", str(data), *options) as command:
        command.until_printed("Stop with Ctrl-C")
        yield LocalSuite(data, command)


def _command_line(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
