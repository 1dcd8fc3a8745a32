"""How often one player may call."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import AsyncIterator
from dataclasses import replace

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from grpc_status import rpc_status
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter

from kit.echo_server import LIMITS, Running, refusal, running
from kit.keys import Keys
from kit.waiting import eventually
from shuangkou.chassis.auth import Authenticator, CallerKind, Identity
from shuangkou.chassis.errors import TooFast, Unauthenticated
from shuangkou.chassis.throttle import MOST_BUCKETS, Rate, RpcClass, Throttle, class_of

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


def throttle(clock: list[float], per_second: float, burst_seconds: float = 1.0) -> Throttle:
    refused = Counter("refused", "", ["rpc_class"], registry=CollectorRegistry())
    rates = {RpcClass.WRITE: Rate(per_second, burst_seconds)}
    return Throttle(rates, refused, clock=lambda: clock[0])


def player(name: str) -> Identity:
    return Identity(name, CallerKind.PLAYER, 4e9)


def admits(limits: Throttle, who: Identity, kind: RpcClass = RpcClass.WRITE) -> bool:
    try:
        limits.admit(who, kind)
    except TooFast:
        return False
    return True


@given(
    per_second=st.integers(1, 20),
    burst=st.integers(1, 30),
    pauses=st.lists(st.tuples(st.integers(0, 1000), st.sampled_from("ab")), max_size=200),
)
def test_it_is_a_bucket_for_each_player(per_second: int, burst: int, pauses: list[tuple[int, str]]) -> None:
    """Against a bucket that counts calls, in whole thousandths of a second."""
    clock = [0.0]
    limits = throttle(clock, per_second, burst / per_second)
    level, filled = {"a": burst * 1000, "b": burst * 1000}, {"a": 0, "b": 0}
    now = 0
    for pause, name in pauses:
        now += pause
        clock[0] = now / 1000
        level[name] = min(burst * 1000, level[name] + (now - filled[name]) * per_second)
        filled[name] = now
        assert admits(limits, player(name)) is (level[name] >= 1000)
        level[name] -= 1000 if level[name] >= 1000 else 0


@given(per_second=st.floats(0.1, 100), burst=st.floats(0.01, 10))
def test_who_waits_as_long_as_told_is_admitted(per_second: float, burst: float) -> None:
    clock = [1000.0]
    limits = throttle(clock, per_second, burst)
    while True:
        try:
            limits.admit(player("a"), RpcClass.WRITE)
        except TooFast as refused:
            clock[0] += refused.retry_seconds + 1e-6
            break
    assert admits(limits, player("a"))


def test_services_and_other_classes_are_not_held_back() -> None:
    limits = throttle([0.0], 1)
    service = Identity("ai_player", CallerKind.SERVICE, 4e9)
    assert all(admits(limits, service) for _ in range(1000))
    assert all(admits(limits, player("a"), RpcClass.READ) for _ in range(1000))
    assert [admits(limits, player("a")) for _ in range(3)] == [True, False, False]
    assert all(admits(throttle([0.0], 0), player("a")) for _ in range(1000))


def test_full_buckets_are_forgotten_and_there_are_never_too_many() -> None:
    clock = [0.0]
    limits = throttle(clock, 1, burst_seconds=100)
    for number in range(2 * MOST_BUCKETS):
        limits.admit(player(f"p{number}"), RpcClass.WRITE)
        assert len(limits) <= MOST_BUCKETS
    clock[0] = 1000
    for _ in range(MOST_BUCKETS):
        clock[0] += 2
        limits.admit(player("a"), RpcClass.WRITE)
    assert len(limits) <= 1


def test_classes_follow_form_and_name() -> None:
    assert class_of("WatchTable", is_stream=True) is RpcClass.STREAM
    assert class_of("GetTable", is_stream=False) is RpcClass.READ
    assert class_of("ListLegalActs", is_stream=False) is RpcClass.READ
    assert class_of("Act", is_stream=False) is RpcClass.WRITE


SLOW = replace(
    LIMITS,
    rates={RpcClass.WRITE: Rate(0.01, 300), RpcClass.READ: Rate(0.01, 200), RpcClass.STREAM: Rate(0.01, 100)},
)
"""Three writes, two reads and a stream at once, and nothing more in the time of a test."""


async def test_a_player_that_calls_too_often_is_told_when_to_come_back(
    keys: Keys, registry: CollectorRegistry
) -> None:
    async with running(keys, registry, SLOW) as served:
        for _ in range(3):
            await served.echo.say("x", served.token)
        code, text = await refusal(served.echo.say("x", served.token))
        assert (code, text.partition("|")[0]) == (EXHAUSTED, "request/too_many")
        assert 90 < await retry_seconds(served) < 101
        for _ in range(2):
            assert await served.echo.get_name(served.token) == "alice"
        assert (await refusal(served.echo.get_name(served.token)))[0] is EXHAUSTED
        assert [answer.value async for answer in served.echo.count("1", served.token)] == ["0"]
        assert (await refusal(anext(aiter(served.echo.count("1", served.token)))))[0] is EXHAUSTED
        # Other players and services go on, and a fresh token of the same player changes nothing.
        assert await served.echo.say("x", keys.player("bob")) == "x"
        assert (await refusal(served.echo.say("x", keys.player("alice", 100))))[0] is EXHAUSTED
        for _ in range(10):
            await served.echo.say("x", keys.service("ai_player"))

    def throttled(rpc_class: str) -> float | None:
        return registry.get_sample_value("shuangkou_rpc_throttled_total", {"rpc_class": rpc_class})

    assert [throttled(kind) for kind in ("write", "read", "stream")] == [3, 1, 1]


async def retry_seconds(served: Running) -> float:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await served.echo.say("x", served.token)
    status = rpc_status.from_call(caught.value)
    assert status is not None
    info = RetryInfo()
    assert status.details[1].Unpack(info)
    return float(info.retry_delay.ToTimedelta().total_seconds())


async def test_a_player_has_only_so_many_streams_open(keys: Keys, registry: CollectorRegistry) -> None:
    async with running(keys, registry, replace(LIMITS, streams_per_player=2)) as served:
        open_streams = [aiter(served.echo.count("1…", served.token)) for _ in range(2)]
        for stream in open_streams:
            await anext(stream)
        code, text = await refusal(anext(aiter(served.echo.count("1…", served.token))))
        assert (code, text.partition("|")[0]) == (EXHAUSTED, "request/too_many_streams")
        await anext(aiter(served.echo.count("1…", keys.player("bob"))))
        for _ in range(4):
            await anext(aiter(served.echo.count("1…", keys.service("ai_player"))))
        calls = [served.echo.count("1…", keys.player("carol")) for _ in range(2)]
        for call in calls:
            await anext(aiter(call))
        calls[0].cancel()

        async def has_room() -> bool:
            try:
                await anext(aiter(served.echo.count("1…", keys.player("carol"))))
            except grpc.aio.AioRpcError:
                return False
            return True

        await eventually(has_room)


def test_a_flood_of_bad_tokens_is_not_remembered(keys: Keys) -> None:
    authenticator = Authenticator(keys.key_set_file)
    good = keys.player("alice")

    def flood(count: int) -> None:
        for number in range(count):
            for token in (f"{good}{number}", f"a.{number}.c", "x" * 4000 + str(number)):
                with pytest.raises(Unauthenticated):
                    authenticator.authenticate(token)

    flood(50)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    flood(700)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    # 700 of the long tokens alone would be 2.8 MB.
    assert grown < 400_000


async def test_callers_without_a_good_token_leave_nothing_behind(served_slow: Running) -> None:
    async def call(token: str | None) -> None:
        code, _ = await refusal(served_slow.echo.say("x", token))
        assert code is grpc.StatusCode.UNAUTHENTICATED

    for start in range(0, 300, 50):
        await asyncio.gather(
            *(call(f"a.{number}.c" if number % 2 else None) for number in range(start, start + 50))
        )
    # None of them has taken anything from anybody.
    assert await served_slow.echo.say("x", served_slow.token) == "x"


@pytest.fixture
async def served_slow(keys: Keys, registry: CollectorRegistry) -> AsyncIterator[Running]:
    async with running(keys, registry, SLOW) as made:
        yield made
