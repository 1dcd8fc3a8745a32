"""Bots that search wait for a process, but never so long, or so many of them, that others are kept."""

from __future__ import annotations

import asyncio
import time

from shuangkou.ai_player.patience import Patience
from shuangkou.ai_player.personas import persona_of
from shuangkou.v1.events_pb2 import Commit, Next

SEARCHING, INSTANT = persona_of("veteran"), persona_of("plain")


def commit_due_in(seconds: float) -> Commit:
    """A commit after which a seat has so many seconds."""
    return Commit(next=Next(seats=[0], deadline_ms=int(1000 * (time.time() + seconds))))


async def test_a_bot_waits_for_half_of_its_clock_at_most() -> None:
    now = asyncio.get_running_loop().time()
    with Patience(1).of(commit_due_in(3), SEARCHING) as until:
        assert until is not None
        assert until <= now + 1.6


async def test_a_bot_without_a_clock_or_with_a_long_one_waits_for_seconds() -> None:
    now = asyncio.get_running_loop().time()
    for commit in (Commit(next=Next(seats=[0])), commit_due_in(600)):
        with Patience(1).of(commit, SEARCHING) as until:
            assert until is not None
            assert now + 2 <= until < now + 60


async def test_a_bot_whose_time_is_up_has_none_to_wait() -> None:
    with Patience(1).of(commit_due_in(-5), SEARCHING) as until:
        assert until is not None
        assert until <= asyncio.get_running_loop().time()


async def test_only_so_many_wait_at_once_and_only_those_that_search() -> None:
    patience, commit = Patience(1), commit_due_in(3)
    with patience.of(commit, INSTANT) as until:
        assert until is None
        with patience.of(commit, SEARCHING) as first, patience.of(commit, SEARCHING) as second:
            assert first is not None
            assert second is None
        with patience.of(commit, SEARCHING) as third:
            assert third is not None
