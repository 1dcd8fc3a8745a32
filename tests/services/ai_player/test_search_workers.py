"""The processes that search belong to their AI player, and end with it."""

from __future__ import annotations

from pathlib import Path

from kit.service_process import Launcher, ServiceProcess
from kit.waiting import eventually


def descendants(pid: int) -> set[int]:
    """The running processes that a process has started, and those that these have."""
    found: set[int] = set()
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, listed.read_text().split()):
            found |= {child} | descendants(child)
    return found


def is_running(pid: int) -> bool:
    """Neither gone nor only waiting to be noticed as dead."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in ("Z", "X")


async def test_a_killed_ai_player_leaves_no_process_behind(
    launcher: Launcher, engine: ServiceProcess
) -> None:
    player = await launcher.start("ai_player", engine_target=engine.target, search_processes="2")
    workers = descendants(player.pid)
    assert len(workers) >= 2
    player.kill()
    await eventually(lambda: not any(map(is_running, workers)))


async def test_an_ai_player_that_is_asked_to_stop_takes_its_workers_along(
    launcher: Launcher, engine: ServiceProcess
) -> None:
    player = await launcher.start("ai_player", engine_target=engine.target)
    workers = descendants(player.pid)
    assert workers
    assert await player.stop() == 0
    await eventually(lambda: not any(map(is_running, workers)))
