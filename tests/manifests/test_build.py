"""The build files: lock files for any package index, make targets with a word on each, protos that lint."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
LOCK_FILES = ("requirements.txt", "requirements-runtime.txt", "tests/bench/requirements.txt")


def pins(lock_file: str) -> dict[str, str]:
    lines = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock_file).read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in lines}


def asked_for(*extras: str) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = [line for extra in extras for line in project["optional-dependencies"][extra]]
    return [Requirement(line) for line in project["dependencies"] + optional]


@pytest.mark.parametrize("lock_file", LOCK_FILES)
def test_a_lock_file_names_no_place(lock_file: str) -> None:
    content = (ROOT / lock_file).read_text()
    assert not re.search(r"://|^-|@ |(^|\s)/", content, re.MULTILINE)


@pytest.mark.parametrize("lock_file", LOCK_FILES)
def test_every_pin_has_hashes(lock_file: str) -> None:
    content = (ROOT / lock_file).read_text()
    assert len(re.findall(r"^[\w.-]+==\S+ \\\n    --hash=sha256:", content, re.MULTILINE)) == len(
        pins(lock_file)
    )


@pytest.mark.parametrize(
    ("lock_file", "extras"),
    [("requirements.txt", ("scoring", "local", "dev")), ("requirements-runtime.txt", ("scoring",))],
)
def test_a_lock_file_pins_what_the_project_asks_for(lock_file: str, extras: tuple[str, ...]) -> None:
    pinned = pins(lock_file)
    for requirement in asked_for(*extras):
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), requirement


def test_the_images_run_the_versions_that_are_tested() -> None:
    assert pins("requirements-runtime.txt").items() <= pins("requirements.txt").items()


def test_the_measurements_run_with_the_libraries_that_are_tested() -> None:
    tested, measured = pins("requirements.txt"), pins("tests/bench/requirements.txt")
    assert {name: tested[name] for name in measured.keys() & tested.keys()}.items() <= measured.items()
    assert "rlcard" in measured.keys() - tested.keys()


def test_make_help_lists_every_target() -> None:
    phony = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    shown = subprocess.run(
        ["make", "-s", "help"], check=True, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    listed = re.findall(r"^  make ([a-z-]+) +\S", shown.stdout, re.MULTILINE)
    assert sorted(listed) == sorted(target for line in phony for target in line.split())


def test_the_protos_lint() -> None:
    result = subprocess.run(
        [str(TOOLS / "buf"), "lint", "protos"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
    )
    assert result.returncode == 0, result.stdout + result.stderr
