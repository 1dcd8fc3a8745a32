"""Free ports on the loopback interface."""

from __future__ import annotations

import socket
from types import TracebackType

HOST = "127.0.0.1"
_LAST_PORT = 65535


class Ports:
    """Hands out free ports, each once, and holds them until the end of the block."""

    def __init__(self) -> None:
        self._held: list[socket.socket] = []
        self.replaced: dict[str, tuple[int, int]] = {}
        """By whom it was asked for: the preferred port that was in use, and the one given instead."""

    def __enter__(self) -> Ports:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for held in self._held:
            held.close()

    def take(self, preferred: int, asker: str = "") -> int:
        """The preferred port if it is free, else any free one; 0 has no preference."""
        held = _bound(preferred) or _bound(0)
        if held is None:
            raise OSError(f"no free port on {HOST}")
        self._held.append(held)
        port: int = held.getsockname()[1]
        if preferred not in (0, port):
            self.replaced[asker] = preferred, port
        return port


def _bound(port: int) -> socket.socket | None:
    candidate = socket.socket()
    # As servers do, so that connections of a server that has just stopped do not count.
    candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        candidate.bind((HOST, port if port <= _LAST_PORT else 0))
        candidate.listen(1)
    except OSError:
        candidate.close()
        return None
    return candidate
