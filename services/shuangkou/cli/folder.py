"""The data folder of a suite on this machine: where everything it keeps lies, and who runs in it."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from shuangkou.cli.invocation import suggestion
from shuangkou.cli.problem import Problem

DEFAULT: Final = Path(".shuangkou")
_PRIVATE: Final = 0o700
_OTHERS: Final = 0o077


@dataclass(frozen=True, slots=True)
class SuiteRecord:
    """What a running suite tells other commands. Addresses are HOST:PORT, by service name in ``metrics``.

    ledger: where it is, without a password; empty for the one in the data folder.
    """

    pid: int
    started: str
    nats_url: str
    engines: list[str]
    matchmaking: str
    ai_player: str
    scoring: str
    metrics: dict[str, str]
    ledger: str = ""


class DataFolder:
    """One folder, one suite at a time."""

    def __init__(self, path: Path) -> None:
        """``path`` need not exist."""
        self.path = path.resolve()
        self.nats_store = self.path / "nats"
        self.logs = self.path / "logs"
        self.keys = self.path / "keys"
        self.tokens = self.path / "tokens"
        self.broker_passwords = self.keys / "broker-passwords.json"
        self.ledger = self.path / "ledger.db"
        self._lock = self.path / "lock"
        self._record = self.path / "suite.json"

    @contextmanager
    def occupied(self) -> Iterator[None]:
        """Make the folder and hold it for one suite; Problem while another suite runs in it.

        What is made inside the block, by whatever process, is for its owner only.
        """
        umask = os.umask(_OTHERS)
        try:
            with self._held():
                yield
        finally:
            os.umask(umask)

    @contextmanager
    def _held(self) -> Iterator[None]:
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
            for folder in (self.nats_store, self.logs, self.keys, self.tokens):
                folder.mkdir(exist_ok=True, mode=_PRIVATE)
            lock = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Problem(
                f"cannot keep data in {self.path}: {error.strerror}; choose another folder with --data"
            ) from None
        try:
            if not _locked(lock, fcntl.LOCK_EX):
                raise Problem(
                    f"a suite already runs in {self.path}{self._whose()}; stop it or choose another --data"
                )
            self._close_to_others()
            try:
                # A killed suite left it: nobody is to take its addresses for those of this one.
                self._record.unlink(missing_ok=True)
                yield
            finally:
                self._record.unlink(missing_ok=True)
        finally:
            os.close(lock)

    def _close_to_others(self) -> None:
        """Also what earlier versions left open to them."""
        for file in (*self.path.glob("ledger.db*"), *self.logs.glob("*.log*")):
            file.chmod(file.stat().st_mode & ~_OTHERS)

    def write(self, record: SuiteRecord) -> None:
        """Tell other commands where the suite is."""
        draft = self._record.with_suffix(".new")
        draft.write_text(json.dumps(asdict(record), indent=2) + "\n")
        draft.replace(self._record)

    def running(self) -> SuiteRecord:
        """The suite that runs here; Problem when none does yet, whatever a killed one left behind."""
        if not self.is_occupied():
            raise Problem(f"no suite is running in {self.path}; start it with: {self.suggest('up')}")
        record = self._read()
        if record is None:
            raise Problem(f"the suite in {self.path} is still starting 正在启动; try again in a moment")
        return record

    def suggest(self, command: str) -> str:
        """The command line that does this with the suite in this folder."""
        return suggestion(command, None if self.path == DEFAULT.resolve() else self.path)

    def is_occupied(self) -> bool:
        """Whether a suite runs here, or starts or stops."""
        try:
            lock = os.open(self._lock, os.O_RDONLY)
        except OSError:
            return False
        try:
            return not _locked(lock, fcntl.LOCK_SH)
        finally:
            os.close(lock)

    def _read(self) -> SuiteRecord | None:
        try:
            return SuiteRecord(**json.loads(self._record.read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def _whose(self) -> str:
        record = self._read()
        return f" (process {record.pid}, since {record.started})" if record else ""


def _locked(lock: int, kind: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
        return True
    return False
