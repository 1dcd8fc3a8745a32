"""The one layer around every handler: who calls, until when, in which trace, with what outcome.

Handlers are wrapped once, when they are registered, not by a gRPC interceptor, which would have to find
and wrap them on every call; and only so do we see requests that cannot be parsed, which gRPC calls INTERNAL.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from inspect import isasyncgenfunction
from typing import Any, NoReturn, TypeVar, cast

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from shuangkou.chassis.auth import Authenticator, Identity, enter_caller
from shuangkou.chassis.errors import (
    DetailFactory,
    Internal,
    InvalidArgument,
    Refused,
    ResourceExhausted,
    TooFast,
    Unauthenticated,
    Unavailable,
    Unimplemented,
)
from shuangkou.chassis.lifetimes import Lifetimes
from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats.errors import ApiRefused, NatsFailure, StoreFull
from shuangkou.chassis.rpc_metrics import MethodMetrics, RpcMetrics
from shuangkou.chassis.throttle import Rate, RpcClass, Throttle, class_of
from shuangkou.chassis.trace import TRACEPARENT, current_trace, enter_trace

T = TypeVar("T")
Context = grpc.aio.ServicerContext[Any, Any]
_BEARER = "bearer "
_STATUS_SECONDS = 2.0
_NO_TIME_SECONDS = 0.05
_CODES: dict[object, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}


@dataclass(frozen=True, slots=True)
class CallLimits:
    """What calls may take: bytes of request, seconds of stream, seconds of writing to who does not read.

    ``rates`` and ``streams_per_player`` (0: any number) hold for each player.
    """

    max_message_bytes: int
    stream_max_age_seconds: float
    unread_seconds: float = 30.0
    streams_per_player: int = 0
    rates: Mapping[RpcClass, Rate] = field(default_factory=dict)


class CallLayer:
    """Wraps handlers; ``lifetimes`` are those of the open server streams."""

    def __init__(
        self,
        authenticator: Authenticator,
        metrics: RpcMetrics,
        limits: CallLimits,
        detail: DetailFactory | None = None,
    ) -> None:
        self._authenticator = authenticator
        self._metrics = metrics
        self._limits = limits
        self._detail = detail
        self._throttle = Throttle(limits.rates, metrics.throttled)
        self.lifetimes = Lifetimes(limits.stream_max_age_seconds, limits.streams_per_player)
        authenticator.when_removed(self.lifetimes.end_of_keys)
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def limits(self) -> CallLimits:
        """What calls may take."""
        return self._limits

    def wrap(self, service: str, method: str, handler: Any, is_open: bool = False) -> Any:
        """The handler inside the layer; an open one asks for neither token nor deadline.

        Raises TypeError for a handler that takes a stream of requests.
        """
        if handler.request_streaming:
            raise TypeError(f"{service}/{method}: this server takes no streams of requests")
        kind = "server_stream" if handler.response_streaming else "unary"
        metrics = self._metrics.of_method(kind, service, method)
        rpc_class = None if is_open else class_of(method, handler.response_streaming)
        call = _Method(self, f"{service}/{method}", metrics, handler, rpc_class)
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(call.stream, None, handler.response_serializer)
        return grpc.unary_unary_rpc_method_handler(call.answer)

    def admit(self, token: str | None, rpc_class: RpcClass) -> Identity:
        """The caller with this token, now also the caller of the current task.

        TooFast where it calls too often.
        """
        if token is None:
            raise Unauthenticated("auth/missing_token", "the call needs 'authorization: Bearer …' metadata")
        identity = self._authenticator.authenticate(token)
        self._throttle.admit(identity, rpc_class)
        enter_caller(identity)
        return identity

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count a call that is served inside the block."""
        self._running += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def idle(self) -> None:
        """Wait until no call is served."""
        await self._idle.wait()

    def check_size(self, raw: bytes) -> None:
        """ResourceExhausted for a request that is too big."""
        most = self._limits.max_message_bytes
        if len(raw) > most:
            raise ResourceExhausted(
                "request/too_big", f"the request has {len(raw)} bytes, {most} are allowed"
            )

    async def refuse(self, context: Context, refusal: Refused) -> NoReturn:
        """End the call with the refusal as its rich status."""
        detail = refusal.detail
        if detail is None and self._detail is not None:
            detail = self._detail(refusal.code, refusal.explanation)
        status = Status(code=refusal.status.value[0], message=str(refusal))
        details: list[Message] = [] if detail is None else [detail]
        if isinstance(refusal, TooFast):
            details.append(_retry_info(refusal.retry_seconds))
        for each in details:
            packed = AnyMessage()
            packed.Pack(each)
            status.details.append(packed)
        rich = rpc_status.to_status(status)
        try:
            async with asyncio.timeout(_STATUS_SECONDS):
                with _caller_may_hang_up():
                    await context.abort(refusal.status, status.message, rich.trailing_metadata)
        except TimeoutError:
            # The status waits behind what a client does not read; it comes when that is read, if ever.
            raise asyncio.CancelledError from None
        raise AssertionError("unreachable")


@contextmanager
def _caller_may_hang_up() -> Iterator[None]:
    """What gRPC cannot send because the caller is gone ends the call as a cancelled one: nothing is wrong."""
    try:
        yield
    except grpc.aio.InternalError:
        raise asyncio.CancelledError from None


class _Method:
    """One method's handler inside the layer."""

    def __init__(
        self, layer: CallLayer, name: str, metrics: MethodMetrics, handler: Any, rpc_class: RpcClass | None
    ) -> None:
        """``rpc_class``: None for a call that is open to everybody."""
        self._layer = layer
        self._name = name
        self._metrics = metrics
        self._rpc_class = rpc_class
        self._needs_deadline = rpc_class is not None and not handler.response_streaming
        self._parse = handler.request_deserializer or bytes
        self._serialize = handler.response_serializer or bytes
        self._behaviour = handler.unary_stream if handler.response_streaming else handler.unary_unary

    async def answer(self, raw: bytes, context: Context) -> bytes:
        """Serve a unary call."""
        with self._layer.running():
            return await self._watched(context, self._answer(raw, context))

    async def stream(self, raw: bytes, context: Context) -> None:
        """Serve a call that is answered with a stream."""
        with self._layer.running():
            await self._watched(context, self._stream(raw, context))

    async def _watched(self, context: Context, work: Coroutine[Any, Any, T]) -> T:
        metrics = self._metrics
        metrics.started.inc()
        began = time.perf_counter()
        code = grpc.StatusCode.OK
        try:
            with _caller_may_hang_up():
                return await work
        except grpc.aio.AbortError:
            code = _CODES.get(context.code(), grpc.StatusCode.UNKNOWN)
            raise
        except asyncio.CancelledError:
            code = _hung_up(context)
            raise
        except Exception as error:  # noqa: BLE001  # whatever a handler raises, the caller gets an answer
            refusal = self._as_refusal(error, context)
            code = refusal.status
            await self._layer.refuse(context, refusal)
        finally:
            metrics.handled[code].inc()
            metrics.seconds.observe(time.perf_counter() - began)

    async def _answer(self, raw: bytes, context: Context) -> bytes:
        self._admit(context)
        response = await self._behaviour(self._request(raw), context)
        answer: bytes = self._serialize(response)
        return answer

    async def _stream(self, raw: bytes, context: Context) -> None:
        identity = self._admit(context)
        request = self._request(raw)
        with self._layer.lifetimes.of_stream(identity) as lifetime:
            if not isasyncgenfunction(self._behaviour):
                await lifetime.wait_for(self._behaviour(request, context))
                return
            async with aclosing(self._behaviour(request, context)) as responses:
                with suppress(StopAsyncIteration):
                    while True:
                        response = await lifetime.wait_for(anext(responses))
                        await lifetime.write(context.write(response), self._layer.limits.unread_seconds)

    def _admit(self, context: Context) -> Identity | None:
        token = traceparent = None
        for key, value in context.invocation_metadata() or ():
            if key == "authorization" and isinstance(value, str) and value.lower().startswith(_BEARER):
                if token is not None:
                    raise Unauthenticated("auth/bad_token", "the call shows more than one token")
                token = value[len(_BEARER) :]
            elif key == TRACEPARENT and isinstance(value, str):
                traceparent = value
        enter_trace(traceparent)
        if self._rpc_class is None:
            return None
        self._layer.lifetimes.check_taking()
        if self._needs_deadline and context.time_remaining() is None:
            raise InvalidArgument("request/missing_deadline", "a unary call needs a deadline")
        return self._layer.admit(token, self._rpc_class)

    def _request(self, raw: bytes) -> Any:
        self._layer.check_size(raw)
        try:
            return self._parse(raw)
        except (DecodeError, ValueError):
            raise InvalidArgument("request/malformed", "the request is not a valid message") from None

    def _as_refusal(self, error: Exception, context: Context) -> Refused:
        if isinstance(error, Refused):
            logger().debug("refused", method=self._name, code=error.code, explanation=error.explanation)
            return error
        if isinstance(error, StoreFull):
            logger().error("log_is_full", method=self._name, reason=str(error))
            return Unavailable("server/log_full", "the game log has no room left; nothing was stored")
        if isinstance(error, NatsFailure) and not isinstance(error, ApiRefused):
            logger().warning("log_out_of_reach", method=self._name, reason=str(error))
            return Unavailable("server/log_out_of_reach", "the game log cannot be reached; try again")
        if isinstance(error, NotImplementedError) and context.code() is grpc.StatusCode.UNIMPLEMENTED:
            # So does generated code for a method that a servicer leaves out.
            return Unimplemented("request/not_implemented", f"{self._name} is not served here")
        logger().error("call_failed", method=self._name, exc_info=error)
        trace = current_trace()
        return Internal("server/internal", f"internal error, trace {trace.trace_id if trace else 'unknown'}")


def _hung_up(context: Context) -> grpc.StatusCode:
    """Why a caller waits no longer: clients end a call themselves when its time is over."""
    # None for a call without a deadline, which the types leave out.
    left = cast("float | None", context.time_remaining())
    is_over = left is not None and left <= _NO_TIME_SECONDS
    return grpc.StatusCode.DEADLINE_EXCEEDED if is_over else grpc.StatusCode.CANCELLED


def _retry_info(seconds: float) -> RetryInfo:
    info = RetryInfo()
    info.retry_delay.FromTimedelta(timedelta(seconds=seconds))
    return info
