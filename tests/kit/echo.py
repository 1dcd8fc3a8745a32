"""A tiny gRPC service without domain, to try the harness with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
from google.protobuf.wrappers_pb2 import StringValue

from shuangkou.chassis.auth import caller
from shuangkou.chassis.errors import FailedPrecondition
from shuangkou.chassis.nats import NotConnected
from shuangkou.chassis.trace import current_trace

SERVICE = "kit.Echo"


class Echo:
    """Answers with what the request asks for.

    ``holds``: a call with the word ``hold`` is running, which waits until it is ``released``.
    """

    def __init__(self) -> None:
        self.holds = asyncio.Event()
        self.released = asyncio.Event()

    async def say(self, request: StringValue, context: object) -> StringValue:
        """Echo, name the caller or the trace, refuse, fail or hang, by the word in the request."""
        match request.value:
            case "who":
                return StringValue(value=f"{caller().kind} {caller().subject}")
            case "trace":
                trace = current_trace()
                return StringValue(value=trace.traceparent if trace else "")
            case "refuse":
                raise FailedPrecondition("echo/refused", "no", StringValue(value="these cards"))
            case "refuse plainly":
                raise FailedPrecondition("echo/refused", "no")
            case "fail":
                raise RuntimeError("secret reason")
            case "no log":
                raise NotConnected("gone")
            case "hold":
                self.holds.set()
                await self.released.wait()
            case "hang":
                await asyncio.Event().wait()
        return request

    async def count(self, request: StringValue, context: object) -> AsyncIterator[StringValue]:
        """Count to the number in the request, then stay silent for ever where it ends in ``…``."""
        for number in range(int(request.value.rstrip("…"))):
            yield StringValue(value=str(number))
        if request.value.endswith("…"):
            await asyncio.Event().wait()

    async def get_name(self, request: StringValue, context: object) -> StringValue:
        """Name the caller."""
        return StringValue(value=caller().subject)

    async def pour(self, request: StringValue, context: object) -> AsyncIterator[StringValue]:
        """Answer without end, with 100,000 letters each time."""
        while True:
            yield StringValue(value="x" * 100_000)


def add_echo_to_server(servicer: Echo, server: Any) -> None:
    """What protoc would generate."""
    handlers = {
        "Say": grpc.unary_unary_rpc_method_handler(
            servicer.say, StringValue.FromString, StringValue.SerializeToString
        ),
        "GetName": grpc.unary_unary_rpc_method_handler(
            servicer.get_name, StringValue.FromString, StringValue.SerializeToString
        ),
        "Pour": grpc.unary_stream_rpc_method_handler(
            servicer.pour, StringValue.FromString, StringValue.SerializeToString
        ),
        "Count": grpc.unary_stream_rpc_method_handler(
            servicer.count, StringValue.FromString, StringValue.SerializeToString
        ),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    server.add_registered_method_handlers(SERVICE, handlers)


class EchoStub:
    """The client side of ``Echo``; ``say_bytes`` sends anything."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        encode, decode = StringValue.SerializeToString, StringValue.FromString
        self._say = channel.unary_unary(f"/{SERVICE}/Say", encode, decode)
        self._say_bytes: Any = channel.unary_unary(f"/{SERVICE}/Say", None, decode)
        self._get_name = channel.unary_unary(f"/{SERVICE}/GetName", encode, decode)
        self._pour = channel.unary_stream(f"/{SERVICE}/Pour", encode, decode)
        self._count = channel.unary_stream(f"/{SERVICE}/Count", encode, decode)

    async def say(self, text: str, token: str | None, timeout: float | None = 10, **metadata: str) -> str:
        """The answer's text; AioRpcError."""
        answer: StringValue = await self._say(
            StringValue(value=text), timeout=timeout, metadata=_metadata(token, metadata)
        )
        return answer.value

    async def say_bytes(self, raw: bytes, token: str) -> None:
        """Send bytes as they are; AioRpcError."""
        await self._say_bytes(raw, timeout=10, metadata=_metadata(token, {}))

    async def get_name(self, token: str) -> str:
        """The caller's name; AioRpcError."""
        answer: StringValue = await self._get_name(StringValue(), timeout=10, metadata=_metadata(token, {}))
        return answer.value

    def pour(self, token: str) -> Any:
        """The endless stream."""
        return self._pour(StringValue(), metadata=_metadata(token, {}))

    def count(self, text: str, token: str | None) -> Any:
        """The stream of answers."""
        return self._count(StringValue(value=text), metadata=_metadata(token, {}))


def _metadata(token: str | None, more: dict[str, str]) -> tuple[tuple[str, str], ...]:
    bearer = () if token is None else (("authorization", f"Bearer {token}"),)
    return (*bearer, *more.items())
