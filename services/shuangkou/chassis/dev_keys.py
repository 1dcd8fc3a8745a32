"""Signing keys for development: made once, next to the data of a local suite."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt.algorithms import OKPAlgorithm


@dataclass(frozen=True, slots=True)
class DevKeys:
    """Where the private JWK and the public JWKS file are."""

    private_key_file: Path
    key_set_file: Path


def create_dev_keys(folder: Path) -> DevKeys:
    """Make a key pair in ``folder`` unless there is one; two starters at once end with the same pair."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = DevKeys(folder / "signing-key.json", folder / "keys.json")
    if not keys.private_key_file.exists():
        _publish(keys.private_key_file, _new_private_key())
    if not keys.key_set_file.exists():
        private = json.loads(keys.private_key_file.read_text())
        public = {field: value for field, value in private.items() if field != "d"}
        _publish(keys.key_set_file, {"keys": [public]})
    return keys


def _new_private_key() -> dict[str, Any]:
    pair: dict[str, Any] = OKPAlgorithm.to_jwk(Ed25519PrivateKey.generate(), as_dict=True)
    return pair | {"kid": uuid4().hex[:12], "alg": "EdDSA", "use": "sig"}


def _publish(target: Path, content: dict[str, Any]) -> None:
    # A hard link either appears whole or loses to another starter's; a rename would replace theirs.
    draft = target.with_name(f".{target.name}.{uuid4().hex}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, target)
    except FileExistsError:
        return
    finally:
        draft.unlink()
