"""Makes deploy/secrets for compose.yaml: a signing key, its public key set, and one token for each service.

For trying the suite out: keep production keys in a key store, and let tokens expire sooner.
"""

from __future__ import annotations

from pathlib import Path

from shuangkou.chassis.auth import CallerKind, mint, read_private_key
from shuangkou.chassis.dev_keys import create_dev_keys

SERVICES = ("engine", "matchmaking", "ai_player", "scoring")
TOKEN_SECONDS = 90 * 24 * 3600.0


def main() -> None:
    """Write the files; a key pair that is there already is kept, tokens are made anew."""
    folder = Path(__file__).parent / "secrets"
    folder.mkdir(mode=0o700, exist_ok=True)
    keys = create_dev_keys(folder)
    signing_key = read_private_key(keys.private_key_file)
    for service in SERVICES:
        token = mint(signing_key, service, CallerKind.SERVICE, TOKEN_SECONDS)
        (folder / f"{service}.token").write_text(token)
    # The containers' user is not the owner of these files; the folder itself lets nobody else in.
    for file in [keys.key_set_file, *folder.glob("*.token")]:
        file.chmod(0o644)


if __name__ == "__main__":
    main()
