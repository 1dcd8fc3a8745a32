"""`shuangkou backup` and `shuangkou restore`: all that a suite keeps, copied while it does not run.

docs/adr/backups.md says why the suite must stand still, and why the broker's own snapshots will not do.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Final

from shuangkou.chassis.ledger_address import shown
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.ledger_address import VARIABLE, elsewhere
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.terminal import Terminal

_RECORD: Final = "backup.json"
_STREAMS: Final = "nats"
_KEYS: Final = "keys"
_LEDGER: Final = "ledger.db"
_CHUNK_BYTES: Final = 1 << 20
_OWNER_ONLY: Final = 0o077


@dataclass(frozen=True, slots=True)
class BackupRecord:
    """What a backup holds. ``made``: an ISO time. ``files``: the SHA-256 of each, by its path."""

    version: str
    made: str
    files: dict[str, str]


def backup(folder: DataFolder, target: Path, terminal: Terminal) -> int:
    """Copy the suite in ``folder`` to ``target``. Problem while the suite runs, or where ``target`` exists.

    The copy holds secrets: signing keys, the broker's passwords, hidden cards. Only its owner may read it.
    """
    ledger = elsewhere()
    if not folder.nats_store.is_dir():
        raise Problem(f"there is no suite in {folder.path} to copy", BAD_INPUT)
    if target.resolve().is_relative_to(folder.path):
        raise Problem(
            f"{target} is inside of {folder.path}, which is to be copied; name another folder", BAD_INPUT
        )
    if folder.is_occupied():
        raise Problem(f"a suite runs in {folder.path}; stop it first, its clocks wait meanwhile")
    with folder.occupied(), _made_whole(target) as draft:
        _copy(folder.nats_store, draft / _STREAMS)
        _copy(folder.keys, draft / _KEYS)
        if folder.ledger.exists():
            _copy_ledger(folder.ledger, draft / _LEDGER)
        record = BackupRecord(
            metadata.version("shuangkou"), datetime.now(UTC).isoformat(timespec="seconds"), _sums(draft)
        )
        _write(draft / _RECORD, json.dumps(asdict(record), indent=1, sort_keys=True) + "\n")
    size = sum((target / file).stat().st_size for file in record.files)
    terminal.say(f"{len(record.files)} files, {size:,} bytes, are in {target}")
    if ledger:
        where = f"The ledger 账本 in {shown(ledger)}, which {VARIABLE} names, is not among them."
        terminal.say(f"{where} Copy it with the database's own tools before the suite starts again.")
    terminal.say(
        "They hold signing keys, passwords and hidden cards: keep them where only you can read them."
    )
    return 0


def restore(folder: DataFolder, source: Path, terminal: Terminal) -> int:
    """Put a backup into the data folder of a suite that has none yet. Problem where it is damaged."""
    record = _read(source)
    damaged = sorted(_differing(source, record))
    if damaged:
        raise Problem(f"{source} is damaged: {', '.join(damaged[:3])}; nothing was restored", BAD_INPUT)
    with folder.occupied():
        if any(folder.nats_store.iterdir()) or folder.ledger.exists():
            raise Problem(f"{folder.path} holds a suite already; name an empty folder with --data", BAD_INPUT)
        with _drafts(folder) as drafts:
            for name, draft in drafts.items():
                if (source / name).is_dir():
                    _copy(source / name, draft)
                elif (source / name).exists():
                    shutil.copyfile(source / name, draft)
            for file in drafts[_KEYS].iterdir():
                file.replace(folder.keys / file.name)
            if drafts[_LEDGER].exists():
                drafts[_LEDGER].rename(folder.ledger)
            # Last, and by one rename: streams are there whole or not at all.
            folder.nats_store.rmdir()
            drafts[_STREAMS].rename(folder.nats_store)
    terminal.say(f"The suite of {record.made} is in {folder.path}; start it with: {folder.suggest('up')}")
    return 0


@contextmanager
def _drafts(folder: DataFolder) -> Iterator[dict[str, Path]]:
    """Where parts of a backup are copied to before any takes its place; gone after the block. Problem where
    they do not fit.
    """
    places = {_LEDGER: folder.ledger, _KEYS: folder.keys, _STREAMS: folder.nats_store}
    drafts = {name: place.with_name(f"{place.name}.new") for name, place in places.items()}
    umask = os.umask(_OWNER_ONLY)
    try:
        _remove(drafts.values())
        yield drafts
    except OSError as error:
        why = error.strerror or error
        raise Problem(f"cannot write to {folder.path}: {why}; nothing was restored") from None
    finally:
        os.umask(umask)
        _remove(drafts.values())


def _remove(drafts: Iterable[Path]) -> None:
    for draft in drafts:
        if draft.is_dir():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.unlink(missing_ok=True)


@contextmanager
def _made_whole(target: Path) -> Iterator[Path]:
    """A folder that takes the name ``target`` at the end of the block, and vanishes where the block fails."""
    if target.exists():
        raise Problem(f"{target} exists; name a folder that does not", BAD_INPUT)
    draft = target.with_name(f"{target.name}.new")
    umask = os.umask(_OWNER_ONLY)
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        yield draft
        draft.rename(target)
    except OSError as error:
        raise Problem(f"cannot write to {target}: {error.strerror or error}") from None
    finally:
        os.umask(umask)
        shutil.rmtree(draft, ignore_errors=True)


def _copy(source: Path, target: Path) -> None:
    """Contents only: whoever could read the source, only the owner can read the copy."""
    target.mkdir(parents=True, exist_ok=True)
    for each in sorted(source.iterdir()):
        if each.is_dir():
            _copy(each, target / each.name)
        else:
            shutil.copyfile(each, target / each.name)


def _copy_ledger(source: Path, target: Path) -> None:
    """By SQLite itself, so that what is still in its write-ahead log comes along."""
    with closing(sqlite3.connect(source)) as there, closing(sqlite3.connect(target)) as here:
        there.backup(here)


def _write(file: Path, text: str) -> None:
    with file.open("w") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())


def _read(source: Path) -> BackupRecord:
    try:
        return BackupRecord(**json.loads((source / _RECORD).read_text()))
    except (OSError, ValueError, TypeError):
        raise Problem(f"there is no backup in {source}, or not all of it", BAD_INPUT) from None


def _differing(source: Path, record: BackupRecord) -> set[str]:
    there = {name: total for name, total in _sums(source).items() if name != _RECORD}
    return {name for name in there.keys() | record.files if there.get(name) != record.files.get(name)}


def _sums(folder: Path) -> dict[str, str]:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): _sum_of(file) for file in files}


def _sum_of(file: Path) -> str:
    total = sha256()
    with file.open("rb") as opened:
        while chunk := opened.read(_CHUNK_BYTES):
            total.update(chunk)
    return total.hexdigest()
