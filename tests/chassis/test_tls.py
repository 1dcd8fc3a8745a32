"""Who gets in by TLS, to a gRPC server of ours and from us to NATS, and how certificates are replaced."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from prometheus_client import CollectorRegistry

from kit.certificates import Authority, PrivateKey, broker_options
from kit.echo import EchoStub
from kit.echo_server import echo_server
from kit.keys import Keys
from kit.nats import NatsServer
from kit.waiting import eventually
from shuangkou.chassis.clients import open_channel
from shuangkou.chassis.nats import Bus, Server, Unreachable, connect
from shuangkou.chassis.tls import BadCertificates, ClientTls, ServerTls, client_tls


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "ours", "ours")


@pytest.fixture
def stranger(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "others", "others")


@asynccontextmanager
async def serving(keys: Keys, registry: CollectorRegistry, tls: ServerTls) -> AsyncIterator[str]:
    server = echo_server(keys.key_set_file, registry)
    port = server.listen("127.0.0.1:0", tls)
    await server.start()
    yield f"127.0.0.1:{port}"
    await server.stop(grace=0)


async def gets_in(target: str, keys: Keys, tls: ClientTls | None) -> bool:
    """Whether a new connection is answered, or refused before any call is made on it."""
    async with open_channel(target, tls) as channel:
        try:
            return await EchoStub(channel).say("x", keys.player("alice")) == "x"
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            return False


async def test_a_server_with_a_certificate_is_reached_by_tls_alone(
    keys: Keys, registry: CollectorRegistry, authority: Authority, stranger: Authority
) -> None:
    pair = authority.sign("server")
    async with serving(keys, registry, ServerTls(pair.certificate, pair.key)) as target:
        assert await gets_in(target, keys, ClientTls(authority.file))
        assert not await gets_in(target, keys, None)
        assert not await gets_in(target, keys, ClientTls(stranger.file))
        assert not await gets_in(target, keys, ClientTls())


async def test_a_server_can_ask_clients_for_certificates(
    keys: Keys, registry: CollectorRegistry, authority: Authority, stranger: Authority
) -> None:
    pair, ours, theirs = authority.sign("server"), authority.sign("client"), stranger.sign("client")
    tls = ServerTls(pair.certificate, pair.key, client_ca=authority.file)
    async with serving(keys, registry, tls) as target:
        assert await gets_in(target, keys, ClientTls(authority.file, ours.certificate, ours.key))
        assert not await gets_in(target, keys, None)
        assert not await gets_in(target, keys, ClientTls(authority.file))
        assert not await gets_in(target, keys, ClientTls(authority.file, theirs.certificate, theirs.key))


async def test_a_server_takes_up_new_certificates_and_keeps_good_ones(
    keys: Keys, registry: CollectorRegistry, authority: Authority, stranger: Authority
) -> None:
    pair = authority.sign("server")
    async with serving(keys, registry, ServerTls(pair.certificate, pair.key)) as target:
        theirs = stranger.sign("server")
        # The certificate is replaced a moment before its key: until then the old pair is shown.
        pair.certificate.write_bytes(theirs.certificate.read_bytes())
        assert await gets_in(target, keys, ClientTls(authority.file))
        pair.key.write_bytes(theirs.key.read_bytes())
        assert await gets_in(target, keys, ClientTls(stranger.file))
        assert not await gets_in(target, keys, ClientTls(authority.file))
        pair.certificate.unlink()
        assert await gets_in(target, keys, ClientTls(stranger.file))


def test_bad_files_are_one_clear_failure(authority: Authority, stranger: Authority, tmp_path: Path) -> None:
    ours, theirs = authority.sign("a"), stranger.sign("a")
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("nonsense")
    bad = ((ours.certificate, theirs.key), (nonsense, ours.key), (ours.certificate, nonsense))
    for certificate, key in bad:
        with pytest.raises(BadCertificates):
            ServerTls(certificate, key).credentials()
        with pytest.raises(BadCertificates):
            ClientTls(authority.file, certificate, key).credentials()
    with pytest.raises(BadCertificates, match="go together"):
        ClientTls(authority.file, ours.certificate).credentials()
    with pytest.raises(BadCertificates, match="nonsense"):
        ClientTls(nonsense).credentials()
    assert client_tls(None, None, None) is None


def curve(kind: type[ec.EllipticCurve]) -> Callable[[], PrivateKey]:
    return lambda: ec.generate_private_key(kind())


@pytest.mark.parametrize(
    "make_key",
    [lambda: rsa.generate_private_key(65537, 2048), curve(ec.SECP256R1), curve(ec.SECP384R1)],
    ids=["RSA", "P-256", "P-384"],
)
async def test_keys_that_both_ends_take(
    keys: Keys, registry: CollectorRegistry, authority: Authority, make_key: Callable[[], PrivateKey]
) -> None:
    server, client = authority.sign("server", make_key), authority.sign("client", make_key)
    async with serving(keys, registry, ServerTls(server.certificate, server.key, authority.file)) as target:
        assert await gets_in(target, keys, ClientTls(authority.file, client.certificate, client.key))


@pytest.mark.parametrize(
    ("make_key", "kind"),
    [
        (ed25519.Ed25519PrivateKey.generate, "Ed25519"),
        (curve(ec.SECP521R1), "secp521r1"),
        (curve(ec.SECP256K1), "secp256k1"),
    ],
)
def test_keys_that_grpc_serves_nobody_with_are_refused_at_the_start(
    authority: Authority, make_key: Callable[[], PrivateKey], kind: str
) -> None:
    pair = authority.sign("odd", make_key)
    for tls in (
        ServerTls(pair.certificate, pair.key),
        ClientTls(authority.file, pair.certificate, pair.key),
    ):
        with pytest.raises(BadCertificates, match=rf"{kind}.* takes RSA and the curves P-256 and P-384"):
            tls.credentials()


async def test_nats_takes_an_ed25519_certificate(tls_nats: NatsServer, authority: Authority) -> None:
    ours = authority.sign("client", ed25519.Ed25519PrivateKey.generate)
    bus = await connected(tls_nats.url, ClientTls(authority.file, ours.certificate, ours.key))
    await bus.close()


@pytest.fixture
def tls_nats(tmp_path: Path, authority: Authority) -> Iterator[NatsServer]:
    """A broker that speaks TLS and asks for certificates."""
    server = NatsServer(tmp_path / "tls-nats", *broker_options(authority))
    server.start()
    yield server
    server.stop()


async def connected(url: str, tls: ClientTls | None) -> Bus:
    return await connect(Server(url, patience_seconds=2, tls=tls), "test", CollectorRegistry())


async def test_nats_by_tls(tls_nats: NatsServer, authority: Authority, stranger: Authority) -> None:
    ours, theirs = authority.sign("client"), stranger.sign("client")
    bus = await connected(tls_nats.url, ClientTls(authority.file, ours.certificate, ours.key))
    assert (await bus.api("INFO", {}))["streams"] == 0
    for bad in (
        None,
        ClientTls(authority.file),
        ClientTls(stranger.file, ours.certificate, ours.key),
        ClientTls(authority.file, theirs.certificate, theirs.key),
    ):
        with pytest.raises(Unreachable):
            await connected(tls_nats.url, bad)
    await bus.close()


async def test_nats_certificates_are_read_again_for_a_new_connection(
    tls_nats: NatsServer, authority: Authority, stranger: Authority
) -> None:
    ours, theirs = authority.sign("client"), stranger.sign("client")
    bus = await connected(tls_nats.url, ClientTls(authority.file, ours.certificate, ours.key))
    for kind in ("certificate", "key"):
        getattr(ours, kind).write_bytes(getattr(theirs, kind).read_bytes())
    tls_nats.restart()
    await eventually(lambda: bool(bus.last_error))
    assert not bus.is_connected
    again = authority.sign("client")
    assert again == ours
    await bus.connected(within=20)
    await bus.close()


async def test_nothing_is_said_to_a_broker_without_tls(nats_server: NatsServer, authority: Authority) -> None:
    with pytest.raises(Unreachable, match="secure connection"):
        await connected(nats_server.url, ClientTls(authority.file))
