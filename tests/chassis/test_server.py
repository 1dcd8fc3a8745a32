"""What the call layer does around handlers, over a real channel."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from prometheus_client import CollectorRegistry

from kit.echo import SERVICE, EchoStub
from kit.echo_server import LIMITS, Running, refusal, running
from kit.keys import Keys
from kit.waiting import eventually
from shuangkou.chassis.auth import Authenticator
from shuangkou.chassis.calls import CallLayer, CallLimits
from shuangkou.chassis.dev_keys import create_dev_keys
from shuangkou.chassis.logs import configure_logs
from shuangkou.chassis.rpc_metrics import RpcMetrics
from shuangkou.chassis.server import CannotListen, GrpcServer
from shuangkou.chassis.settings import LogFormat, LogLevel


@pytest.fixture
async def served(keys: Keys, registry: CollectorRegistry) -> AsyncIterator[Running]:
    async with running(keys, registry) as made:
        yield made


async def test_a_call_is_answered(served: Running) -> None:
    assert await served.echo.say("双扣", served.token) == "双扣"


async def test_the_caller_is_known_to_the_handler(served: Running, keys: Keys) -> None:
    assert await served.echo.say("who", served.token) == "player alice"
    assert await served.echo.say("who", keys.service("engine")) == "service engine"


async def test_a_trace_is_continued(served: Running) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    answer = await served.echo.say("trace", served.token, traceparent=f"00-{trace}-00f067aa0ba902b7-01")
    assert answer.startswith(f"00-{trace}-")
    assert "00f067aa0ba902b7" not in answer


async def test_a_trace_is_begun_where_none_is_sent(served: Running) -> None:
    first, second = await served.echo.say("trace", served.token), await served.echo.say("trace", served.token)
    assert first.split("-")[1] != second.split("-")[1]


async def test_a_unary_call_needs_a_deadline(served: Running) -> None:
    code, text = await refusal(served.echo.say("x", served.token, timeout=None))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert text.startswith("request/missing_deadline|")


@pytest.mark.parametrize(
    "token", ["", "nonsense", "a.b.c", "x" * 6000], ids=["empty", "word", "dots", "long"]
)
async def test_a_bad_token_is_refused(served: Running, token: str) -> None:
    code, text = await refusal(served.echo.say("x", token))
    assert code is grpc.StatusCode.UNAUTHENTICATED
    assert text.startswith("auth/bad_token|")


async def test_no_token_is_refused(served: Running) -> None:
    code, text = await refusal(served.echo.say("x", None))
    assert (code, text.split("|")[0]) == (grpc.StatusCode.UNAUTHENTICATED, "auth/missing_token")


async def test_an_expired_token_is_refused(served: Running, keys: Keys) -> None:
    code, text = await refusal(served.echo.say("x", keys.player("alice", ttl_seconds=-5)))
    assert (code, text.split("|")[0]) == (grpc.StatusCode.UNAUTHENTICATED, "auth/expired_token")


async def test_malformed_bytes_are_the_caller_s_fault(served: Running) -> None:
    for raw in (b"\xff\xff\xff", b"\x0a\x05ab", b"\x0a\x02\xc3\x28"):
        code, text = await refusal(served.echo.say_bytes(raw, served.token))
        assert (code, text.split("|")[0]) == (grpc.StatusCode.INVALID_ARGUMENT, "request/malformed")


async def test_a_request_that_is_too_big_is_refused(served: Running) -> None:
    code, text = await refusal(served.echo.say("x" * 2000, served.token))
    assert (code, text.split("|")[0]) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "request/too_big")


async def test_a_request_beyond_the_hard_limit_is_refused(served: Running) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await served.echo.say("x" * 5_000_000, served.token)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await served.echo.say("still there", served.token) == "still there"


async def test_a_refusal_carries_its_own_detail_or_the_made_one(served: Running) -> None:
    expected = grpc.StatusCode.FAILED_PRECONDITION
    assert await refusal(served.echo.say("refuse", served.token)) == (expected, "these cards")
    assert await refusal(served.echo.say("refuse plainly", served.token)) == (expected, "echo/refused|no")


async def test_an_unreachable_log_is_unavailable(served: Running) -> None:
    code, _ = await refusal(served.echo.say("no log", served.token))
    assert code is grpc.StatusCode.UNAVAILABLE


@pytest.mark.usefixtures("own_logs")
async def test_a_fault_is_internal_with_its_trace_and_logged_once(
    served: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs("echo", LogLevel.INFO, LogFormat.JSON)
    code, text = await refusal(served.echo.say("fail", served.token))
    await refusal(served.echo.say("refuse", served.token))
    assert code is grpc.StatusCode.INTERNAL
    assert "secret" not in text
    (line,) = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert (line["level"], line["event"], line["service"]) == ("error", "call_failed", "echo")
    assert line["trace_id"] in text
    assert "RuntimeError: secret reason" in line["exception"]


async def test_a_stream_needs_no_deadline_but_a_token(served: Running) -> None:
    assert [answer.value async for answer in served.echo.count("3", served.token)] == ["0", "1", "2"]
    code, text = await refusal(anext(aiter(served.echo.count("3", None))))
    assert (code, text.split("|")[0]) == (grpc.StatusCode.UNAUTHENTICATED, "auth/missing_token")


async def test_a_stream_is_ended_at_its_maximum_age(keys: Keys, registry: CollectorRegistry) -> None:
    async with running(keys, registry, replace(LIMITS, stream_max_age_seconds=0.2)) as served:
        answers = aiter(served.echo.count("1…", served.token))
        assert (await anext(answers)).value == "0"
        code, text = await refusal(anext(answers))
        assert (code, text.split("|")[0]) == (grpc.StatusCode.UNAVAILABLE, "server/stream_age")


async def test_a_stream_is_ended_when_its_token_expires(served: Running, keys: Keys) -> None:
    answers = aiter(served.echo.count("1…", keys.player("alice", ttl_seconds=2)))
    assert (await anext(answers)).value == "0"
    code, text = await refusal(anext(answers))
    assert (code, text.split("|")[0]) == (grpc.StatusCode.UNAUTHENTICATED, "auth/expired_token")


async def test_a_stream_is_ended_when_its_key_is_removed(
    keys: Keys, registry: CollectorRegistry, tmp_path: Path
) -> None:
    """The next call is what has the file looked at."""
    other = create_dev_keys(tmp_path / "other")
    served_keys = Keys(tmp_path / "keys.json", keys.private_key_file)
    served_keys.key_set_file.write_bytes(keys.key_set_file.read_bytes())
    async with running(served_keys, registry) as served:
        answers = aiter(served.echo.count("1…", served.token))
        assert (await anext(answers)).value == "0"
        served_keys.key_set_file.write_bytes(other.key_set_file.read_bytes())

        async def is_refused() -> bool:
            try:
                await served.echo.say("x", served.token)
            except grpc.aio.AioRpcError:
                return True
            return False

        await eventually(is_refused)
        code, text = await refusal(anext(answers))
        assert (code, text.split("|")[0]) == (grpc.StatusCode.UNAUTHENTICATED, "auth/bad_token")


async def end_of(answers: AsyncIterator[Any]) -> str:
    """Read to the end of a stream: why it ended."""
    try:
        async for _ in answers:
            pass
    except grpc.aio.AioRpcError as error:
        return str(error.details())
    return ""


async def test_a_stream_that_nobody_reads_is_ended_and_keeps_nothing_waiting(
    keys: Keys, registry: CollectorRegistry
) -> None:
    async with running(keys, registry, replace(LIMITS, unread_seconds=0.5)) as served:
        unread = aiter(served.echo.pour(served.token))
        await anext(unread)

        def ended() -> bool:
            done = {**_POUR, "grpc_code": "Unavailable"}
            return registry.get_sample_value("grpc_server_handled_total", done) == 1

        await eventually(ended)
        assert await served.echo.say("still there", served.token) == "still there"
        # What was sent before comes first, then why there is no more.
        assert (await end_of(unread)).startswith("server/unread_stream: ")


async def test_stopping_takes_no_more_calls_and_finishes_those_that_run(served: Running) -> None:
    held = asyncio.create_task(served.echo.say("hold", served.token))
    await served.service.holds.wait()
    stopping = asyncio.create_task(served.server.stop(grace=3600))

    async def is_refused() -> bool:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{served.port}") as channel:
            try:
                await EchoStub(channel).say("x", served.token)
            except grpc.aio.AioRpcError as error:
                return error.code() is grpc.StatusCode.UNAVAILABLE
        return False

    await eventually(is_refused)
    assert not stopping.done()
    served.service.released.set()
    assert await held == "hold"
    await asyncio.wait_for(stopping, 30)


async def test_stopping_does_not_wait_for_who_does_not_read(served: Running) -> None:
    unread = served.echo.pour(served.token)
    await unread.read()
    await asyncio.wait_for(served.server.stop(grace=3600), 30)


async def test_streams_that_end_while_they_are_written_all_say_why(
    keys: Keys, registry: CollectorRegistry
) -> None:
    async with running(keys, registry) as served:
        reading = [asyncio.create_task(end_of(served.echo.pour(served.token))) for _ in range(20)]
        await eventually(lambda: registry.get_sample_value("grpc_server_started_total", _POUR) == 20)
        await served.server.stop(grace=30)
        ends = await asyncio.gather(*reading)
    assert {end.partition(":")[0] for end in ends} == {"server/stopping"}


_POUR = {"grpc_type": "server_stream", "grpc_service": SERVICE, "grpc_method": "Pour"}


async def test_stopping_ends_streams_at_once_and_lets_calls_finish(served: Running) -> None:
    answers = aiter(served.echo.count("1…", served.token))
    await anext(answers)
    health = health_pb2_grpc.HealthStub(served.channel)
    watch = aiter(health.Watch(health_pb2.HealthCheckRequest(service=SERVICE)))
    assert (await anext(watch)).status == health_pb2.HealthCheckResponse.SERVING
    # A grace that no test run lives to see the end of: stopping must not wait for streams.
    stopping = asyncio.create_task(served.server.stop(grace=3600))
    code, text = await refusal(anext(answers))
    assert (code, text.split("|")[0]) == (grpc.StatusCode.UNAVAILABLE, "server/stopping")
    await stopping


async def test_health_and_reflection_are_open(served: Running) -> None:
    health = health_pb2_grpc.HealthStub(served.channel)
    for name in ("", SERVICE):
        answer = await health.Check(health_pb2.HealthCheckRequest(service=name))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await health.Check(health_pb2.HealthCheckRequest(service="none"))
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    stub = reflection_pb2_grpc.ServerReflectionStub(served.channel)
    asked = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
    listed = await anext(aiter(asked))
    assert SERVICE in {service.name for service in listed.list_services_response.service}


async def test_what_the_health_service_leaves_out_is_unimplemented_and_no_fault(served: Running) -> None:
    call: Any = served.channel.unary_unary("/grpc.health.v1.Health/List")
    code, text = await refusal(call(b"", timeout=10))
    assert (code, text.split("|")[0]) == (grpc.StatusCode.UNIMPLEMENTED, "request/not_implemented")


async def test_reflection_refuses_what_is_no_message(served: Running) -> None:
    call: Any = served.channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await anext(aiter(call(iter([b"\xff\xff"]))))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_calls_are_counted_by_outcome(served: Running, registry: CollectorRegistry) -> None:
    await served.echo.say("x", served.token)
    await refusal(served.echo.say("refuse", served.token))
    with pytest.raises(grpc.aio.AioRpcError):
        await served.echo.say("hang", served.token, timeout=0.2)
    method = {"grpc_type": "unary", "grpc_service": SERVICE, "grpc_method": "Say"}

    def handled(code: str) -> float | None:
        return registry.get_sample_value("grpc_server_handled_total", {**method, "grpc_code": code})

    assert handled("OK") == 1
    assert handled("FailedPrecondition") == 1
    await eventually(lambda: handled("DeadlineExceeded") == 1)
    assert registry.get_sample_value("grpc_server_started_total", method) == 3
    assert registry.get_sample_value("grpc_server_handling_seconds_count", method) == 3


async def test_an_unknown_method_is_unimplemented(served: Running) -> None:
    call: Any = served.channel.unary_unary("/kit.Echo/Shout")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"", timeout=5)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_port_in_use_is_a_clear_failure(served: Running, keys: Keys) -> None:
    limits = CallLimits(1024, 60)
    layer = CallLayer(Authenticator(keys.key_set_file), RpcMetrics(CollectorRegistry()), limits)
    with pytest.raises(CannotListen, match=f"127.0.0.1:{served.port}"):
        GrpcServer(layer, 60).listen(f"127.0.0.1:{served.port}")
