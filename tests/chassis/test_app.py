"""A fifth service as a process: starts, works, drains, stops; and how it fails to."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import grpc
import pytest

import kit.fifth_service
from kit.echo import EchoStub
from kit.keys import Keys
from kit.nats import NatsServer
from kit.service_process import ServiceProcess
from kit.waiting import eventually
from shuangkou.chassis import nats
from shuangkou.chassis.nats import Bus, NewMessage
from shuangkou.chassis.settings import describe

Start = Callable[..., ServiceProcess]


@pytest.fixture
def start(tmp_path: Path, nats_server: NatsServer, keys: Keys) -> Iterator[Start]:
    """Starts the fifth service, with settings of the test's own."""
    started: list[ServiceProcess] = []

    def begin(**settings: object) -> ServiceProcess:
        basic = {
            "nats_url": nats_server.url,
            "auth_keys_file": keys.key_set_file,
            "diary_file": tmp_path / "diary",
            "grace_seconds": 5,
        }
        log_file = tmp_path / f"service-{len(started)}.log"
        service = ServiceProcess("kit.fifth_service", log_file, {**basic, **settings})
        started.append(service)
        return service

    yield begin
    for service in started:
        service.kill()


def diary(tmp_path: Path) -> list[str]:
    path = tmp_path / "diary"
    return path.read_text().splitlines() if path.exists() else []


def test_the_fifth_service_is_cheap() -> None:
    source = Path(kit.fifth_service.__file__).read_text()
    assert len(source.splitlines()) <= 60


async def test_a_service_serves_works_and_drains(start: Start, keys: Keys, bus: Bus, tmp_path: Path) -> None:
    service = start()
    await service.serving()
    async with grpc.aio.insecure_channel(service.target) as channel:
        echo, token = EchoStub(channel), keys.player("alice")
        assert await echo.say("who", token) == "player alice"
        await nats.append(bus, NewMessage("fifth.do", b"job done"))
        await eventually(lambda: "job done" in diary(tmp_path))
        scraped = await asyncio.to_thread(_scrape, service.metrics_port)
        assert "shuangkou_fifth_jobs_total 1.0" in scraped
        assert 'grpc_server_handled_total{grpc_code="OK",grpc_method="Say"' in scraped
        assert "shuangkou_nats_connected 1.0" in scraped
        assert "shuangkou_event_loop_lag_seconds_bucket" in scraped
        watching = aiter(echo.count("1…", token))
        await anext(watching)
        assert await service.stop() == 0
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await anext(watching)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert diary(tmp_path) == ["job done", "second closed", "first closed"]


def _scrape(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        text: str = answer.read().decode()
        return text


async def test_running_calls_finish_before_the_process_ends(start: Start, keys: Keys) -> None:
    service = start(grace_seconds=1)
    await service.serving()
    async with grpc.aio.insecure_channel(service.target) as channel:
        hanging = asyncio.create_task(EchoStub(channel).say("hang", keys.player("alice"), timeout=30))
        await eventually(lambda: asyncio.to_thread(_call_started, service.metrics_port))
        assert await service.stop(signal.SIGINT) == 0
        with pytest.raises(grpc.aio.AioRpcError):
            await hanging


def _call_started(port: int) -> bool:
    return (
        'grpc_server_started_total{grpc_method="Say",grpc_service="kit.Echo",grpc_type="unary"} 1.0'
        in _scrape(port)
    )


async def test_a_background_task_that_dies_stops_the_process(start: Start, tmp_path: Path) -> None:
    service = start(fifth_fails=True)
    assert await service.exit_code() == 1
    line = service.line("background_task_ended")
    assert line is not None
    assert line["level"] == "error"
    assert "the background task died" in line["exception"]
    assert diary(tmp_path) == ["second closed", "first closed"]


async def test_a_service_survives_a_crash_of_the_server(
    start: Start, keys: Keys, nats_server: NatsServer, bus: Bus, tmp_path: Path
) -> None:
    service = start()
    await service.serving()
    nats_server.restart()
    await eventually(lambda: _appended(bus, b"after the crash"))
    await eventually(lambda: "after the crash" in diary(tmp_path))
    assert await service.stop() == 0


async def _appended(bus: Bus, payload: bytes) -> bool:
    try:
        await nats.append(bus, NewMessage("fifth.do", payload))
    except nats.NatsFailure:
        return False
    return True


async def test_no_nats_is_one_clear_line(start: Start, nats_server: NatsServer) -> None:
    nats_server.stop()
    service = start(nats_patience_seconds=0.5)
    assert await service.exit_code() == 1
    line = service.line("start_failed")
    assert line is not None
    assert line["reason"].startswith(f"no NATS at 127.0.0.1:{nats_server.port}")
    assert "Traceback" not in service.written


async def test_a_taken_port_is_one_clear_line(start: Start) -> None:
    first = start()
    await first.serving()
    second = start(grpc_address=first.target)
    assert await second.exit_code() == 1
    line = second.line("start_failed")
    assert line is not None
    assert f"cannot listen on {first.target}" in line["reason"]
    assert "Traceback" not in second.written


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"grace_seconds": "soon"}, "SHUANGKOU_GRACE_SECONDS='soon'"),
        ({"grpc_address": "nowhere"}, "SHUANGKOU_GRPC_ADDRESS='nowhere': expected HOST:PORT"),
        ({"auth_keys_file": "/nonexistent/keys"}, "no file at /nonexistent/keys"),
    ],
)
async def test_bad_settings_are_one_line_and_exit_code_2(
    start: Start, settings: dict[str, str], complaint: str
) -> None:
    service = start(**settings)
    assert await service.exit_code() == 2
    assert complaint in service.written
    assert len(service.written.splitlines()) == 1


def test_help_lists_every_setting() -> None:
    shown = describe(kit.fifth_service.FifthSettings, "python -m kit.fifth_service")
    for name in kit.fifth_service.FifthSettings.model_fields:
        assert f"SHUANGKOU_{name.upper()}\n" in shown
    assert "[default: 20.0]" in shown
    assert "[required]" in shown


async def test_a_service_ends_with_its_parent_where_asked(
    tmp_path: Path, nats_server: NatsServer, keys: Keys
) -> None:
    launcher = textwrap.dedent("""
        import pathlib, sys, time
        from kit.service_process import ServiceProcess
        log, *pairs = sys.argv[1:]
        settings = dict(pair.split("=", 1) for pair in pairs)
        service = ServiceProcess("kit.fifth_service", pathlib.Path(log), settings)
        print(service.pid, flush=True)
        time.sleep(60)
    """)
    settings = {
        "nats_url": nats_server.url,
        "auth_keys_file": keys.key_set_file,
        "diary_file": tmp_path / "diary",
        "die_with_parent": 1,
    }
    pairs = [f"{name}={value}" for name, value in settings.items()]
    command = [sys.executable, "-c", launcher, str(tmp_path / "log"), *pairs]
    parent = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, env={"PYTHONPATH": os.pathsep.join(sys.path)}
    )
    assert parent.stdout is not None
    child = int(await parent.stdout.readline())
    await eventually(lambda: '"event": "serving"' in (tmp_path / "log").read_text(), within=20)
    parent.kill()
    await parent.wait()
    await eventually(lambda: not _is_running(child))


def _is_running(pid: int) -> bool:
    # An orphan that nobody reaps stays as a zombie (Z).
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
