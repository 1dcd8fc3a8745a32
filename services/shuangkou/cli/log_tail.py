"""A growing log file, line by line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

_PAUSE_SECONDS: Final = 0.2


async def follow_log(path: Path) -> AsyncGenerator[str, None]:
    """Every whole line of the file, from its start, as it is written. It ends only with its reader."""
    unfinished = ""
    with path.open(encoding="utf-8", errors="replace") as log:
        while True:
            *whole, unfinished = (unfinished + log.read()).split("\n")
            for line in whole:
                yield line
            await asyncio.sleep(_PAUSE_SECONDS)
