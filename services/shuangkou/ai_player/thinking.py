"""How long a bot takes over an act where people play: as its character, never to the end of its clock.

The time follows from the table and its version: whoever takes the work over waits for the same moment.
"""

import asyncio
import hashlib
import time

from shuangkou.ai_player.personas import Persona
from shuangkou.v1.events_pb2 import Commit
from shuangkou.v1.table_pb2 import SeatView

_OF_CLOCK = 0.5
"""The part of its time at most that a bot lets pass, so that there is time to decide and to call."""


class Thinking:
    """Waits before acts, for at most `most` of them at once: whoever comes then acts without waiting, so that
    bots which think never keep others from their turn."""

    def __init__(self, times: float, most: int) -> None:
        self._times = times
        self._most = most
        self._thinkers = 0

    async def wait(self, commit: Commit, view: SeatView, persona: Persona) -> float:
        """Return when the persona acts after this commit, and how many seconds that took."""
        left = acts_at(commit, view, persona, self._times) - time.time()
        if left <= 0 or self._thinkers >= self._most:
            return 0.0
        self._thinkers += 1
        try:
            await asyncio.sleep(left)
        finally:
            self._thinkers -= 1
        return left


def acts_at(commit: Commit, view: SeatView, persona: Persona, times: float) -> float:
    """When the persona acts after this commit, seconds since 1970 UTC; at once where no person sits. A hosted
    seat (托管) is thought for like any other, so that its person has time to take it back.

    times: how many times as long as the persona it takes.
    """
    decided = commit.time_ms / 1000
    if not times or not _people_sit(view):
        return decided
    least, most = persona.think_seconds
    thinks = times * (least + (most - least) * _chance(commit))
    if commit.next.deadline_ms:
        thinks = min(thinks, _OF_CLOCK * max(0.0, commit.next.deadline_ms / 1000 - decided))
    return decided + thinks


def _people_sit(view: SeatView) -> bool:
    return any(seat.occupant.HasField("player_id") and not seat.forfeited for seat in view.seats)


def _chance(commit: Commit) -> float:
    """From 0 to 1, the same for the same commit."""
    digest = hashlib.sha256(f"{commit.table_id}/{commit.version}/think".encode()).digest()
    return int.from_bytes(digest[:4]) / (1 << 32)
