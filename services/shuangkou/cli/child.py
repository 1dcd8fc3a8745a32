"""One process that belongs to this one, with a log file of its own."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, STDOUT

from shuangkou.cli.plan import ProcessPlan

_LOG_BYTES_READ_BACK = 64_000


class Child:
    """Starts, stops and starts again the process of a plan."""

    def __init__(self, plan: ProcessPlan, logs: Path) -> None:
        """What an earlier suite logged is kept once, as ``<name>.log.1``."""
        self.plan = plan
        self.log = logs / f"{plan.name}.log"
        self._process: asyncio.subprocess.Process | None = None
        with suppress(FileNotFoundError):
            self.log.replace(self.log.with_suffix(".log.1"))

    async def start(self) -> None:
        """Start the process; it must not be running."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self.plan.command,
                stdin=DEVNULL,
                stdout=log,
                stderr=STDOUT,
                env=os.environ | dict(self.plan.environment),
                # Away from the terminal's Ctrl-C: who started it decides the order of stopping.
                start_new_session=True,
            )

    async def exited(self) -> int:
        """Wait for its end; the exit code, negative for a signal."""
        return 0 if self._process is None else await self._process.wait()

    async def stop(self, grace_seconds: float) -> None:
        """Ask it to end, and kill it when it has not after the grace or when this is cancelled."""
        self._send(signal.SIGTERM)
        try:
            async with asyncio.timeout(grace_seconds):
                await self.exited()
        except TimeoutError:
            self._send(signal.SIGKILL)
            await self.exited()
        except asyncio.CancelledError:
            self._send(signal.SIGKILL)
            raise

    def last_lines(self, count: int) -> list[str]:
        """The end of its log."""
        with self.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _LOG_BYTES_READ_BACK))
            text = log.read().decode(errors="replace")
        return list(deque(text.splitlines(), count))

    def _send(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)


def ending(exit_code: int) -> str:
    """How a process ended, in words."""
    if exit_code >= 0:
        return f"stopped with exit code {exit_code}"
    with suppress(ValueError):
        return f"was ended by {signal.Signals(-exit_code).name}"
    return f"was ended by signal {-exit_code}"
