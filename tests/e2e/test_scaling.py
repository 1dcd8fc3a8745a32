"""Engines come and go under load, and no client sees more of it than a call or a stream to repeat."""

from __future__ import annotations

from pathlib import Path

from kit.command import run_command
from kit.keys import Keys
from kit.ports import free_port
from kit.scaling import scale
from kit.service_process import Launcher
from kit.suite import suite_up
from shuangkou.cli.load import LoadOptions
from shuangkou.cli.load_clients import Pace
from shuangkou.cli.load_report import Report, page
from shuangkou.cli.load_tally import Tally
from shuangkou.cli.rulebook import read_game

_SECONDS = 40.0
_TABLES = 8


async def test_one_engine_three_and_one_again(engine_launcher: Launcher, keys: Keys) -> None:
    addresses = [f"127.0.0.1:{free_port()}" for _ in range(3)]
    options = LoadOptions((read_game("qq", "", 1),), _TABLES, _SECONDS, Pace(think_seconds=0.05, watchers=2))
    outcome = await scale(engine_launcher, keys, options, addresses)
    assert outcome.complaints(_TABLES) == []


def test_load_on_a_local_suite(tmp_path: Path) -> None:
    report = tmp_path / "load.html"
    with suite_up(tmp_path) as suite:
        games = ("--ruleset", "qq", "--ruleset", "sheng_basic", "--ruleset", "bid52")
        options = ("--tables", "3", "--seconds", "15", "--report", str(report))
        done = run_command("load", *games, *options, *suite.data)
        unknown = run_command("load", "--ruleset", "whist", *suite.data)
    assert unknown.returncode == 2
    assert "whist" in unknown.stderr
    assert done.returncode == 0, done.stdout + done.stderr
    told = dict(line.split(None, 1) for line in done.stdout.splitlines() if line.startswith("faults"))
    assert told == {"faults": "none"}
    assert "bytes in TABLES" in done.stdout
    assert "3, of qq, sheng_basic, bid52" in done.stdout
    assert "clients saw no fault" in done.stdout
    assert "10 of 15 s: " in done.stderr
    assert "<polyline" in report.read_text()


def test_a_report_tells_faults_and_escapes_them() -> None:
    tally = Tally()
    tally.answered(0.004)
    tally.faults["<lost>"] += 1
    report = Report(tally, "2 cores", ("qq",), 1)
    assert report.verdict == "1 times a client saw what it must never see; see faults."
    written = page(report)
    assert '<tr class="bad"><td>faults</td><td>1 × &lt;lost&gt;</td></tr>' in written
    assert "<lost>" not in written
