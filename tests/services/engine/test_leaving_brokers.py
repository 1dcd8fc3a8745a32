"""A broker of a cluster that is asked to stop cannot tell for a moment; that is no defect of ours."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import CollectorRegistry

from kit.nats_cluster import NatsCluster
from shuangkou.chassis.nats import (
    AppendTimeout,
    Bus,
    NewMessage,
    NoResponse,
    NotConnected,
    NotNow,
    Server,
    Unanswered,
    append,
    connect,
    ensure_streams,
    last_message_for_sure,
)
from shuangkou.chassis.nats.errors import api_refusal
from shuangkou.engine.log import engine_streams

_COPIES = 3
_SUBJECT = "table.qq.t1.public.human"
_READERS = 8
_PASSING = (AppendTimeout, NoResponse, NotConnected, NotNow, Unanswered)


@pytest.mark.parametrize("code", [10008, 10009, 10118, 10119])
def test_what_a_broker_cannot_say_at_the_moment_is_told_from_a_refusal(code: int) -> None:
    refusal = api_refusal({"code": 503, "err_code": code, "description": "not now"})
    assert isinstance(refusal, NotNow)


@pytest.mark.timeout(240)
async def test_nothing_stored_is_lost_and_nothing_refused_for_good_while_leaders_leave(
    cluster: NatsCluster,
) -> None:
    bus = await connect(Server(cluster.url), "test", CollectorRegistry())
    await ensure_streams(bus, engine_streams(_COPIES))
    stored: list[int] = []
    busy = [asyncio.create_task(_append(bus, stored))]
    busy += [asyncio.create_task(_look(bus)) for _ in range(_READERS)]
    for _ in range(2):
        leader = await cluster.leader("TABLES")
        assert leader is not None
        await asyncio.to_thread(leader.stop)
        await asyncio.to_thread(leader.start)
    assert not any(task.done() for task in busy), [task.exception() for task in busy if task.done()]
    for task in busy:
        task.cancel()
    await asyncio.gather(*busy, return_exceptions=True)
    last = await _at_last(bus)
    assert len(stored) > 1
    assert last >= stored[-1]
    await bus.close()


async def _append(bus: Bus, stored: list[int]) -> None:
    while True:
        try:
            stored.append(await append(bus, NewMessage(_SUBJECT, b"")))
        except _PASSING:
            await asyncio.sleep(0)
        assert stored == sorted(set(stored))


async def _look(bus: Bus) -> None:
    while True:
        try:
            await last_message_for_sure(bus, "TABLES", _SUBJECT)
        except _PASSING:
            await asyncio.sleep(0)


async def _at_last(bus: Bus) -> int:
    while True:
        try:
            message = await last_message_for_sure(bus, "TABLES", _SUBJECT)
        except _PASSING:
            await asyncio.sleep(0.1)
        else:
            assert message is not None
            return message.sequence
