"""Connecting, and what is refused."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import CollectorRegistry

from kit.nats import NatsServer
from kit.ports import free_port
from kit.waiting import eventually
from shuangkou.chassis import nats
from shuangkou.chassis.nats import Bus, Server

OLD_INFO = b'INFO {"server_id":"X","version":"2.10.29","max_payload":1048576,"headers":true,"proto":1}\r\n'


async def test_nobody_there_is_one_clear_message() -> None:
    port = free_port()
    server = Server(f"nats://user:secret@127.0.0.1:{port}", patience_seconds=0.5)
    with pytest.raises(nats.Unreachable) as caught:
        await nats.connect(server, "test", CollectorRegistry())
    assert str(caught.value).startswith(f"no NATS at 127.0.0.1:{port} within 0.5 s: ")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("login", "user", "whom"),
    [
        ("", "engine", "user 'engine'"),
        ("scoring:wrong@", "", "user 'scoring'"),
        ("", "", "a client that names no user"),
    ],
)
async def test_who_is_not_let_in_is_named(login: str, user: str, whom: str) -> None:
    """Also where the client hears last that its connection was reset, as it does every other time."""
    greeted = 0

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal greeted
        greeted += 1
        writer.write(b'INFO {"server_id":"X","version":"2.15.1","max_payload":1048576,"proto":1}\r\n')
        if greeted == 1:
            await reader.readline()
            writer.write(b"-ERR 'Authorization Violation'\r\n")
            await writer.drain()
        writer.close()

    listener = await asyncio.start_server(refuse, "127.0.0.1", 0)
    async with listener:
        port = listener.sockets[0].getsockname()[1]
        server = Server(f"nats://{login}127.0.0.1:{port}", user, "secret" if user else "", 1.5)
        with pytest.raises(nats.Unreachable) as caught:
            await nats.connect(server, "test", CollectorRegistry())
    assert greeted > 1
    assert str(caught.value) == f"NATS at 127.0.0.1:{port} refuses {whom}: nats: 'Authorization Violation'"


async def test_an_old_server_is_refused() -> None:
    async def old_server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(OLD_INFO)
        while line := await reader.readline():
            if line.startswith(b"PING"):
                writer.write(b"PONG\r\n")
        writer.close()

    listener = await asyncio.start_server(old_server, "127.0.0.1", 0)
    async with listener:
        port = listener.sockets[0].getsockname()[1]
        with pytest.raises(nats.ServerTooOld, match=r"needs nats-server 2\.12 or newer, found 2\.10\.29"):
            await nats.connect(Server(f"nats://127.0.0.1:{port}"), "test", CollectorRegistry())


async def test_an_outage_is_counted_and_ended(
    bus: Bus, nats_server: NatsServer, registry: CollectorRegistry
) -> None:
    assert registry.get_sample_value("shuangkou_nats_connected") == 1
    nats_server.kill()
    await eventually(lambda: registry.get_sample_value("shuangkou_nats_connected") == 0)
    with pytest.raises(nats.NotConnected):
        await bus.connected(within=0.05)
    nats_server.start()
    await bus.connected(within=10)
    assert registry.get_sample_value("shuangkou_nats_disconnects_total") == 1
    assert registry.get_sample_value("shuangkou_nats_reconnects_total") == 1


async def test_a_waiting_request_fails_when_the_connection_breaks(bus: Bus, nats_server: NatsServer) -> None:
    await bus.client.subscribe("silent")
    waiting = asyncio.create_task(bus.ask("silent", b"", within=60))
    await eventually(lambda: bus.client.stats["out_msgs"] > 0)
    nats_server.kill()
    with pytest.raises(nats.Unanswered):
        await waiting


async def test_replies_come_to_an_inbox_of_the_service_s_own(bus: Bus) -> None:
    subject, answer = bus.inbox.expect_one(within=1)
    assert subject.startswith("_INBOX.test.")
    bus.inbox.forget(subject)
    answer.cancel()


async def test_an_unknown_stream_is_not_there(bus: Bus) -> None:
    with pytest.raises(nats.NotThere):
        await bus.api("STREAM.INFO.NONE", {})
