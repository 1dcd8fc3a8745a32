"""What a command suggests can be typed as it stands."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from shuangkou.cli.folder import DEFAULT, DataFolder
from shuangkou.cli.invocation import suggestion


def script(folder: Path) -> Path:
    file = folder / "bin" / "shuangkou"
    file.parent.mkdir()
    file.touch(mode=0o755)
    return file


def test_a_script_beside_the_reader_is_named_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/nowhere")
    for started in (script(tmp_path), "bin/shuangkou"):
        monkeypatch.setattr(sys, "argv", [str(started), "up"])
        assert suggestion("play") == "bin/shuangkou play"


def test_a_script_elsewhere_is_named_as_it_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "argv", [str(script(tmp_path)), "up"])
    assert suggestion("play") == f"{tmp_path}/bin/shuangkou play"


def test_what_is_on_the_path_needs_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = script(tmp_path)
    monkeypatch.setenv("PATH", str(file.parent))
    monkeypatch.setattr(sys, "argv", [str(file), "up"])
    assert suggestion("play") == "shuangkou play"


def test_a_module_is_started_as_a_module_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/some/where/shuangkou/cli/__main__.py", "up"])
    monkeypatch.setattr(sys, "orig_argv", ["python3", "-m", "shuangkou.cli", "up"])
    assert suggestion("play") == "python3 -m shuangkou.cli play"


def test_another_folder_is_named_and_quoted(tmp_path: Path) -> None:
    folder = tmp_path / "my suite"
    assert shlex.split(DataFolder(folder).suggest("play"))[-2:] == ["--data", str(folder)]
    assert "--data" not in DataFolder(DEFAULT).suggest("play")
