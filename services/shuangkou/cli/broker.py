"""The users of the broker of a suite on this machine: their permissions and their passwords."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from secrets import token_hex
from typing import Final

from shuangkou.chassis.nats import Server
from shuangkou.chassis.settings import PREFIX
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.problem import Problem

ANALYST: Final = "analyst"
_ACCOUNT: Final = "SHUANGKOU"
USERS: Final = ("engine", "matchmaking", "ai_player", "scoring", ANALYST, "operator")


def users_file() -> Path:
    """The permissions in the broker's own language, the same as in deploy/nats and k8s/base/nats."""
    return Path(str(resources.files("shuangkou.cli") / "nats_users.conf"))


def make_passwords(folder: DataFolder) -> Mapping[str, str]:
    """By user; made at the first start in the occupied ``folder`` and kept there."""
    known = _read(folder)
    # The broker takes a value that begins with a digit for a number.
    passwords = {user: known.get(user) or f"p{token_hex(16)}" for user in USERS}
    if passwords != known:
        draft = folder.broker_passwords.with_suffix(".new")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(passwords, indent=2) + "\n")
        draft.replace(folder.broker_passwords)
    return passwords


def adopt_streams(folder: DataFolder) -> None:
    """Give the suite's account what a broker without accounts stored in the occupied ``folder``."""
    kept = folder.nats_store / "jetstream"
    nobodys, ours = kept / "$G", kept / _ACCOUNT
    if nobodys.is_dir() and not ours.exists():
        nobodys.rename(ours)


def password_of(folder: DataFolder, user: str) -> str:
    """The password of a user of the suite in ``folder``; Problem when none was made."""
    password = _read(folder).get(user)
    if password is None:
        raise Problem(f"no passwords of the broker in {folder.path}; made by: {folder.suggest('up')}")
    return password


def analysts_broker(folder: DataFolder) -> Server:
    """The broker of the suite that runs in ``folder`` as an analyst reaches it; Problem when none runs."""
    return Server(folder.running().nats_url, ANALYST, password_of(folder, ANALYST))


def password_variable(user: str) -> str:
    """The variable in the broker's environment from which the users' file takes the password."""
    return f"{PREFIX}NATS_PASSWORD_{user.upper()}"


def _read(folder: DataFolder) -> dict[str, str]:
    try:
        passwords: dict[str, str] = json.loads(folder.broker_passwords.read_text())
    except (OSError, ValueError):
        return {}
    return passwords
