"""Appends leave alone or in groups, and none is left behind."""

from __future__ import annotations

import asyncio

import pytest
from nats.js.api import StreamConfig

from kit.waiting import eventually
from shuangkou.chassis.nats import (
    Bus,
    Expectation,
    NewMessage,
    WrongLastSequence,
    append,
    ensure_stream,
    read,
)
from shuangkou.chassis.nats.grouping import Groups


class Traveller:
    """One append on its way."""

    def __init__(self, groups: Groups) -> None:
        self.left = False
        self._answered = asyncio.Event()
        self.task = asyncio.create_task(self._travel(groups))

    def answer(self) -> None:
        """Its answer comes."""
        self._answered.set()

    async def _travel(self, groups: Groups) -> None:
        async with groups.journey():
            self.left = True
            await self._answered.wait()


async def test_a_lone_append_leaves_at_once() -> None:
    groups = Groups(interval=3600.0)
    for _ in range(3):
        traveller = Traveller(groups)
        await asyncio.sleep(0)
        assert traveller.left
        traveller.answer()
        await traveller.task
    assert groups.under_way == 0


async def test_those_that_come_while_one_is_under_way_leave_together() -> None:
    groups = Groups(interval=0.05)
    first = Traveller(groups)
    await asyncio.sleep(0)
    others = [Traveller(groups) for _ in range(10)]
    await asyncio.sleep(0)
    assert [other.left for other in others] == [False] * 10
    await eventually(lambda: others[0].left)
    assert all(other.left for other in others)
    for traveller in (first, *others):
        traveller.answer()
        await traveller.task
    assert groups.under_way == 0


async def test_one_that_gives_up_waiting_holds_up_nobody() -> None:
    groups = Groups(interval=0.05)
    first = Traveller(groups)
    await asyncio.sleep(0)
    leaver, stayer = Traveller(groups), Traveller(groups)
    await asyncio.sleep(0)
    leaver.task.cancel()
    await eventually(lambda: stayer.left)
    assert not leaver.left
    for traveller in (first, stayer):
        traveller.answer()
        await traveller.task
    assert groups.under_way == 0


async def test_refused_and_accepted_appends_all_arrive(bus: Bus) -> None:
    await ensure_stream(bus, StreamConfig(name="S", subjects=["s.>"], allow_direct=True))

    async def send(number: int) -> int:
        return await append(bus, NewMessage(f"s.{number % 50}", b"%d" % number), Expectation(0))

    results = await asyncio.gather(*(send(number) for number in range(100)), return_exceptions=True)
    refused = [result for result in results if isinstance(result, WrongLastSequence)]
    assert len(refused) == 50
    assert len({result for result in results if isinstance(result, int)}) == 50
    assert len([message async for message in read(bus, "S", "s.>")]) == 50
    assert bus.groups.under_way == 0
    with pytest.raises(WrongLastSequence):
        await send(1)
