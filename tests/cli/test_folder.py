"""The data folder: one suite at a time, and nobody is fooled by what a killed one left."""

from __future__ import annotations

import resource
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kit.command import call_command, run_command
from shuangkou.chassis.auth import Authenticator, CallerKind
from shuangkou.chassis.ledger_address import shown
from shuangkou.cli.clients import dev_token
from shuangkou.cli.folder import DataFolder, SuiteRecord
from shuangkou.cli.plan import plan_suite
from shuangkou.cli.ports import HOST, Ports
from shuangkou.cli.problem import Problem

RECORD = SuiteRecord(
    pid=4711,
    started="2026-01-01T00:00:00+00:00",
    nats_url="nats://127.0.0.1:4222",
    engines=["127.0.0.1:50051"],
    matchmaking="127.0.0.1:50061",
    ai_player="127.0.0.1:50071",
    scoring="127.0.0.1:50081",
    metrics={},
)


def test_a_running_suite_is_found(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    with folder.occupied():
        folder.write(RECORD)
        assert DataFolder(tmp_path / "data").running() == RECORD


def test_a_second_suite_is_refused_and_told_who_is_there(tmp_path: Path) -> None:
    first, second = DataFolder(tmp_path), DataFolder(tmp_path)
    with first.occupied():
        first.write(RECORD)
        with (
            pytest.raises(Problem, match=r"already runs in .* \(process 4711"),
            second.occupied(),
        ):
            pytest.fail("two suites in one folder")


def test_no_suite_no_folder(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="start it with: shuangkou up"):
        DataFolder(tmp_path / "nowhere").running()
    assert not (tmp_path / "nowhere").exists()


def test_what_a_killed_suite_left_does_not_count(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    with folder.occupied():
        folder.write(RECORD)
        left_behind = (tmp_path / "suite.json").read_text()
    (tmp_path / "suite.json").write_text(left_behind)
    with pytest.raises(Problem, match="no suite is running"):
        folder.running()
    with folder.occupied():
        pass


def test_a_suite_that_starts_is_not_found_yet(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    with folder.occupied(), pytest.raises(Problem, match="is still starting"):
        folder.running()


def test_a_suite_that_starts_is_not_taken_for_the_killed_one_before_it(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    with folder.occupied():
        folder.write(RECORD)
        left_behind = (tmp_path / "suite.json").read_text()
    (tmp_path / "suite.json").write_text(left_behind)
    with folder.occupied(), pytest.raises(Problem, match="is still starting"):
        folder.running()


def test_a_ledger_elsewhere_is_told_of_without_its_password(tmp_path: Path) -> None:
    folder, address = DataFolder(tmp_path), "postgresql+psycopg://me:secret@db:5432/ledger?password=secret"
    with folder.occupied(), Ports() as ports:
        plan = plan_suite(folder, ports, engines=1, base_port=0, ledger=address)
        folder.write(plan.record())
        assert {each.environment["SHUANGKOU_DATABASE_URL"] for each in plan.services} == {address}
        assert folder.running().ledger == plan.ledger == "postgresql+psycopg://me:***@db:5432/ledger"
        assert "secret" not in (tmp_path / "suite.json").read_text()
    for plain in ("sqlite:///some/file.db", "sqlite:////file.db", "postgresql://db/ledger"):
        assert shown(plain) == plain


def test_a_backup_says_that_a_ledger_elsewhere_is_not_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = DataFolder(tmp_path / "data")
    with folder.occupied():
        pass
    monkeypatch.setenv("SHUANGKOU_DATABASE_URL", "postgresql://me:secret@db/ledger")
    ran = call_command("backup", str(tmp_path / "copy"), "--data", str(folder.path))
    said = " ".join(ran.stdout.split())
    assert ran.returncode == 0, ran.stderr
    told = "The ledger 账本 in postgresql://me:***@db/ledger, which SHUANGKOU_DATABASE_URL names, is not"
    assert told in said

    monkeypatch.setenv("SHUANGKOU_DATABASE_URL", "mysql://me:secret@db/ledger")
    ran = call_command("backup", str(tmp_path / "another"), "--data", str(folder.path))
    assert (ran.returncode, (tmp_path / "another").exists(), "secret" in ran.stderr) == (2, False, False)
    assert "shuangkou: SHUANGKOU_DATABASE_URL: expected sqlite:///FILE or " in " ".join(ran.stderr.split())


def test_an_impossible_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Problem, match="choose another folder"), DataFolder(tmp_path / "file").occupied():
        pytest.fail("a file is no folder")


def test_the_folder_is_private(tmp_path: Path) -> None:
    with DataFolder(tmp_path / "data").occupied():
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_what_earlier_versions_left_open_is_closed(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    with folder.occupied():
        left = [folder.ledger, folder.path / "ledger.db-wal", folder.logs / "nats.log.1"]
        for file in left:
            file.touch()
            file.chmod(0o644)
    with folder.occupied():
        assert {stat.S_IMODE(file.stat().st_mode) for file in left} == {0o600}
        (folder.path / "new").touch()
    assert stat.S_IMODE((folder.path / "new").stat().st_mode) == 0o600


def test_a_taken_port_is_replaced_and_none_is_given_twice() -> None:
    with Ports() as ours, Ports() as others:
        wanted = ours.take(0)
        assert ours.take(wanted) != wanted
        other = others.take(wanted, "nats")
        assert other != wanted
        assert others.replaced == {"nats": (wanted, other)}


def test_a_port_that_somebody_else_listens_on_is_replaced() -> None:
    with socket.create_server((HOST, 0)) as server, Ports() as ports:
        port = server.getsockname()[1]
        assert ports.take(port, "nats") != port
        assert "nats" in ports.replaced


def test_a_freed_port_is_had_again() -> None:
    with Ports() as ports:
        port = ports.take(0)
    with Ports() as ports:
        assert ports.take(port) == port


def test_a_plan_gives_every_process_its_own_ports_and_one_way_to_the_engines(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    with folder.occupied(), Ports() as ports:
        plan = plan_suite(folder, ports, engines=3, base_port=0)
    names = [service.name for service in plan.services]
    assert names == ["engine-1", "engine-2", "engine-3", "matchmaking", "ai_player", "scoring"]
    addresses = [plan.nats.address, *(s.address for s in plan.services), *(s.metrics for s in plan.services)]
    assert len(set(addresses)) == len(addresses)
    engines = ",".join(service.address for service in plan.services[:3])
    assert {s.environment["SHUANGKOU_ENGINE_TARGET"] for s in plan.services} == {f"ipv4:{engines}"}
    assert {s.environment["SHUANGKOU_NATS_URL"] for s in plan.services} == {plan.nats_url}


def test_ports_that_were_named_are_not_replaced(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    with socket.create_server((HOST, 0)) as server, folder.occupied(), Ports() as ports:
        taken = server.getsockname()[1]
        base = taken - 2
        with pytest.raises(Problem, match=rf"--base-port {base} needs .* in use: .*{taken} for matchmaking"):
            plan_suite(folder, ports, engines=1, base_port=base)


def test_services_and_players_get_tokens_that_hold(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    with folder.occupied(), Ports() as ports:
        plan = plan_suite(folder, ports, engines=1, base_port=0)
    authenticator = Authenticator(Path(plan.services[0].environment["SHUANGKOU_AUTH_KEYS_FILE"]))
    file = Path(plan.services[0].environment["SHUANGKOU_SERVICE_TOKEN_FILE"])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    service = authenticator.authenticate(file.read_text())
    assert (service.subject, service.kind) == ("engine", CallerKind.SERVICE)
    player = authenticator.authenticate(dev_token(folder, "alice", CallerKind.PLAYER, 60))
    assert (player.subject, player.kind) == ("alice", CallerKind.PLAYER)


def test_streams_of_a_broker_without_accounts_become_those_of_the_suite(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    for content in ("old", "new"):
        with folder.occupied(), Ports() as ports:
            stored = folder.nats_store / "jetstream" / "$G" / "streams" / content
            stored.mkdir(parents=True)
            plan_suite(folder, ports, engines=1, base_port=0)
    kept = folder.nats_store / "jetstream"
    assert (kept / "SHUANGKOU" / "streams" / "old").is_dir()
    assert not (kept / "SHUANGKOU" / "streams" / "new").exists()


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Processes started inside the block cannot write a file beyond this many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_told_in_one_line_and_nothing_is_half_restored(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    with folder.occupied():
        for file in (folder.nats_store / "stream", folder.keys / "keys.json"):
            file.write_bytes(bytes(100))
    copy = tmp_path / "copy"
    assert run_command("backup", str(copy), "--data", str(folder.path)).returncode == 0
    (folder.nats_store / "stream").write_bytes(bytes(100_000))
    large = tmp_path / "large"
    assert run_command("backup", str(large), "--data", str(folder.path)).returncode == 0
    empty = DataFolder(tmp_path / "empty")
    with room_for(50_000):
        restored = run_command("restore", str(large), "--data", str(empty.path))
    assert (restored.returncode, restored.stdout) == (1, "")
    assert restored.stderr == (
        f"shuangkou: cannot write to {empty.path}: File too large; nothing was restored\n"
    )
    assert [file.name for file in empty.path.rglob("*") if file.is_file()] == ["lock"]
    assert run_command("restore", str(large), "--data", str(empty.path)).returncode == 0
    assert (empty.keys / "keys.json").read_bytes() == bytes(100)
    with room_for(0):
        started = run_command("up", "--data", str(tmp_path / "new"))
    assert started.returncode == 1
    assert started.stderr.startswith("shuangkou: there is no room left")
    assert started.stderr.count("\n") == 1


def test_a_copy_inside_of_what_is_copied_is_refused(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    with folder.occupied():
        pass
    refused = call_command("backup", str(tmp_path / "copy"), "--data", str(tmp_path))
    assert refused.returncode == 2
    assert f"is inside of {tmp_path}" in refused.stderr
    assert not (tmp_path / "copy").exists()


def test_settings_that_a_service_refuses_are_told_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHUANGKOU_BOT_SECONDS", "soon")
    refused = run_command("up", "--data", str(tmp_path))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("shuangkou: bad configuration: SHUANGKOU_BOT_SECONDS='soon': ")
    assert refused.stderr.count("\n") == 1
    assert not list((tmp_path / "logs").iterdir())
