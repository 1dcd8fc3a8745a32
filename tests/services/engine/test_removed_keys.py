"""What a key opened is closed when the key leaves the set, also where nobody calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from kit.keys import Keys
from kit.service_process import Launcher
from kit.table_clients import PEOPLE, Clients
from shuangkou.chassis.dev_keys import create_dev_keys


async def _to_the_end(stream: AsyncIterator[object]) -> None:
    async for _ in stream:
        pass


async def test_a_stream_ends_when_its_key_is_removed_though_nobody_calls(
    engine_launcher: Launcher, keys: Keys, tmp_path: Path
) -> None:
    key_set, other = tmp_path / "served.json", create_dev_keys(tmp_path / "other")
    key_set.write_bytes(keys.key_set_file.read_bytes())
    clients = Clients([await engine_launcher.start("engine", auth_keys_file=str(key_set))], keys)
    stream = aiter(clients.player(PEOPLE[0]).watch(await clients.service().create(*PEOPLE)))
    await anext(stream)
    key_set.write_bytes(other.key_set_file.read_bytes())
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await asyncio.wait_for(_to_the_end(stream), 20)
    await clients.close()
    assert ended.value.code() is grpc.StatusCode.UNAUTHENTICATED
