"""What a load costs: the CPU time of processes that may die meanwhile, and a report that can be written."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client import generate_latest

from kit.command import call_command
from shuangkou.chassis.metrics import process_registry
from shuangkou.chassis.writable import why_not_writable
from shuangkou.cli.load_costs import Meter, Usage, usage_on


def spent(*readings: tuple[float, float]) -> float:
    """By pairs of a process's start and its CPU seconds."""
    meter = Meter()
    for started, cpu in readings:
        meter.read(Usage(started, cpu, 0.0))
    return meter.spent


def test_what_was_spent_before_does_not_count() -> None:
    assert spent() == 0
    assert spent((100, 7.0)) == 0
    assert spent((100, 7.0), (100, 9.0), (100, 12.5)) == 5.5


def test_a_process_that_died_counts_as_far_as_it_was_seen_and_its_successor_whole() -> None:
    assert spent((100, 7.0), (100, 9.0), (200, 1.0)) == 3.0
    # Also one that has used more by now than the dead one had.
    assert spent((100, 7.0), (100, 9.0), (200, 30.0)) == 32.0
    assert spent((100, 7.0), (100, 9.0), (200, 4.0), (300, 1.0)) == 7.0


def test_a_page_of_metrics_tells_it() -> None:
    usage = usage_on(generate_latest(process_registry()).decode())
    assert usage.started > 1_600_000_000
    assert usage.cpu > 0
    assert usage.memory > 0


def test_asking_leaves_a_file_as_it_is(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("kept")
    assert why_not_writable(there) == ""
    assert there.read_text() == "kept"
    assert why_not_writable(tmp_path / "new") == ""
    assert not (tmp_path / "new").exists()
    assert why_not_writable(tmp_path / "none" / "new") == "No such file or directory"
    assert why_not_writable(tmp_path) == "Is a directory"
    assert why_not_writable(there / "below") == "Not a directory"


@pytest.mark.parametrize(
    "command",
    [
        ("load", "--seconds", "3600", "--data", "none", "--report"),
        ("arena", "plain", "steady", "--deals", "100000", "--report"),
    ],
    ids=lambda command: command[0],
)
def test_a_report_that_cannot_be_written_is_told_before_the_run(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "none" / "report.html"
    refused = call_command(*command, str(file))
    assert refused.returncode == 2
    assert f"cannot write {file}: No such file or directory" in " ".join(refused.stderr.split())
