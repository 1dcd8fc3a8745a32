"""Machine code that an image brings is used, not made again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from shuangkou.fastplay.kernel import BROUGHT

_PROBE = """
from shuangkou.fastplay.kernel import kernel

@kernel
def twice(number):
    return number + number

assert twice(21) == 42
print(sum(twice.stats.cache_hits.values()), sum(twice.stats.cache_misses.values()))
"""


def run_probe(probe: Path, kept: Path, brought: Path | None = None) -> tuple[int, int]:
    """In a process of its own: how many functions it loaded, and how many it compiled."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(kept)}
    environment.pop(BROUGHT, None)
    if brought is not None:
        environment[BROUGHT] = str(brought)
    ran = subprocess.run(
        [sys.executable, str(probe)], env=environment, check=True, capture_output=True, text=True, timeout=100
    )
    hits, misses = map(int, ran.stdout.split())
    return hits, misses


def content(folder: Path) -> dict[str, bytes]:
    """Every file by its path."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_what_an_image_brings_is_not_compiled_again(tmp_path: Path) -> None:
    probe, baked, fresh = tmp_path / "probe.py", tmp_path / "baked", tmp_path / "kept" / "fresh"
    probe.write_text(_PROBE)
    assert run_probe(probe, baked) == (0, 1)
    made = content(baked)
    (digest,) = (folder.name for folder in baked.iterdir())
    # Of other sources: it is not for us.
    (baked / "0123456789abcdef").mkdir()
    (baked / "0123456789abcdef" / "other.nbc").write_bytes(b"")
    assert run_probe(probe, fresh, baked) == (1, 0)
    assert content(fresh) == made
    assert [folder.name for folder in fresh.iterdir()] == [digest]
    assert (fresh / digest).stat().st_mode & 0o077 == 0
    assert run_probe(probe, fresh, baked) == (1, 0)


def test_an_image_that_brings_nothing_of_ours_is_no_obstacle(tmp_path: Path) -> None:
    probe = tmp_path / "probe.py"
    probe.write_text(_PROBE)
    assert run_probe(probe, tmp_path / "kept", tmp_path / "nowhere") == (0, 1)
    assert run_probe(probe, tmp_path / "kept", tmp_path / "nowhere") == (1, 0)
