"""A private table in the terminal: opened, shared with those who are invited, closed to others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kit.command import RunningCommand, run_command, running
from kit.suite import LocalSuite, suite_up
from shuangkou.cli.commands import app


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSuite]:
    with suite_up(tmp_path_factory.mktemp("suite")) as up:
        yield up


def table_of(player: RunningCommand) -> str:
    printed = player.until(lambda printed: re.search(r"Table \w{20} ", printed) is not None)
    return str(re.findall(r"Table (\w{20}) ", printed)[0])


def test_only_who_is_invited_sits_down_or_looks_on(suite: LocalSuite, tmp_path: Path) -> None:
    opening = ("play", "--private", "--invite", "bob", "--open", "1", "--name", "alice", *suite.data)
    with running(tmp_path / "alice.txt", *opening) as alice:
        table = table_of(alice)
        printed = alice.until_printed("play --table")
        assert "Private 私人桌; invited 邀请: bob." in printed
        assert f"invite {table} NAME --name alice" in printed
        refused = run_command("play", "--table", table, "--name", "carol", *suite.data)
        assert refused.returncode == 1
        assert "this table is private" in refused.stderr
        invited = run_command("invite", table, "carol", "dave", "--name", "alice", *suite.data)
        assert "Invited 邀请: carol, dave." in invited.stdout
        with (
            running(tmp_path / "carol.txt", "watch", table, "--name", "carol", *suite.data) as carol,
            running(tmp_path / "bob.txt", "play", "--table", table, "--name", "bob", *suite.data) as bob,
        ):
            bob.until_printed("Seated at table")
            alice.until_printed("Deal 1")
            assert "your turn" not in carol.until_printed("Deal 1")
            again = ("play", "--table", table, "--name", "bob", *suite.data)
            with running(tmp_path / "bob2.txt", *again) as elsewhere:
                elsewhere.until_printed("Back at table")
                bob.until_printed("another stream of your seat")
                assert bob.ended() == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("play", "--invite", "bob"), "--invite is for a table that is --private"),
        (("play", "--private", "--invite", "no name"), "use 1 to 64 of"),
        (("play", "--private", "--table", "x"), "comes back to a table as it is"),
        (("invite", "x" * 20), "Missing argument"),
    ],
)
def test_mistakes_are_told_before_a_table_is_opened(arguments: tuple[str, ...], complaint: str) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert complaint in done.stderr
