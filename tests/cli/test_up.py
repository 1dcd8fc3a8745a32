"""`shuangkou up`: everything starts, comes back, and is gone in the end."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import time
from pathlib import Path

import pytest

from kit.command import processes_with, run_command, running
from kit.suite import suite_up


def gone(folder: Path) -> bool:
    """Whether no process of a suite in the folder is left, after some patience."""
    deadline = time.monotonic() + 30
    while processes_with(str(folder)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_a_suite_starts_and_ctrl_c_ends_all_of_it(tmp_path: Path) -> None:
    with suite_up(tmp_path, "--engines", "2") as suite:
        printed = suite.command.printed
        record = suite.record
        assert len(record["engines"]) == 2
        for address in (*record["engines"], record["matchmaking"], record["ai_player"], record["scoring"]):
            assert address in printed
        assert record["pid"] == suite.command.process.pid
        for file in suite.folder.rglob("*"):
            assert stat.S_IMODE(file.stat().st_mode) == (0o700 if file.is_dir() else 0o600), file
        second = run_command("up", *suite.data)
        assert second.returncode == 1
        assert second.stderr.startswith(f"shuangkou: a suite already runs in {suite.folder} (process ")
        assert suite.command.interrupt() == 0
        assert suite.command.printed.endswith("Stopped.\n")
        assert processes_with(str(suite.folder)) == []
        assert not (suite.folder / "suite.json").exists()


def test_a_killed_suite_leaves_no_process_and_is_known_to_be_gone(tmp_path: Path) -> None:
    with suite_up(tmp_path) as suite:
        os.kill(suite.command.process.pid, signal.SIGKILL)
        suite.command.process.wait()
        assert gone(suite.folder)
        assert (suite.folder / "suite.json").exists()
        assert "no suite is running" in run_command("leaderboard", *suite.data).stderr


def test_what_dies_comes_back_where_it_was(tmp_path: Path) -> None:
    programs = {"engine-1": "shuangkou.engine", "scoring": "shuangkou.scoring", "nats": "nats-server"}
    with suite_up(tmp_path) as suite:
        before = suite.record
        for name, program in programs.items():
            suite.kill(name, program)
            assert f"{name} was ended by SIGKILL; starting it again in 0.2 s" in suite.command.printed
            assert len(suite.processes(program, name)) == 1
        assert suite.record == before
        assert run_command("demo", *suite.data).returncode == 0


def test_taken_ports_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "second").mkdir()
    with suite_up(tmp_path) as first, suite_up(tmp_path / "second") as second:
        ours = {first.record["nats_url"], *first.record["engines"], *first.record["metrics"].values()}
        theirs = {second.record["nats_url"], *second.record["engines"], *second.record["metrics"].values()}
        assert not ours & theirs
        said = (
            rf"  Port \d+ was in use, so nats listens on {second.record['nats_url'].rpartition(':')[2]}\.\n"
        )
        assert re.search(said, second.command.printed)


def test_services_log_as_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUANGKOU_LOG_FORMAT", "json")
    monkeypatch.setenv("SHUANGKOU_LOG_LEVEL", "debug")
    with suite_up(tmp_path) as suite:
        first, *_ = (suite.folder / "logs" / "engine-1.log").read_text().splitlines()
        assert json.loads(first)["service"] == "engine"
        environment = Path(f"/proc/{suite.processes('shuangkou.engine', 'engine-1')[0]}/environ").read_text()
        assert "SHUANGKOU_LOG_LEVEL=debug" in environment.split("\0")


def test_what_does_not_start_is_shown_with_the_end_of_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHUANGKOU_STREAM_REPLICAS", "3")
    with running(tmp_path / "up.txt", "up", "--data", str(tmp_path / "data")) as command:
        assert command.ended() == 1
        assert " stopped with exit code 1; the end of " in command.printed
        assert "SHUANGKOU_STREAM_REPLICAS" in command.printed
        assert "Traceback" not in command.printed
    assert processes_with(str(tmp_path)) == []


def test_verbose_shows_the_logs_of_the_services(tmp_path: Path) -> None:
    with suite_up(tmp_path, "--verbose") as suite:
        suite.command.until(lambda printed: "engine-1 | " in printed and "nats | " in printed)


def test_the_log_of_the_suite_before_is_kept(tmp_path: Path) -> None:
    for _ in range(2):
        with suite_up(tmp_path) as suite:
            logs = suite.folder / "logs"
    assert {file.name for file in logs.iterdir()} >= {
        "engine-1.log",
        "engine-1.log.1",
        "nats.log",
        "nats.log.1",
    }


def test_the_demo_of_up_is_shown_and_then_goes_on_unseen(tmp_path: Path) -> None:
    with suite_up(tmp_path, "--demo") as suite:
        printed = suite.command.until_printed("More tables are played now")
        assert printed.count("Match over 终局") == 1
        with running(tmp_path / "events.txt", "events", "--follow", *suite.data) as events:
            events.until_printed("match over")
        assert suite.command.printed == printed
        assert suite.command.interrupt() == 0


def test_a_second_ctrl_c_does_not_wait(tmp_path: Path) -> None:
    with suite_up(tmp_path) as suite:
        for process in suite.processes("shuangkou.scoring", "scoring"):
            os.kill(process, signal.SIGSTOP)
        suite.command.process.send_signal(signal.SIGINT)
        suite.command.until_printed("press Ctrl-C again")
        assert suite.command.interrupt() == 0
        assert gone(suite.folder)


def test_a_demo_that_is_interrupted_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with running(tmp_path / "demo.txt", "demo", "--deals", "100", "--data", str(tmp_path / "none")) as demo:
        demo.until_printed("── trick 2")
        assert demo.interrupt() == 130
    assert processes_with(str(tmp_path)) == []
    assert [file.name for file in tmp_path.iterdir()] == ["demo.txt"]
