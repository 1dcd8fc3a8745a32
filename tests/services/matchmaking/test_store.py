"""The bucket and the store of the simulation make the same promises."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

import pytest

from kit.match_outside import LoggedStore
from kit.waiting import eventually
from shuangkou.chassis.nats import Bus, WrongLastSequence, ensure_stream
from shuangkou.matchmaking.bucket import Bucket, bucket_stream
from shuangkou.matchmaking.store import Change, Store, deletion

_KEYS = ("player.a", "player.b", "claim.c", "room.000001")


async def outcome(store: Store, changes: Sequence[Change]) -> str:
    """Whether the changes were made, and what is there then, with revisions counted from the first write."""
    try:
        await store.put(changes)
    except WrongLastSequence:
        made = "refused"
    else:
        made = "made"
    entries = [await store.get(key) for key in _KEYS]
    return f"{made} {[(entry.sequence, entry.value) for entry in entries]}"


async def test_they_answer_alike(bus: Bus) -> None:
    """Batches with right, wrong and old revisions, deletions among them."""
    await ensure_stream(bus, bucket_stream(1))
    bucket, model = Bucket(bus), LoggedStore(lambda: False)
    random = Random(8)
    revisions = [0]
    for number in range(120):
        keys = random.sample(_KEYS, random.randrange(1, 5))
        changes = []
        for key in keys:
            right = (await bucket.get(key)).sequence
            expected = right if random.random() < 0.8 else random.choice(revisions)
            change = Change(key, f"{number}".encode(), expected)
            changes.append(deletion(key, expected) if random.random() < 0.2 else change)
            revisions.append(right)
        assert await outcome(bucket, changes) == await outcome(model, changes)


async def test_of_many_who_change_the_same_keys_at_once_one_wins(bus: Bus) -> None:
    await ensure_stream(bus, bucket_stream(1))
    bucket = Bucket(bus)

    async def claim(number: int) -> bool:
        changes = [Change(key, f"{number}".encode(), 0) for key in _KEYS]
        try:
            sequences = await bucket.put(changes)
        except WrongLastSequence:
            return False
        assert [(await bucket.get(key)).sequence for key in _KEYS] == list(sequences)
        return True

    assert sum(await asyncio.gather(*(claim(number) for number in range(20)))) == 1
    assert len({(await bucket.get(key)).value for key in _KEYS}) == 1


async def test_what_expires_is_gone_and_its_key_can_be_made_again(bus: Bus) -> None:
    await ensure_stream(bus, bucket_stream(1))
    bucket = Bucket(bus)
    await bucket.put([Change("room.000001", b"x", 0, ttl_seconds=1)])
    with pytest.raises(WrongLastSequence):
        await bucket.put([Change("room.000001", b"y", 0)])

    async def gone() -> bool:
        return (await bucket.get("room.000001")).sequence == 0

    await eventually(gone)
    await bucket.put([Change("room.000001", b"y", 0)])
