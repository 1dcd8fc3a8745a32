"""Engines come and go under load, and no client sees more of it than a call or a stream to repeat."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

from kit.command import run_command
from kit.keys import Keys
from kit.ports import free_port
from kit.service_process import Launcher, ServiceProcess
from kit.suite import suite_up
from kit.waiting import eventually
from shuangkou.chassis.auth import CallerKind
from shuangkou.chassis.channels import target_of
from shuangkou.chassis.nats import Bus, read
from shuangkou.cli.load import LoadOptions, drive
from shuangkou.cli.load_clients import Pace
from shuangkou.cli.load_report import Report, page
from shuangkou.cli.load_tally import Tally
from shuangkou.cli.rulebook import read_game
from shuangkou.v1.events_pb2 import Commit

_SECONDS = 40.0
_TABLES = 8
_SOME_ACTS = 60
# CANCELLED: of a call that comes in the very moment in which an engine stops.
_REPEATABLE = {"UNAVAILABLE", "CANCELLED"}
_STREAM_ENDS = {"UNAVAILABLE", "ended"}


async def test_one_engine_three_and_one_again(engine_launcher: Launcher, keys: Keys, bus: Bus) -> None:
    addresses = [f"127.0.0.1:{free_port()}" for _ in range(3)]

    async def start(address: str) -> ServiceProcess:
        return await engine_launcher.start("engine", grpc_address=address)

    def mint(subject: str, kind: CallerKind) -> str:
        is_player = kind is CallerKind.PLAYER
        return keys.player(subject, 600) if is_player else keys.service(subject, 600)

    async def plays_on() -> None:
        before = tally.acts
        await eventually(lambda: tally.acts >= before + _SOME_ACTS, within=_SECONDS)

    tally = Tally()
    first = await start(addresses[0])
    game = read_game("qq", "", 1)
    options = LoadOptions((game,), _TABLES, _SECONDS, Pace(think_seconds=0.05, watchers=2))
    playing = asyncio.create_task(drive(target_of(addresses), mint, options, tally))
    await plays_on()
    second, third = await asyncio.gather(start(addresses[1]), start(addresses[2]))
    await plays_on()
    assert await first.stop() == 0
    await plays_on()
    assert await second.stop() == 0
    await plays_on()
    assert third.is_running
    await playing
    assert tally.deals
    assert not tally.faults
    assert set(tally.repeats) <= _REPEATABLE
    assert set(tally.streams) <= _STREAM_ENDS
    stored = await _stored_acts(bus)
    assert set(stored.values()) == {1}
    # What was under way at the end was stored, too, though nobody waited for the answer.
    assert tally.acts <= len(stored) <= tally.acts + _TABLES


async def _stored_acts(bus: Bus) -> Counter[tuple[str, str]]:
    """How often each act of a person is in the log, by table and command."""
    commits = [Commit.FromString(each.payload) async for each in read(bus, "TABLES", "table.*.*.public.*")]
    return Counter((each.table_id, each.command_id) for each in commits if each.actor.startswith("load"))


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
