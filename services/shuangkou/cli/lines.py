"""Lines from standard input while other things happen: a terminal, a pipe, or a file."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
from collections.abc import Callable
from contextlib import suppress

_CHUNK = 4096


class TypedLines:
    """Calls ``on_line`` for every line typed, and ``on_end`` at the end of the input."""

    def __init__(self, on_line: Callable[[str], None], on_end: Callable[[], None]) -> None:
        self._on_line = on_line
        self._on_end = on_end
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._unfinished = ""
        self._descriptor = sys.stdin.fileno()

    def start(self) -> None:
        """Begin to listen."""
        try:
            asyncio.get_running_loop().add_reader(self._descriptor, self._read)
        except PermissionError:
            # A regular file cannot be waited for, and need not be.
            while self._read():
                continue

    def stop(self) -> None:
        """Stop listening."""
        with suppress(OSError, ValueError):
            asyncio.get_running_loop().remove_reader(self._descriptor)

    def _read(self) -> bool:
        chunk = os.read(self._descriptor, _CHUNK)
        *whole, self._unfinished = (self._unfinished + self._decoder.decode(chunk)).split("\n")
        for line in whole:
            self._on_line(line)
        if not chunk:
            self.stop()
            if self._unfinished:
                self._on_line(self._unfinished)
            self._on_end()
        return bool(chunk)
