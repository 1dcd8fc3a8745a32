"""Makes deploy/secrets for compose.yaml: a signing key, its public key set, one token for each service, and
the passwords of the broker's users.

For trying the suite out: keep production keys in a key store, and let tokens expire sooner.
"""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex

from shuangkou.chassis.auth import CallerKind, mint, read_private_key
from shuangkou.chassis.dev_keys import create_dev_keys
from shuangkou.cli.broker import USERS, password_variable

SERVICES = ("engine", "matchmaking", "ai_player", "scoring")
TOKEN_SECONDS = 90 * 24 * 3600.0


def main() -> None:
    """Write the files; a key pair that is there already is kept, tokens and passwords are made anew."""
    folder = Path(__file__).parent / "secrets"
    folder.mkdir(mode=0o700, exist_ok=True)
    keys = create_dev_keys(folder)
    signing_key = read_private_key(keys.private_key_file)
    for service in SERVICES:
        token = mint(signing_key, service, CallerKind.SERVICE, TOKEN_SECONDS)
        (folder / f"{service}.token").write_text(token)
    passwords = {user: f"p{token_hex(16)}" for user in USERS}
    lines = (f"{password_variable(user)}={password}\n" for user, password in passwords.items())
    (folder / "nats.env").write_text("".join(lines))
    for service in SERVICES:
        (folder / f"nats-{service}.env").write_text(f"SHUANGKOU_NATS_PASSWORD={passwords[service]}\n")
    # The containers' user is not the owner of these files; the folder itself lets nobody else in.
    for file in [keys.key_set_file, *folder.glob("*.token")]:
        file.chmod(0o644)


if __name__ == "__main__":
    main()
