"""Signing keys and tokens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from shuangkou.chassis.auth import CallerKind, mint, read_private_key
from shuangkou.chassis.dev_keys import create_dev_keys

_SERVICE_TOKEN_SECONDS = 86_400.0
"""Longer than any run: nobody writes a new one."""


@dataclass(frozen=True, slots=True)
class Keys:
    """A key pair on disk, and tokens signed with it."""

    key_set_file: Path
    private_key_file: Path

    def player(self, subject: str, ttl_seconds: float = 300.0) -> str:
        """A token of a player."""
        return mint(read_private_key(self.private_key_file), subject, CallerKind.PLAYER, ttl_seconds)

    def service(self, subject: str, ttl_seconds: float = 300.0) -> str:
        """A token of a service."""
        return mint(read_private_key(self.private_key_file), subject, CallerKind.SERVICE, ttl_seconds)

    def service_token_file(self, subject: str) -> Path:
        """A file with a fresh token of a service."""
        path = self.key_set_file.with_name(f"{subject}.token")
        path.write_text(self.service(subject, _SERVICE_TOKEN_SECONDS))
        return path


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    """The key pair of this test run."""
    made = create_dev_keys(tmp_path_factory.mktemp("keys"))
    return Keys(made.key_set_file, made.private_key_file)
