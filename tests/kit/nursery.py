"""Services that start in a tenth of the time: one process imports them all and forks for each.

They die, freeze and write logs like any other process.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from kit.service_process import Begin, Process

_SERVICES = ("engine", "matchmaking", "ai_player", "scoring")


class _Forked:
    """A process that is not a child of this one, but of the one that answers ``ask``."""

    def __init__(self, pid: int, ask: Callable[[Mapping[str, object]], int]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ask = ask
        # When it has ended its mother still holds it.
        self._handle: int | None = os.pidfd_open(pid)

    def poll(self) -> int | None:
        return self._ended(0)

    def wait(self) -> int:
        self._ended(None)
        assert self.returncode is not None
        return self.returncode

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        if self.poll() is None and self._handle is not None:
            signal.pidfd_send_signal(self._handle, number)

    def _ended(self, timeout: float | None) -> int | None:
        if self._handle is not None:
            waiting = select.poll()
            waiting.register(self._handle, select.POLLIN)
            if waiting.poll(timeout):
                os.close(self._handle)
                self._handle, self.returncode = None, self._ask({"ended": self.pid})
        return self.returncode


@contextmanager
def nursery() -> Iterator[Begin]:
    """What begins processes for as long as the block lasts."""
    command = [sys.executable, "-m", "kit.nursery"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as mother:
        asked, told = mother.stdin, mother.stdout
        assert asked is not None
        assert told is not None
        told.readline()

        def ask(order: Mapping[str, object]) -> int:
            asked.write(json.dumps(order) + "\n")
            asked.flush()
            return int(told.readline())

        def begin(module: str, environment: Mapping[str, str], log_file: Path) -> Process:
            log_file.touch()
            order = {"module": module, "environment": dict(environment), "log": str(log_file)}
            return _Forked(ask(order), ask)

        yield begin
        asked.close()


def _be_mother() -> None:
    for service in _SERVICES:
        import_module(f"shuangkou.{service}.bind")
        import_module(f"shuangkou.{service}.settings")
    gc.collect()
    gc.freeze()
    _say("ready")
    for line in sys.stdin:
        order = json.loads(line)
        if "ended" in order:
            _, status = os.waitpid(order["ended"], 0)
            _say(str(os.waitstatus_to_exitcode(status)))
            continue
        pid = os.fork()
        if pid == 0:
            _be_child(order["module"], order["environment"], Path(order["log"]))
        _say(str(pid))


def _be_child(module: str, environment: dict[str, str], log_file: Path) -> None:
    os.environ.clear()
    os.environ.update(environment | {"SHUANGKOU_DIE_WITH_PARENT": "1"})
    os.chdir(log_file.parent)
    with log_file.open("wb") as log, open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    sys.argv = [module]
    runpy.run_module(module, run_name="__main__")
    os._exit(0)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _be_mother()
