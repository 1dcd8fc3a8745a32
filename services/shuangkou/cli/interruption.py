"""Commands that end when they are told to: Ctrl-C, a stopped service unit, a closed terminal."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

from shuangkou.cli.problem import first_of

STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(command: Coroutine[Any, Any, int], interrupted: int) -> int:
    """The command's exit code, or ``interrupted`` when a signal ended it. Each signal cancels once more."""
    try:
        return asyncio.run(_cancellable(command))
    except asyncio.CancelledError:
        return interrupted
    except BaseExceptionGroup as failures:
        raise first_of(failures) from None


async def undisturbed(work: Coroutine[Any, Any, None], seconds: float) -> bool:
    """Do the work, however often this is cancelled meanwhile; False where it takes longer than it may."""
    task = asyncio.ensure_future(asyncio.wait_for(work, seconds))
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait((task,))
    try:
        task.result()
    except TimeoutError:
        return False
    return True


async def _cancellable(command: Coroutine[Any, Any, int]) -> int:
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(command)
    for number in STOPPING:
        loop.add_signal_handler(number, task.cancel)
    try:
        return await task
    finally:
        for number in STOPPING:
            loop.remove_signal_handler(number)
