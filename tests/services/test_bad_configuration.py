"""A process that cannot do its work says why in one line, and ends with an exit code that is not 0."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import grpc
import pytest
from nats.js.api import StorageType, StreamConfig
from prometheus_client import CollectorRegistry

from kit.keys import Keys
from kit.nats import NatsServer
from kit.ports import free_port
from kit.service_process import Begin, Launcher, ServiceProcess, launching
from kit.table_clients import PEOPLE, Clients, refused, seated
from shuangkou.chassis.nats import Bus, NewMessage, Server, StoreFull, append, connect, ensure_stream
from shuangkou.v1.table_pb2 import CreateTableRequest

FAILED, BAD_SETTINGS = 1, 2

_WRONG_SETTINGS = {
    "no key set": ("engine", {"auth_keys_file": "{folder}/none.json"}, "SHUANGKOU_AUTH_KEYS_FILE"),
    "no token": ("ai_player", {"service_token_file": "{folder}/none"}, "SHUANGKOU_SERVICE_TOKEN_FILE"),
    "no address": ("matchmaking", {"nats_url": ""}, "SHUANGKOU_NATS_URL: expected nats://HOST:PORT"),
    "no port": ("engine", {"nats_url": "nats://broker"}, "SHUANGKOU_NATS_URL: expected nats://HOST:PORT"),
    "another protocol": ("engine", {"nats_url": "http://a:pw@broker:80"}, "SHUANGKOU_NATS_URL: expected"),
    "an unknown database": ("scoring", {"database_url": "mysql://a:pw@host/x"}, "not mysql"),
    "no database": ("scoring", {"database_url": "::"}, "expected sqlite:///FILE or postgresql://"),
    "a ledger in memory": ("scoring", {"database_url": "sqlite://"}, "would be lost"),
    "another ledger in memory": ("scoring", {"database_url": "sqlite:///:memory:"}, "would be lost"),
    "a port that is no number": (
        "scoring",
        {"database_url": "postgresql://u:pw@h:abc/d"},
        "expected sqlite:///FILE or postgresql://USER:PASSWORD@HOST:5432/DATABASE",
    ),
    "a password as it is": ("scoring", {"database_url": "postgresql://u:a@pw@h/d"}, "write @ as %40"),
    "a NATS password as it is": ("engine", {"nats_url": "nats://u:a/pw@127.0.0.1:4222"}, "as %2F, %40"),
    "another NATS password": ("engine", {"nats_url": "nats://u:a@pw@127.0.0.1:4222"}, "as %2F, %40"),
    "an empty name of a file": (
        "engine",
        {"auth_keys_file": ""},
        "SHUANGKOU_AUTH_KEYS_FILE='': names no file",
    ),
    "a folder for a file": ("engine", {"auth_keys_file": "{folder}"}, "it is a folder, not a file"),
    "a variable like no other": (
        "engine",
        {"qqqq": "3"},
        "SHUANGKOU_QQQQ is unknown; no known name is like it",
    ),
    "an unknown persona": ("matchmaking", {"personas": "nobody"}, "expected some of plain"),
    "an unknown variable": ("engine", {"bot_second": "3"}, "the closest known name is SHUANGKOU_BOT_SECONDS"),
    "too many shards": ("engine", {"table_shards": "99"}, "SHUANGKOU_TABLE_SHARDS='99'"),
}

_WRONG_FILES = {
    "a damaged key set": ("engine", {"auth_keys_file": "{garbage}"}, "is not a JWKS file"),
    "a key set without keys": ("scoring", {"auth_keys_file": "{keyless}"}, "SHUANGKOU_AUTH_KEYS_FILE: "),
    "a key set of other keys": (
        "engine",
        {"auth_keys_file": "{other_keys}"},
        "holds no Ed25519 key with a kid",
    ),
    "a key set that is a list": ("engine", {"auth_keys_file": "{list}"}, "is not a JWKS file"),
    "a key set of numbers": (
        "engine",
        {"auth_keys_file": "{numbers}"},
        "is not a JWKS file: it is no JSON object",
    ),
    "half of a pair": ("engine", {"grpc_tls_cert_file": "{garbage}"}, "SHUANGKOU_GRPC_TLS_"),
    "a damaged certificate": (
        "engine",
        {"grpc_tls_cert_file": "{garbage}", "grpc_tls_key_file": "{garbage}"},
        "/garbage",
    ),
}

_CANNOT_START = {
    "nobody there": ("engine", {"nats_url": "nats://127.0.0.1:{free_port}"}, "no NATS at 127.0.0.1:"),
    "an unknown host": ("engine", {"nats_url": "nats://broker.invalid:4222"}, "no NATS at broker.invalid"),
    "a wrong password": (
        "engine",
        {"nats_url": "{locked}", "nats_user": "engine", "nats_password": "pw"},
        "refuses user 'engine': nats: 'Authorization Violation'",
    ),
    "an old server": ("engine", {"nats_url": "{old}"}, "needs nats-server 2.12 or newer, found 2.10.7"),
    "no JetStream": ("engine", {"nats_url": "{plain}"}, "JetStream is off there"),
    "a full disk": (
        "engine",
        {"nats_url": "{full}"},
        "the broker has no room left: insufficient resources",
    ),
    "a port that is taken": (
        "engine",
        {"grpc_address": "127.0.0.1:{taken}"},
        "cannot listen on 127.0.0.1:{taken}: Address already in use",
    ),
    "an address of another machine": (
        "engine",
        {"grpc_address": "192.0.2.1:50051"},
        "cannot listen on 192.0.2.1:50051: Cannot assign requested address",
    ),
    "an address without a host": ("engine", {"grpc_address": "nowhere.invalid:50051"}, "cannot listen on"),
    "a port of metrics that is taken": (
        "engine",
        {"metrics_address": "127.0.0.1:{taken}"},
        "cannot serve metrics on 127.0.0.1:{taken}: ",
    ),
    "one server for three copies": ("engine", {"stream_replicas": "3"}, "SHUANGKOU_STREAM_REPLICAS=3, but"),
    "no folder for the ledger": (
        "scoring",
        {"database_url": "sqlite:///{folder}/none/ledger.db"},
        "cannot be opened: unable to open database file",
    ),
    "a folder for the ledger that cannot be written": (
        "scoring",
        {"database_url": "sqlite:////proc/ledger.db"},
        "cannot be opened: unable to open database file",
    ),
    "no ledger in the file": (
        "scoring",
        {"database_url": "sqlite:///{garbage}"},
        "cannot be opened: file is not a database",
    ),
    "a ledger of a newer version": (
        "scoring",
        {"database_url": "sqlite:///{newer}"},
        "cannot be opened: Can't locate revision identified by 's9999'",
    ),
    "no PostgreSQL": (
        "scoring",
        {"database_url": "postgresql://a:pw@127.0.0.1:{free_port}/x"},
        "the ledger at postgresql://a:***@127.0.0.1",
    ),
}


_KEY_SETS = {
    "keyless": '{"keys": []}',
    "other_keys": '{"keys": [{"kty": "oct", "kid": "a", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}]}',
    "list": "[1, 2]",
    "numbers": '{"keys": [5]}',
}


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """What the cases speak of: a folder, a file of garbage, brokers that will not do."""
    folder = tmp_path_factory.mktemp("places")
    garbage = folder / "garbage"
    garbage.write_text("neither key nor certificate, and longer than the header of a database: " + "x" * 200)
    newer = folder / "newer.db"
    with closing(sqlite3.connect(newer)) as ledger:
        ledger.executescript(
            "CREATE TABLE alembic_version (version_num); INSERT INTO alembic_version VALUES ('s9999');"
        )
    locks = folder / "locks.conf"
    locks.write_text("authorization { users = [ { user: engine, password: another } ] }")
    locked = NatsServer(folder / "locked", "-c", str(locks))
    locked.start()
    limits = folder / "limits.conf"
    limits.write_text("jetstream { max_file_store: 1 }")
    full = NatsServer(folder / "full", "-c", str(limits))
    full.start()
    asyncio.run(_fill(full))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield {
            "folder": str(folder),
            "garbage": str(garbage),
            "newer": str(newer),
            "free_port": str(free_port()),
            "taken": str(taken.getsockname()[1]),
            "locked": locked.url,
            "full": full.url,
            **{name: _written(folder / f"{name}.json", text) for name, text in _KEY_SETS.items()},
        }
    locked.stop()
    full.stop()


async def _fill(broker: NatsServer) -> None:
    bus = await connect(Server(broker.url), "test", CollectorRegistry())
    await ensure_stream(bus, StreamConfig(name="FULL", subjects=["full"], storage=StorageType.FILE))
    while await _takes_more(bus):
        pass
    await bus.close()


async def _takes_more(bus: Bus) -> bool:
    try:
        await append(bus, NewMessage("full", bytes(1000)))
    except StoreFull:
        return False
    return True


def _written(file: Path, text: str) -> str:
    file.write_text(text)
    return str(file)


@pytest.fixture
async def strangers() -> AsyncIterator[dict[str, str]]:
    """Brokers that greet as an old one does and as one without JetStream; nothing else is behind them."""
    async with _greeting("2.10.7") as old, _greeting("2.15.1") as plain:
        yield {"old": old, "plain": plain}


@asynccontextmanager
async def _greeting(version: str) -> AsyncIterator[str]:
    info = {"server_id": "x", "version": version, "max_payload": 1_048_576, "proto": 1, "headers": True}

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(f"INFO {json.dumps(info)}\r\n".encode())
        async for line in reader:
            if line.startswith(b"PING"):
                writer.write(b"PONG\r\n")
            elif line.startswith(b"PUB"):
                _, _, reply, _ = line.split()
                answer = b"NATS/1.0 503\r\n\r\n"
                writer.write(b"HMSG %s 1 %d %d\r\n%s\r\n" % (reply, len(answer), len(answer), answer))
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server:
        yield f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.fixture
def launcher(nats_server: NatsServer, keys: Keys, tmp_path: Path, begin: Begin) -> Iterator[Launcher]:
    """Starts services on a broker that would do."""
    with launching(nats_server, keys, tmp_path, begin) as made:
        yield made


def only_line(process: ServiceProcess) -> str:
    """The reason in the one line that a process wrote before it ended."""
    (text,) = process.written.splitlines()
    line = json.loads(text)
    assert (line["level"], line["event"]) == ("error", "start_failed")
    reason: str = line["reason"]
    assert "pw" not in reason
    return reason


@pytest.mark.parametrize("case", _WRONG_SETTINGS)
async def test_wrong_settings(launcher: Launcher, places: dict[str, str], case: str) -> None:
    service, settings, complaint = _WRONG_SETTINGS[case]
    chosen = {name: value.format(**places) for name, value in settings.items()}
    process = launcher.spawn(service, **chosen)
    assert await process.exit_code() == BAD_SETTINGS
    (line,) = process.written.splitlines()
    assert line.startswith(f"python -m shuangkou.{service}: bad configuration: ")
    assert complaint in line
    assert "pw" not in line


@pytest.mark.parametrize("case", _CANNOT_START)
async def test_what_cannot_start(
    launcher: Launcher, places: dict[str, str], strangers: dict[str, str], case: str
) -> None:
    service, settings, complaint = _CANNOT_START[case]
    chosen = {name: value.format(**places, **strangers) for name, value in settings.items()}
    process = launcher.spawn(service, **({"nats_patience_seconds": "1"} | chosen))
    assert await process.exit_code() == FAILED
    assert complaint.format(**places) in only_line(process)


@pytest.mark.parametrize("case", _WRONG_FILES)
async def test_files_and_settings_that_will_not_do_together(
    launcher: Launcher, places: dict[str, str], case: str
) -> None:
    service, settings, complaint = _WRONG_FILES[case]
    process = launcher.spawn(service, **{name: value.format(**places) for name, value in settings.items()})
    assert await process.exit_code() == BAD_SETTINGS
    assert complaint in only_line(process)


async def test_another_number_of_shards_than_that_of_the_streams(
    launcher: Launcher, keys: Keys, tmp_path: Path
) -> None:
    """Told of too many or of too few, with tables there and before the first one is opened."""
    engine = await launcher.start("engine", table_shards="2")

    def spawned(told: str, patience: str) -> list[ServiceProcess]:
        settings = {"table_shards": told, "engine_target": engine.target, "nats_patience_seconds": patience}
        ledger = {"database_url": f"sqlite:///{tmp_path}/{told}.db"}
        return [
            launcher.spawn("matchmaking", **settings),
            launcher.spawn("ai_player", **settings),
            launcher.spawn("scoring", **settings, **ledger),
        ]

    impatient = spawned("4", "1")
    for process in impatient:
        assert await process.exit_code() == FAILED
    patient = spawned("1", "60")
    clients = Clients([engine], keys)
    for _ in range(8):
        await clients.service().create(*PEOPLE)
    await clients.close()
    second_engine = launcher.spawn("engine", table_shards="4")
    for process in [*patient, second_engine]:
        assert await process.exit_code() == FAILED
    for process in [*impatient, *patient, second_engine]:
        assert "but the tables of this broker are spread over 2: set it to 2" in process.written
        assert "Traceback" not in process.written


async def test_a_broker_without_room_is_a_typed_error(keys: Keys, tmp_path: Path) -> None:
    limits = tmp_path / "limits.conf"
    limits.write_text("jetstream { max_file_store: 60000 }")
    broker = NatsServer(tmp_path / "nats", "-c", str(limits))
    broker.start()
    try:
        with launching(broker, keys, tmp_path) as launcher:
            engine = await launcher.start("engine")
            clients = Clients([engine], keys)
            service = clients.service()
            answer = None
            for number in range(400):
                request = CreateTableRequest(
                    command_id=f"t{number}", ruleset_id="qq", deals=1, seats=seated(*PEOPLE)
                )
                try:
                    await service.stub.CreateTable(request, metadata=service.metadata, timeout=20)
                except grpc.aio.AioRpcError:
                    answer = await refused(
                        service.stub.CreateTable(request, metadata=service.metadata, timeout=20)
                    )
                    break
            assert answer is not None
            status, refusal = answer
            assert (status, refusal.code) == (grpc.StatusCode.UNAVAILABLE, "server/log_full")
            assert engine.is_running
            assert "Traceback" not in engine.written
            await clients.close()
    finally:
        broker.stop()
