"""Makes deploy/secrets for compose.yaml: a signing key, its public key set, one token for each service, and
the passwords of the broker's users and of the ledger's database.

Run again, it mints new tokens and keeps all else; ``--renew-passwords`` changes those of the broker.

With ``--kubernetes NAMESPACE`` it prints the same as Secrets of that namespace, for ``kubectl apply -f -``.

For trying the suite out: keep production keys in a key store, and let tokens expire sooner.
"""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

from shuangkou.chassis.auth import CallerKind, mint, read_private_key
from shuangkou.chassis.dev_keys import create_dev_keys
from shuangkou.cli.broker import USERS, password_variable

SERVICES = ("engine", "matchmaking", "ai_player", "scoring")
TOKEN_SECONDS = 90 * 24 * 3600.0


def make(folder: Path, renew_passwords: bool = False) -> None:
    """Write the files. Tokens are new; what a running suite knows already stays, unless that is asked for."""
    folder.mkdir(mode=0o700, exist_ok=True)
    keys = create_dev_keys(folder)
    signing_key = read_private_key(keys.private_key_file)
    for service in SERVICES:
        token = mint(signing_key, service, CallerKind.SERVICE, TOKEN_SECONDS)
        (folder / f"{service}.token").write_text(token)
    kept = {} if renew_passwords else _kept(folder / "nats.env")
    passwords = {user: kept.get(password_variable(user)) or f"p{token_hex(16)}" for user in USERS}
    lines = (f"{password_variable(user)}={password}\n" for user, password in passwords.items())
    (folder / "nats.env").write_text("".join(lines))
    for service in SERVICES:
        (folder / f"nats-{service}.env").write_text(f"SHUANGKOU_NATS_PASSWORD={passwords[service]}\n")
    _make_database_password(folder)
    # The containers' user is not the owner of these files; the folder itself lets nobody else in.
    for file in [keys.key_set_file, *folder.glob("*.token")]:
        file.chmod(0o644)


def _make_database_password(folder: Path) -> None:
    if not (folder / "postgres.env").exists():
        (folder / "postgres.env").write_text(f"POSTGRES_PASSWORD=p{token_hex(16)}\n")
    password = _variables(folder / "postgres.env")["POSTGRES_PASSWORD"]
    address = f"postgresql://shuangkou:{password}@postgres:5432/shuangkou"
    (folder / "scoring-database.env").write_text(f"SHUANGKOU_DATABASE_URL={address}\n")


def as_kubernetes(folder: Path, namespace: str) -> dict[str, Any]:
    """The Secrets that k8s/README.md lists, as one list for kubectl."""
    items = [
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": name, "namespace": namespace},
            "data": {key: b64encode(value.encode()).decode() for key, value in data.items()},
        }
        for name, data in _secrets(folder)
    ]
    return {"apiVersion": "v1", "kind": "List", "items": items}


def _secrets(folder: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield "shuangkou-auth", {"keys.json": (folder / "keys.json").read_text()}
    yield "nats-passwords", _variables(folder / "nats.env")
    for service in SERVICES:
        yield f"{service.replace('_', '-')}-token", {"token": (folder / f"{service}.token").read_text()}
    yield "postgres", {"password": _variables(folder / "postgres.env")["POSTGRES_PASSWORD"]}
    yield "scoring-database", {"url": _variables(folder / "scoring-database.env")["SHUANGKOU_DATABASE_URL"]}


def _variables(file: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in file.read_text().splitlines())


def _kept(file: Path) -> dict[str, str]:
    return _variables(file) if file.exists() else {}


def _namespace(text: str) -> str:
    """ArgumentTypeError for what no cluster takes as a namespace (RFC 1123)."""
    if not re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", text):
        raise ArgumentTypeError(
            f"{text!r} is no name of a namespace: 63 of a-z, 0-9 and - at most, and no - at its ends"
        )
    return text


def main() -> None:
    """Write the files, and print them as Secrets where that is asked for."""
    options = ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    options.add_argument(
        "--kubernetes", metavar="NAMESPACE", type=_namespace, help="print Secrets for kubectl apply -f -"
    )
    options.add_argument(
        "--renew-passwords",
        action="store_true",
        help="new passwords of the broker's users: restart NATS and all services with them",
    )
    asked = options.parse_args()
    folder = Path(__file__).parent / "secrets"
    make(folder, asked.renew_passwords)
    if asked.kubernetes:
        json.dump(as_kubernetes(folder, asked.kubernetes), sys.stdout, indent=1)


if __name__ == "__main__":
    main()
