"""What goes wrong is one line that says what to do, never a traceback."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from kit.command import call_command, command_environment, command_line, run_command
from shuangkou.cli.commands import app
from shuangkou.wire.names import PLAYER_NAME_RULE


@pytest.mark.parametrize("arguments", [("play",), ("events",), ("events", "--follow"), ("leaderboard",)])
def test_without_a_suite_the_way_to_start_one_is_named(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ran = run_command(*arguments, "--data", str(tmp_path))
    assert ran.returncode == 1
    start = rf"\S+ -m shuangkou.cli up --data {tmp_path}"
    assert re.fullmatch(
        rf"shuangkou: no suite is running in {tmp_path}; start it with: {start}\n", ran.stderr
    )


@pytest.mark.parametrize(
    "command", ["rulesets show", "play --ruleset", "demo --ruleset", "leaderboard --ruleset"]
)
def test_an_unknown_ruleset_is_answered_with_the_known_ones(command: str) -> None:
    ran = call_command(*command.split(), "bridge")
    assert ran.returncode == 2
    assert ran.stderr.startswith("shuangkou: no ruleset 'bridge'; there are ")


def test_a_token_needs_keys(tmp_path: Path) -> None:
    ran = run_command("token", "alice", "--data", str(tmp_path))
    assert ran.returncode == 1
    assert "shuangkou.cli up" in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_version_is_printed() -> None:
    ran = run_command("--version")
    assert ran.stdout.startswith("shuangkou 0.")


def test_every_command_explains_itself() -> None:
    names = [command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands]
    assert "up" in names
    for name in [*names, "rulesets"]:
        ran = call_command(name, "--help")
        assert ran.returncode == 0
        assert f" {name} " in ran.stdout.splitlines()[0]


def test_the_rulesets_are_listed_and_shown_in_both_languages() -> None:
    assert "QQ双扣" in call_command("rulesets").stdout
    shown = call_command("rulesets", "show", "qq").stdout
    assert "joker_bomb_mult = 5   a table may choose: 4, 5" in shown
    assert "王炸的倍数" in shown


@pytest.mark.parametrize("command", ["play", "queue", "token"])
@pytest.mark.parametrize("name", ["bad name!", "", "x" * 65])
def test_a_bad_player_id_is_answered_with_what_a_good_one_is(command: str, name: str) -> None:
    ran = call_command(command, *(() if command == "token" else ("--name",)), name)
    assert ran.returncode == 2
    assert "name" in ran.stderr
    assert PLAYER_NAME_RULE in ran.stderr


@pytest.mark.parametrize("arguments", [("play", "--table"), ("events", "--table"), ("watch",)])
def test_an_empty_table_id_is_no_table(arguments: tuple[str, ...]) -> None:
    ran = call_command(*arguments, "")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "it is empty" in ran.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("demo", "--event"),
        ("play", "--event"),
        ("queue", "--event"),
        ("room", "create", "--event"),
        ("queue", "--with"),
        ("queue", "--region"),
        ("queues", "--ruleset"),
    ],
)
def test_a_blank_is_no_choice(arguments: tuple[str, ...]) -> None:
    """It is no way to leave the option out, either: what was meant to stand there is missing."""
    ran = call_command(*arguments, "")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.search(rf"Invalid value for '?{arguments[-1]}'?: it is empty", ran.stderr)


def test_an_empty_folder_name_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run_command("up", "--data", "")
    assert ran.returncode == 2
    assert "--data" in ran.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [("rulesets",), ("rulesets", "show", "qq"), ("vectors", "/dev/null")])
def test_output_that_cannot_be_written_is_one_line(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            command_line(*arguments),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=command_environment(),
            check=False,
            timeout=60,
        )
    assert (ran.returncode, ran.stderr) == (1, "shuangkou: cannot print: No space left on device\n")
