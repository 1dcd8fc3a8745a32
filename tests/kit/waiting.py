"""Waiting for conditions instead of sleeping."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any

_INTERVAL = 0.01


async def eventually(condition: Callable[[], Any | Awaitable[Any]], within: float = 10.0) -> Any:
    """Ask ``condition`` (plain or async) until it answers something true, and return that.

    Fails the test after ``within`` seconds, with the condition's last answer or AssertionError.
    """
    deadline = time.monotonic() + within
    while True:
        try:
            answer = condition()
            if inspect.isawaitable(answer):
                answer = await answer
            if answer:
                return answer
            complaint = f"still {answer!r}"
        except AssertionError as error:
            complaint = str(error)
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {within:g} s: {complaint}")
        await asyncio.sleep(_INTERVAL)
