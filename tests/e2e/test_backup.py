"""A suite that is copied, lost and restored goes on: the same tables, the same points, each event once."""

from __future__ import annotations

import shutil
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from kit.command import call_command, run_command
from kit.event_stream import check_one_deal, commits_of, settlements_of
from kit.keys import Keys
from kit.suite import LocalSuite, suite_up
from kit.suite_callers import channel_to, metadata
from kit.table_clients import PEOPLE, Caller, is_dealt, play_one, play_until
from kit.waiting import eventually
from shuangkou.chassis.dev_keys import create_dev_keys
from shuangkou.rules.ruleset import load
from shuangkou.v1.scoring_pb2 import GetLeaderboardRequest, GetLeaderboardResponse
from shuangkou.v1.scoring_pb2_grpc import ScoringServiceStub
from shuangkou.v1.table_pb2 import TABLE_PHASE_FINISHED
from shuangkou.v1.table_pb2_grpc import TableServiceStub

_SECONDS = 90.0
_ACTS = 7


async def test_a_restored_suite_goes_on(tmp_path: Path) -> None:
    with suite_up(tmp_path) as suite:
        async with _players(suite) as (people, service):
            over, running = await service.create(*PEOPLE), await service.create(*PEOPLE)
            await play_until(people, over, lambda view: view.phase == TABLE_PHASE_FINISHED)
            view = await play_until(people, running, is_dealt)
            for _ in range(_ACTS):
                await play_one(people, running, view)
                view = await people[0].view(running)
        await eventually(lambda: settlements_of(suite.events_url, over), within=_SECONDS)
        board = await _leaderboard(suite)
        before = await commits_of(suite.events_url, running)
        refused = run_command("backup", str(tmp_path / "copy"), *suite.data)
        assert refused.returncode == 1
        assert "stop it first" in refused.stderr
    _copy_lose_and_restore(tmp_path, suite)
    with suite_up(tmp_path) as suite:
        assert await _leaderboard(suite) == board
        async with _players(suite) as (people, _):
            again = await people[0].view(running)
            assert again.version >= view.version
            await play_until(people, running, lambda view: view.phase == TABLE_PHASE_FINISHED)
        commits = await commits_of(suite.events_url, running)
        assert commits[: len(before)] == before
        check_one_deal(load("qq"), commits)
        await eventually(lambda: settlements_of(suite.events_url, running), within=_SECONDS)
        assert len(await settlements_of(suite.events_url, over)) == 1
        assert {row.player_id: row.deals for row in (await _leaderboard(suite)).rows} == dict.fromkeys(
            PEOPLE, 2
        )


def _copy_lose_and_restore(folder: Path, suite: LocalSuite) -> None:
    copy = folder / "copy"
    made = run_command("backup", str(copy), *suite.data)
    assert made.returncode == 0, made.stderr
    assert "hidden cards" in made.stdout
    for file in copy.rglob("*"):
        assert stat.S_IMODE(file.stat().st_mode) == (0o700 if file.is_dir() else 0o600), file
    shutil.rmtree(suite.folder)
    restored = run_command("restore", str(copy), *suite.data)
    assert restored.returncode == 0, restored.stderr
    twice = run_command("restore", str(copy), *suite.data)
    assert twice.returncode == 2
    assert "holds a suite already" in twice.stderr


def test_a_damaged_backup_is_not_restored(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    (data / "nats").mkdir(parents=True)
    (data / "nats" / "block").write_bytes(b"what a table was")
    (data / "keys").mkdir()
    assert call_command("backup", str(copy), "--data", str(data)).returncode == 0
    (copy / "nats" / "block").write_bytes(b"what a table is.")
    damaged = call_command("restore", str(copy), "--data", str(tmp_path / "other"))
    assert damaged.returncode == 2
    assert "nats/block" in damaged.stderr
    assert not (tmp_path / "other").exists()
    (copy / "backup.json").unlink()
    partial = call_command("restore", str(copy), "--data", str(tmp_path / "other"))
    assert partial.returncode == 2
    assert "there is no backup" in partial.stderr


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_nothing_to_copy_is_one_line(tmp_path: Path, command: str) -> None:
    missing = call_command(command, str(tmp_path / "copy"), "--data", str(tmp_path / "none"))
    assert missing.returncode == 2
    assert len(missing.stderr.splitlines()) == 1


@asynccontextmanager
async def _players(suite: LocalSuite) -> AsyncIterator[tuple[dict[int, Caller], Caller]]:
    """The four people by seat, and a service that seats them."""
    made = create_dev_keys(suite.folder / "keys")
    keys = Keys(made.key_set_file, made.private_key_file)
    async with channel_to(*suite.record["engines"]) as channel:
        stub = TableServiceStub(channel)
        people = {seat: Caller(name, stub, metadata(suite, name)) for seat, name in enumerate(PEOPLE)}
        bearer = (("authorization", f"Bearer {keys.service('matchmaking')}"),)
        yield people, Caller("matchmaking", stub, bearer)


async def _leaderboard(suite: LocalSuite) -> GetLeaderboardResponse:
    async with channel_to(suite.record["scoring"]) as channel:
        request = GetLeaderboardRequest(ruleset_id="qq", page_size=500)
        return await ScoringServiceStub(channel).GetLeaderboard(
            request, timeout=20, metadata=metadata(suite, PEOPLE[0])
        )
