"""A table is played where everything goes by TLS and everybody shows a certificate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from kit.certificates import Authority, broker_options
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import Begin, Launcher, launching
from kit.table_clients import Caller, new_command_id
from kit.waiting import eventually
from shuangkou.chassis.clients import open_channel
from shuangkou.chassis.tls import ClientTls
from shuangkou.v1.table_pb2 import TABLE_PHASE_FINISHED
from shuangkou.v1.table_pb2_grpc import TableServiceStub


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "authority", "ours")


@pytest.fixture
def launcher(tmp_path: Path, authority: Authority, keys: Keys, begin: Begin) -> Iterator[Launcher]:
    broker = NatsServer(tmp_path / "nats", *broker_options(authority))
    broker.start()
    with launching(broker, keys, tmp_path, begin) as made:
        yield made
    broker.stop()


def settings_of(authority: Authority, service: str) -> dict[str, str]:
    """TLS everywhere, with one certificate for all ends of a service."""
    pair = authority.sign(service)
    files = {"ca": str(authority.file), "cert": str(pair.certificate), "key": str(pair.key)}
    server = {f"grpc_tls_{name}_file": file for name, file in files.items() if name != "ca"}
    clients = {f"{side}_tls_{name}_file": file for side in ("client", "nats") for name, file in files.items()}
    return server | clients | {"grpc_tls_client_ca_file": str(authority.file)}


async def test_bots_play_a_table_behind_mutual_tls(
    launcher: Launcher, authority: Authority, keys: Keys
) -> None:
    engine = await launcher.start("engine", **settings_of(authority, "engine"))
    await launcher.start("ai_player", engine_target=engine.target, **settings_of(authority, "ai_player"))
    ours = authority.sign("client")
    metadata = (("authorization", f"Bearer {keys.player('alice')}"),)
    async with open_channel(engine.target, ClientTls(authority.file, ours.certificate, ours.key)) as channel:
        alice = Caller("alice", TableServiceStub(channel), metadata)
        table_id = await alice.create(*("bot:plain",) * 4, command_id=new_command_id())

        async def is_finished() -> bool:
            return (await alice.view(table_id)).phase == TABLE_PHASE_FINISHED

        await eventually(is_finished, within=60)
    for tls in (None, ClientTls(authority.file)):
        async with open_channel(engine.target, tls) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await Caller("alice", TableServiceStub(channel), metadata).view(table_id)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_half_a_pair_is_one_clear_line(launcher: Launcher, authority: Authority) -> None:
    settings = settings_of(authority, "engine")
    del settings["grpc_tls_cert_file"]
    engine = launcher.spawn("engine", **settings)
    assert await engine.exit_code() == 2
    line = engine.line("start_failed")
    assert line is not None
    assert "SHUANGKOU_GRPC_TLS_CERT_FILE and SHUANGKOU_GRPC_TLS_KEY_FILE go together" in line["reason"]
