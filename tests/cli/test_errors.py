"""What goes wrong is one line that says what to do, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from kit.command import run_command
from shuangkou.cli.advice import advise
from shuangkou.cli.commands import app
from shuangkou.rules.errors import CODES
from shuangkou.v1 import errors_pb2


@pytest.mark.parametrize("arguments", [("play",), ("events",), ("events", "--follow"), ("leaderboard",)])
def test_without_a_suite_the_way_to_start_one_is_named(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ran = run_command(*arguments, "--data", str(tmp_path))
    assert ran.returncode == 1
    assert ran.stderr == f"shuangkou: no suite is running in {tmp_path}; start it with: shuangkou up\n"


@pytest.mark.parametrize("command", ["rulesets show", "play --ruleset", "demo --ruleset"])
def test_an_unknown_ruleset_is_answered_with_the_known_ones(command: str) -> None:
    ran = run_command(*command.split(), "bridge")
    assert ran.returncode == 2
    assert ran.stderr.startswith("shuangkou: no ruleset 'bridge'; there are ")


def test_a_token_needs_keys(tmp_path: Path) -> None:
    ran = run_command("token", "alice", "--data", str(tmp_path))
    assert ran.returncode == 1
    assert "shuangkou up" in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_version_is_printed() -> None:
    ran = run_command("--version")
    assert ran.stdout.startswith("shuangkou 0.")


def test_every_command_explains_itself() -> None:
    names = [command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands]
    assert "up" in names
    for name in [*names, "rulesets"]:
        ran = CliRunner().invoke(app, [name, "--help"])
        assert ran.exit_code == 0
        assert f" {name} " in ran.stdout.splitlines()[0]


def test_the_rulesets_are_listed_and_shown_in_both_languages() -> None:
    assert "QQ双扣" in run_command("rulesets").stdout
    shown = run_command("rulesets", "show", "qq").stdout
    assert "joker_bomb_mult = 5   a table may choose: 4, 5" in shown
    assert "王炸的倍数" in shown


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_refusal_of_the_rules_is_one_line(code: str) -> None:
    advice = advise(errors_pb2.Refusal(code=code, explanation="7 does not beat 8"))
    assert advice.startswith("7 does not beat 8")
    assert "\n" not in advice
