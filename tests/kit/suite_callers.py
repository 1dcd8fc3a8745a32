"""Players of a whole suite: tokens signed with its own keys, and channels to its services."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc

from kit.keys import Keys
from kit.suite import LocalSuite
from shuangkou.chassis.channels import CHANNEL_OPTIONS, target_of
from shuangkou.chassis.dev_keys import create_dev_keys

Metadata = tuple[tuple[str, str], ...]


def token(suite: LocalSuite, player: str) -> str:
    """A token of a player."""
    made = create_dev_keys(suite.folder / "keys")
    return Keys(made.key_set_file, made.private_key_file).player(player)


def metadata(suite: LocalSuite, player: str) -> Metadata:
    """Call metadata of a player."""
    return (("authorization", f"Bearer {token(suite, player)}"),)


@asynccontextmanager
async def channel_to(*addresses: str) -> AsyncIterator[grpc.aio.Channel]:
    """A channel that spreads its calls over the addresses and leaves out dead ones."""
    async with grpc.aio.insecure_channel(target_of(addresses), options=CHANNEL_OPTIONS) as channel:
        yield channel
