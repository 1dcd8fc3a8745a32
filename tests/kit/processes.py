"""Service processes: started on free ports, read through their log lines, stopped with a signal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kit.waiting import eventually

_ROOT = Path(__file__).parents[2]


class ServiceProcess:
    """``python -m module`` with the given settings; addresses default to free ports on loopback."""

    def __init__(self, module: str, log_file: Path, settings: Mapping[str, object]) -> None:
        defaults = {"grpc_address": "127.0.0.1:0", "metrics_address": "127.0.0.1:0"}
        chosen = {f"SHUANGKOU_{name.upper()}": str(value) for name, value in {**defaults, **settings}.items()}
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("SHUANGKOU_")}
        path = f"{_ROOT / 'services'}{os.pathsep}{_ROOT / 'tests'}"
        self._log_file = log_file
        with log_file.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module],
                env={**inherited, "PYTHONPATH": path, **chosen},
                stdout=log,
                stderr=log,
            )

    @property
    def log(self) -> str:
        """Everything it has written."""
        return self._log_file.read_text()

    def line(self, event: str) -> dict[str, Any] | None:
        """The first log line with this event."""
        lines = [
            json.loads(line) for line in self.log.splitlines() if line.startswith("{") and line.endswith("}")
        ]
        return next((line for line in lines if line["event"] == event), None)

    async def serving(self, within: float = 20.0) -> dict[str, Any]:
        """Wait until it serves; the log line, with ``grpc_port`` and ``metrics_port``."""

        def announced() -> dict[str, Any] | None:
            line = self.line("serving")
            assert line is not None or self.process.poll() is None, f"ended before serving:\n{self.log}"
            return line

        line: dict[str, Any] = await eventually(announced, within)
        return line

    async def exit_code(self, within: float = 20.0) -> int:
        """Wait until it ends."""
        await eventually(lambda: self.process.poll() is not None, within)
        assert self.process.returncode is not None
        return self.process.returncode

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop and wait until it has."""
        self.process.send_signal(number)
        return await self.exit_code()

    def kill(self) -> None:
        """End it as a crash would, if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
