"""Free ports on the loopback interface."""

from __future__ import annotations

import random
import socket
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Final

HOST: Final = "127.0.0.1"
_LAST_PORT: Final = 65535
# Outgoing connections take their ports from above, so that none of them slips in before a server listens.
_SPARE: Final = range(20_000, 32_768)


class Ports:
    """Hands out free ports, each once, to one suite on this machine until the end of the block.

    On Linux a server of the suite that does not listen yet, or not now, loses its port to no other suite.
    """

    def __init__(self) -> None:
        self._claims: list[socket.socket] = []
        self._given: set[int] = set()
        self.replaced: dict[str, tuple[int, int]] = {}
        """By whom it was asked for: the preferred port that was in use, and the one given instead."""

    def __enter__(self) -> Ports:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for claim in self._claims:
            claim.close()

    def take(self, preferred: int, asker: str = "") -> int:
        """The preferred port if it is free, else any free one; 0 has no preference."""
        for port in _candidates(preferred):
            if self._claim(port):
                if preferred not in (0, port):
                    self.replaced[asker] = preferred, port
                return port
        raise OSError(f"no free port on {HOST}")

    def _claim(self, port: int) -> bool:
        if port in self._given or not self._is_first_to_claim(port) or not _is_free(port):
            return False
        self._given.add(port)
        return True

    def _is_first_to_claim(self, port: int) -> bool:
        if sys.platform != "linux":
            return True
        # An abstract name: it is known to every process on the machine, and goes with its socket.
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0shuangkou-port-{port}")
        except OSError:
            claim.close()
            return False
        self._claims.append(claim)
        return True


def _candidates(preferred: int) -> Iterator[int]:
    if 0 < preferred <= _LAST_PORT:
        yield preferred
    yield from random.sample(_SPARE, len(_SPARE))


def _is_free(port: int) -> bool:
    with socket.socket() as candidate:
        # As servers do, so that connections of a server that has just stopped do not count.
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind((HOST, port))
            candidate.listen(1)
        except OSError:
            return False
    return True
