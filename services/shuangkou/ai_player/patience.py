"""How long bots wait for a process that searches."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

from shuangkou.ai_player.personas import Persona
from shuangkou.ai_player.tiers import Tier
from shuangkou.v1.events_pb2 import Commit

_OF_REST = 0.5
"""The part of the time left at most that a bot lets pass, so that there is time to call the engine."""
_LONGEST_SECONDS = 2.0
"""Even where no clock runs, or a long one."""


class Patience:
    """For at most `most` bots at once: others search only where a process is free, so that bots which wait
    never keep others from their turn."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting = 0

    @contextmanager
    def of(self, commit: Commit, persona: Persona) -> Iterator[float | None]:
        """Until when a bot may take over its act after this commit, on the clock of the event loop; None for
        one that waits for nobody. It counts as one that waits inside the block."""
        if persona.tier is not Tier.STRONG or self._waiting >= self._most:
            yield None
            return
        self._waiting += 1
        try:
            yield asyncio.get_running_loop().time() + _rest_of(commit)
        finally:
            self._waiting -= 1


def _rest_of(commit: Commit) -> float:
    if not commit.next.deadline_ms:
        return _LONGEST_SECONDS
    rest = commit.next.deadline_ms / 1000 - time.time()
    return min(_LONGEST_SECONDS, _OF_REST * max(0.0, rest))
