"""The gRPC server: services behind the call layer, health and reflection for everyone."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2
from grpc_reflection.v1alpha.reflection import aio as aio_reflection

from shuangkou.chassis.calls import CallLayer
from shuangkou.chassis.tls import ServerTls

Register = Callable[[Any, Any], None]
"""A generated ``add_XServicer_to_server``."""

_HARD_MESSAGE_LIMIT = 4 * 1024 * 1024
_FLUSH_SECONDS = 1.0
_LAST_CALLS_SECONDS = 0.25
_HEALTH = "grpc.health.v1.Health"
_GRPC_LOGGER = "grpc._cython.cygrpc"


class CannotListen(Exception):
    """The address is taken, or not ours."""


class GrpcServer:
    """One server with all services of a process. Nothing is served before ``start``."""

    def __init__(self, layer: CallLayer, max_connection_age_seconds: float) -> None:
        self._layer = layer
        self._methods = _MethodTable()
        self._names: list[str] = []
        self._health = health.aio.HealthServicer()
        logging.getLogger(_GRPC_LOGGER).addFilter(_is_worth_a_line)
        self._server = grpc.aio.server(options=_options(layer, max_connection_age_seconds))
        self._server.add_generic_rpc_handlers((self._methods,))
        self._registrar(is_open=True).register(health_pb2_grpc.add_HealthServicer_to_server, self._health)

    def add(self, register: Register, servicer: object) -> None:
        """Serve ``servicer`` through its generated ``register`` function."""
        self._names += self._registrar(is_open=False).register(register, servicer)

    def listen(self, address: str, tls: ServerTls | None = None) -> int:
        """Bind ``HOST:PORT`` and return the port. Raises CannotListen and BadCertificates."""
        _try_to_bind(address)
        try:
            if tls is None:
                return self._server.add_insecure_port(address)
            return self._server.add_secure_port(address, tls.credentials())
        except RuntimeError as error:
            raise CannotListen(f"cannot listen on {address}: {error}") from None

    async def start(self) -> None:
        """Serve, and say so in the health service."""
        names = [*self._names, _HEALTH, reflection.SERVICE_NAME]
        self._server.add_generic_rpc_handlers((_reflection_of(names),))
        await self._server.start()
        for name in ["", *self._names]:
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def stop(self, grace: float) -> None:
        """Say NOT_SERVING, end streams, let unary calls finish within ``grace`` seconds, cancel the rest."""
        await self._health.enter_graceful_shutdown()
        self._layer.lifetimes.end_all()
        # Who calls just now is still told that the server stops; gRPC would break such a call off.
        await asyncio.sleep(min(_LAST_CALLS_SECONDS, grace))
        stopping = asyncio.ensure_future(self._server.stop(grace))
        idle = asyncio.ensure_future(self._layer.idle())
        await asyncio.wait((stopping, idle), return_when=asyncio.FIRST_COMPLETED)
        idle.cancel()
        # gRPC goes on waiting for clients to read the ends of their streams, and some never do.
        await asyncio.wait((stopping,), timeout=_FLUSH_SECONDS)
        await self._server.stop(None)
        await stopping

    def _registrar(self, is_open: bool) -> _Registrar:
        return _Registrar(self._layer, self._methods, is_open)


def _try_to_bind(address: str) -> None:
    """CannotListen where the address cannot be had: gRPC would say so in a line of its own, past our log."""
    host, _, port = address.rpartition(":")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host.strip("[]"), int(port), type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as tried:
            # As gRPC does, so that connections that have just ended are no hindrance.
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(place)
    except OSError as error:
        raise CannotListen(f"cannot listen on {address}: {error.strerror or error}") from None


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    # gRPC logs an error with its traceback for each answer whose caller has hung up.
    return not (record.exc_info and isinstance(record.exc_info[1], grpc.aio.InternalError))


def _reflection_of(names: Sequence[str]) -> grpc.GenericRpcHandler:
    """Server reflection that refuses what it cannot parse; gRPC's own registration calls that UNKNOWN."""
    servicer = aio_reflection.ReflectionServicer(names)

    async def answers(raw: AsyncIterable[bytes], context: Any) -> AsyncIterator[Any]:
        try:
            requests = (reflection_pb2.ServerReflectionRequest.FromString(each) async for each in raw)
            async for answer in servicer.ServerReflectionInfo(requests, context):
                yield answer
        except DecodeError:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the request is not a valid message")

    handler: Any = grpc.stream_stream_rpc_method_handler(
        answers, None, reflection_pb2.ServerReflectionResponse.SerializeToString
    )
    return grpc.method_handlers_generic_handler(reflection.SERVICE_NAME, {"ServerReflectionInfo": handler})


class _MethodTable(grpc.GenericRpcHandler):
    """Every method of the server in one dictionary, so that finding one is one look-up."""

    def __init__(self) -> None:
        self._handlers: dict[str, Any] = {}

    def put(self, path: str, handler: Any) -> None:
        self._handlers[path] = handler

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        return self._handlers.get(handler_call_details.method)


class _Registrar:
    """Stands in for the server in generated code and takes the handlers, wrapped, into the table."""

    def __init__(self, layer: CallLayer, table: _MethodTable, is_open: bool) -> None:
        self._layer = layer
        self._table = table
        self._is_open = is_open
        self._names: list[str] = []

    def register(self, register: Register, servicer: object) -> list[str]:
        register(servicer, self)
        return self._names

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler]) -> None:
        """Generated code registers the same methods here once more; the dictionary below is enough."""

    def add_registered_method_handlers(self, service: str, handlers: dict[str, Any]) -> None:
        self._names.append(service)
        for method, handler in handlers.items():
            self._table.put(f"/{service}/{method}", self._layer.wrap(service, method, handler, self._is_open))


def _options(layer: CallLayer, max_connection_age_seconds: float) -> list[tuple[str, int]]:
    return [
        # The call layer refuses far smaller requests, with a detail; this only bounds memory.
        ("grpc.max_receive_message_length", max(_HARD_MESSAGE_LIMIT, 2 * layer.limits.max_message_bytes)),
        # Streams end at their own age before that; this is for connections on which nobody reads.
        ("grpc.max_connection_age_grace_ms", int(layer.limits.stream_max_age_seconds * 1000)),
        ("grpc.max_connection_age_ms", int(max_connection_age_seconds * 1000)),
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.keepalive_timeout_ms", 20_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 20_000),
        # Two processes on one port would share its calls silently.
        ("grpc.so_reuseport", 0),
    ]
