"""The `shuangkou` command as its users start it: a process of its own."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from kit.logs import logs_of_before, without_late_completions
from shuangkou import cli, v1
from shuangkou.cli.commands import run_command_line

_PROGRAM = str(Path(cli.__path__[0]) / "__main__.py")
_SOURCES = Path(v1.__path__[0]).parents[1]
_PATIENCE_SECONDS = 90.0
_INTERVAL = 0.02


def command_line(*arguments: str) -> list[str]:
    """What starts the command."""
    return [sys.executable, "-m", "shuangkou.cli", *arguments]


def command_environment() -> Mapping[str, str]:
    """Where the command finds this package; its output is UTF-8 as in any terminal of today."""
    return os.environ | {"PYTHONPATH": str(_SOURCES), "PYTHONUTF8": "1"}


def run_command(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        command_line(*arguments),
        input=typed,
        capture_output=True,
        text=True,
        env=command_environment(),
        timeout=_PATIENCE_SECONDS,
        check=False,
    )


def call_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The same in this process: for what a command answers, not for how it starts, reads, or is stopped."""
    if "arena" in arguments:
        # It becomes another program.
        return run_command(*arguments)
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        pytest.MonkeyPatch.context() as patch,
        logs_of_before(),
        without_late_completions(),
        redirect_stdout(out),
        redirect_stderr(err),
        open(os.devnull) as nothing,
    ):
        patch.setattr(sys, "orig_argv", command_line(*arguments))
        patch.setattr(sys, "argv", [_PROGRAM, *arguments])
        patch.setattr(sys, "stdin", nothing)
        patch.setenv("COLUMNS", "80")
        with pytest.raises(SystemExit) as ended:
            run_command_line()
    out_text, err_text = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(arguments, int(ended.value.code or 0), out_text, err_text)


class RunningCommand:
    """A command that goes on; what it prints goes to a file."""

    def __init__(self, arguments: Sequence[str], output: Path) -> None:
        self._output = output
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                command_line(*arguments),
                stdin=subprocess.PIPE,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=command_environment(),
            )

    @property
    def printed(self) -> str:
        """All that it has printed."""
        return self._output.read_text()

    def until(self, condition: Callable[[str], bool]) -> str:
        """Wait until what it has printed fulfils the condition, and return it."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not condition(self.printed):
            assert self.process.poll() is None or condition(self.printed), self.printed
            assert time.monotonic() < deadline, self.printed
            time.sleep(_INTERVAL)
        return self.printed

    def until_printed(self, text: str) -> str:
        """Wait until it has printed a text, and return all of it."""
        return self.until(lambda printed: text in printed)

    def type(self, line: str) -> None:
        """Type one line; nobody reads it when the command has ended."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()

    def end_input(self) -> None:
        """Nothing more is typed."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def ended(self) -> int:
        """Wait for its end; the exit code."""
        return self.process.wait(timeout=_PATIENCE_SECONDS)

    def interrupt(self) -> int:
        """Ctrl-C, and wait for its end; the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.ended()


@contextmanager
def running(output: Path, *arguments: str) -> Iterator[RunningCommand]:
    """A command that does not outlive the block."""
    command = RunningCommand(arguments, output)
    try:
        yield command
    finally:
        if command.process.poll() is None:
            command.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                command.process.wait(timeout=30)
            command.process.kill()
            command.process.wait()
        if command.process.stdin is not None:
            with suppress(BrokenPipeError):
                command.process.stdin.close()


def processes_with(text: str) -> list[int]:
    """The processes on this machine whose command line or environment holds a text."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            with suppress(OSError):
                known = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
                if text.encode() in known and "Z" not in (folder / "stat").read_text().rpartition(")")[2][:3]:
                    found.append(int(folder.name))
    return found


class TerminalCommand(RunningCommand):
    """A command whose input and output are a terminal."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._master, terminal = pty.openpty()
        self._read = bytearray()
        self.process = subprocess.Popen(
            command_line(*arguments),
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env={**command_environment(), "TERM": "xterm"},
        )
        os.close(terminal)

    @property
    def printed(self) -> str:
        """All that it has printed, what was typed included."""
        while select.select([self._master], [], [], 0)[0]:
            try:
                chunk = os.read(self._master, 65536)
            except OSError:
                # Linux says so when the last process has left the terminal.
                break
            if not chunk:
                break
            self._read += chunk
        return self._read.decode(errors="replace").replace("\r\n", "\n")

    def type(self, line: str) -> None:
        """Type one line."""
        os.write(self._master, f"{line}\n".encode())

    def close(self) -> None:
        """Take the terminal away."""
        os.close(self._master)


@contextmanager
def running_in_terminal(*arguments: str) -> Iterator[TerminalCommand]:
    """A command in a terminal, which does not outlive the block."""
    command = TerminalCommand(arguments)
    try:
        yield command
    finally:
        if command.process.poll() is None:
            command.process.kill()
            command.process.wait()
        command.close()
