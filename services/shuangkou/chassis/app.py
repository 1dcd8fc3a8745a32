"""``run(name, settings_type, bind)``: a whole service process around one composition function."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Generic, NoReturn, TypeVar

import uvloop
from prometheus_client import CollectorRegistry

from shuangkou.chassis.auth import Authenticator, TokenFile
from shuangkou.chassis.calls import CallLayer, CallLimits
from shuangkou.chassis.clients import ServiceClient
from shuangkou.chassis.errors import DetailFactory
from shuangkou.chassis.logs import configure_logs, logger
from shuangkou.chassis.metrics import MetricsServer, process_registry, watch_event_loop
from shuangkou.chassis.nats import (
    Bus,
    NatsFailure,
    NotConnected,
    NotNow,
    Server,
    Unanswered,
    UnfitStream,
    Worker,
    WorkQueue,
    connect,
)
from shuangkou.chassis.nats.work import Handler, Prepare
from shuangkou.chassis.parent import die_with_parent_if_asked
from shuangkou.chassis.rpc_metrics import RpcMetrics
from shuangkou.chassis.server import CannotListen, GrpcServer, Register
from shuangkou.chassis.settings import BAD_CONFIGURATION, ServiceSettings, read_settings
from shuangkou.chassis.throttle import Rate, RpcClass
from shuangkou.chassis.tls import BadCertificates, ClientTls, ServerTls, client_tls

S = TypeVar("S", bound=ServiceSettings)
Closer = Callable[[], Awaitable[None]]


FAILED = 1
_OWNER_ONLY = 0o077
_PASSING = (NotConnected, NotNow, Unanswered)
_PAUSE_SECONDS = 0.5


class StartFailure(Exception):
    """The process cannot start; the message is fit for one log line."""


class BadSettings(StartFailure):
    """A file that the settings name, or several settings together, will not do; exit code 2."""


_SAID = (StartFailure, NatsFailure, UnfitStream, CannotListen, BadCertificates)
"""What can end a process and says why by itself, without a traceback."""


class App(Generic[S]):
    """What ``bind`` composes a service from. Everything it is given is closed in reverse order."""

    def __init__(self, settings: S, registry: CollectorRegistry, bus: Bus, server: GrpcServer) -> None:
        self.settings = settings
        self.registry = registry
        self.bus = bus
        self._server = server
        self._closers: list[Closer] = []
        self._gone_by: float | None = None
        self._failed: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def serve(self, register: Register, servicer: object) -> None:
        """Serve a gRPC service through its generated ``add_XServicer_to_server``."""
        self._server.add(register, servicer)

    def on_close(self, closer: Closer) -> None:
        """Await ``closer`` at shutdown, after everything that was set up later has been closed."""
        self._closers.append(closer)

    def in_background(self, task_name: str, work: Coroutine[Any, Any, None]) -> None:
        """Run ``work`` until shutdown cancels it. Its ending earlier stops the process with exit code 1."""
        task = asyncio.create_task(work, name=task_name)
        task.add_done_callback(self._background_ended)

        async def cancel() -> None:
            task.remove_done_callback(self._background_ended)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

        self.on_close(cancel)

    def work_on(self, queue: WorkQueue, handler: Handler, prepare: Prepare | None = None) -> None:
        """Handle the queue's jobs until shutdown, which lets the running ones finish within the grace."""
        worker = Worker(self.bus, queue, handler, prepare)
        self.on_close(lambda: worker.stop(self.grace_left()))
        self.in_background(f"work:{queue.durable}", worker.run())

    def client(self, target: str) -> ServiceClient:
        """A client of the service at ``target``, with this service's token."""
        if self.settings.service_token_file is None:
            raise BadSettings("SHUANGKOU_SERVICE_TOKEN_FILE is required to call other services")
        token_file = TokenFile(self.settings.service_token_file)
        client = ServiceClient(target, token_file, _client_tls(self.settings))
        self.on_close(client.close)
        return client

    def grace_left(self) -> float:
        """Seconds that are left of the grace, which begins with the first time of asking."""
        now = asyncio.get_running_loop().time()
        if self._gone_by is None:
            self._gone_by = now + self.settings.grace_seconds
        return max(0.0, self._gone_by - now)

    async def failure(self) -> str:
        """Wait for a background task to end on its own; says which and why."""
        return await self._failed

    async def close(self) -> None:
        """Close what was opened, newest first; one that fails does not keep the others open."""
        for closer in reversed(self._closers):
            try:
                await closer()
            except Exception:  # noqa: BLE001  # the rest must be closed all the same
                logger().exception("close_failed")
        self._closers.clear()

    def _background_ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, _SAID):
            logger().error("background_task_ended", task=task.get_name(), reason=str(error))
        else:
            logger().error("background_task_ended", task=task.get_name(), exc_info=error)
        if not self._failed.done():
            self._failed.set_result(task.get_name())


Bind = Callable[[App[S]], Awaitable[None]]
"""The composition root of a service."""


def run(name: str, settings_type: type[S], bind: Bind[S], detail: DetailFactory | None = None) -> NoReturn:
    """Be the service ``name`` until SIGTERM or SIGINT, then drain and exit.

    Exit codes: 0 after a clean stop, 1 for a failed start or a background task that died, 2 for bad settings
    or files that they name. A start that fails is told in one line on stderr.
    ``detail`` makes the detail message of refusals that carry none.
    """
    die_with_parent_if_asked()
    # A ledger in a file is for its owner only, whatever the shell allows.
    os.umask(_OWNER_ONLY)
    settings = read_settings(settings_type, f"python -m shuangkou.{name}", sys.argv[1:])
    configure_logs(name, settings.log_level, settings.log_format)
    sys.exit(uvloop.run(_live(name, settings, bind, detail)))


async def _live(name: str, settings: S, bind: Bind[S], detail: DetailFactory | None) -> int:
    stop = _stop_signal()
    loop = asyncio.get_running_loop()
    patient_until = loop.time() + settings.nats_patience_seconds
    told = ""
    while True:
        try:
            return await _serve(stop, name, settings, bind, detail)
        except _PASSING as failure:
            # The broker died, or chose another leader, in the middle of the start.
            if stop.is_set() or loop.time() >= patient_until:
                logger().error("start_failed", reason=str(failure))
                return FAILED
            if str(failure) != told:
                told = str(failure)
                logger().info("started_again", reason=told)
            await asyncio.sleep(_PAUSE_SECONDS)
        except _SAID as failure:
            logger().error("start_failed", reason=str(failure))
            return BAD_CONFIGURATION if isinstance(failure, BadSettings | BadCertificates) else FAILED
        except Exception:  # noqa: BLE001  # the last line of a process that ends here
            logger().exception("start_failed")
            return FAILED


async def _serve(
    stop: asyncio.Event, name: str, settings: S, bind: Bind[S], detail: DetailFactory | None
) -> int:
    registry = process_registry()
    with _metrics_server(registry, settings) as metrics:
        authenticator = _authenticator(settings, registry)
        server = _grpc_server(settings, registry, authenticator, detail)
        bus = await connect(_nats_server(settings), name, registry)
        app = App(settings, registry, bus, server)
        app.on_close(bus.close)
        try:
            app.in_background("event_loop_lag", watch_event_loop(registry))
            app.in_background("keys", authenticator.keep())
            await bind(app)
            port = server.listen(settings.grpc_address, _server_tls(settings))
            await server.start()
            _spare_the_collector()
            logger().info("serving", grpc_port=port, metrics_port=metrics.port)
            return await _serve_until(stop, app, server)
        finally:
            await app.close()


def _spare_the_collector() -> None:
    """Look for cycles rarely: what was made at start stays, and what a call makes has none."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


async def _serve_until(stop: asyncio.Event, app: App[S], server: GrpcServer) -> int:
    stopped = asyncio.create_task(stop.wait())
    failed = asyncio.create_task(app.failure())
    enders: list[asyncio.Future[Any]] = [stopped, failed, app.bus.gone]
    await asyncio.wait(enders, return_when=asyncio.FIRST_COMPLETED)
    asked_to = stopped.done()
    if app.bus.gone.done():
        logger().error("nats_connection_given_up")
    logger().info("stopping", asked_to=asked_to)
    stopped.cancel()
    failed.cancel()
    await server.stop(app.grace_left())
    return 0 if asked_to else FAILED


def _stop_signal() -> asyncio.Event:
    """Set at the first SIGTERM or SIGINT; a second one ends the process the hard way."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def asked() -> None:
        stop.set()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked)
    return stop


def _metrics_server(registry: CollectorRegistry, settings: ServiceSettings) -> MetricsServer:
    try:
        return MetricsServer(registry, settings.metrics_address)
    except OSError as error:
        raise StartFailure(f"cannot serve metrics on {settings.metrics_address}: {error}") from None


def _authenticator(settings: ServiceSettings, registry: CollectorRegistry) -> Authenticator:
    try:
        return Authenticator(settings.auth_keys_file, registry)
    except (OSError, ValueError) as error:
        raise BadSettings(f"SHUANGKOU_AUTH_KEYS_FILE: {error}") from None


def _grpc_server(
    settings: ServiceSettings,
    registry: CollectorRegistry,
    authenticator: Authenticator,
    detail: DetailFactory | None,
) -> GrpcServer:
    layer = CallLayer(authenticator, RpcMetrics(registry), _call_limits(settings), detail)
    return GrpcServer(layer, settings.max_connection_age_seconds)


def _call_limits(settings: ServiceSettings) -> CallLimits:
    per_second = {
        RpcClass.READ: settings.reads_per_second,
        RpcClass.WRITE: settings.writes_per_second,
        RpcClass.STREAM: settings.streams_per_second,
    }
    return CallLimits(
        settings.max_message_bytes,
        settings.stream_max_age_seconds,
        settings.unread_seconds,
        settings.streams_per_player,
        {kind: Rate(number, settings.burst_seconds) for kind, number in per_second.items()},
    )


def _nats_server(settings: ServiceSettings) -> Server:
    ca, certificate, key = settings.nats_tls_ca_file, settings.nats_tls_cert_file, settings.nats_tls_key_file
    return Server(
        settings.nats_url,
        settings.nats_user,
        settings.nats_password,
        settings.nats_patience_seconds,
        client_tls(ca, certificate, key),
    )


def _client_tls(settings: ServiceSettings) -> ClientTls | None:
    return client_tls(
        settings.client_tls_ca_file, settings.client_tls_cert_file, settings.client_tls_key_file
    )


def _server_tls(settings: ServiceSettings) -> ServerTls | None:
    certificate, key = settings.grpc_tls_cert_file, settings.grpc_tls_key_file
    if certificate is None and key is None and settings.grpc_tls_client_ca_file is None:
        return None
    if certificate is None or key is None:
        raise BadSettings("SHUANGKOU_GRPC_TLS_CERT_FILE and SHUANGKOU_GRPC_TLS_KEY_FILE go together")
    return ServerTls(certificate, key, settings.grpc_tls_client_ca_file)
