"""What matchmaking needs of its bucket: values with revisions, and writes that happen all or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

FORGET_SECONDS = 60
"""How long a deleted key is remembered: long enough for `nats kv watch`, and nothing depends on it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A key's value and revision: nothing and 0 for one that was never used or has expired."""

    sequence: int
    value: bytes


@dataclass(frozen=True, slots=True)
class Change:
    """A new value for a key that is still at revision ``expected``; an empty one deletes it.

    It vanishes after ``ttl_seconds``; 0 keeps it.
    """

    key: str
    value: bytes
    expected: int
    ttl_seconds: int = 0


class Store(Protocol):
    """The bucket, or what has its promises."""

    async def get(self, key: str) -> Entry:
        """The newest value, never an older one."""
        ...

    async def get_all(self, keys: Sequence[str]) -> list[Entry]:
        """The newest values, each as ``get`` has it; of no moment in common."""
        ...

    async def put(self, changes: Sequence[Change]) -> tuple[int, ...]:
        """Make all changes or none; their revisions.

        WrongLastSequence where one of the keys has moved on, AppendTimeout where nobody can say.
        """
        ...


def player_key(player_id: str) -> str:
    """Where the record of a player is."""
    # A subject has a bounded length and few characters, a player id has neither.
    return f"player.{blake2b(player_id.encode(), digest_size=16).hexdigest()}"


def claim_key(claim_id: str) -> str:
    """Where a claim is."""
    return f"claim.{claim_id}"


def room_key(code: str) -> str:
    """Where a room is."""
    return f"room.{code}"


def waits_key(ruleset_id: str, mode: int) -> str:
    """Where the last waits of a queue are."""
    return f"waits.{ruleset_id}.{mode}"


def deletion(key: str, expected: int) -> Change:
    """The end of a key."""
    return Change(key, b"", expected, FORGET_SECONDS)
