"""The connection to NATS: made once at start, kept for the life of the process."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import (
    ConnectionClosedError,
    ConnectionDrainingError,
    OutboundBufferLimitError,
    SecureConnFailedError,
    SecureConnRequiredError,
)
from nats.errors import Error as ClientError
from prometheus_client import CollectorRegistry, Counter, Gauge

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats.errors import (
    NoResponse,
    NotConnected,
    ServerTooOld,
    Unanswered,
    Unreachable,
    api_refusal,
)
from shuangkou.chassis.nats.grouping import Groups
from shuangkou.chassis.nats.inbox import Inbox
from shuangkou.chassis.nats.messages import STATUS
from shuangkou.chassis.nats.work_metrics import WorkMetrics
from shuangkou.chassis.tls import BadCertificates, ClientTls

OLDEST_SERVER = (2, 12)
_NO_RESPONDERS = "503"
_API_TIMEOUT = 5.0
_CLOSE_TIMEOUT = 5.0
_MOST_TOLD = 20
"""Errors that differ, such as by a subject, after which all are told again."""
_UNSENDABLE = (ConnectionClosedError, ConnectionDrainingError, OutboundBufferLimitError)


@dataclass(frozen=True, slots=True)
class Server:
    """Which NATS to use, as whom, how long to try at start, and by TLS alone where that is given."""

    url: str
    user: str = ""
    password: str = ""
    patience_seconds: float = 10.0
    tls: ClientTls | None = None

    @property
    def shown(self) -> str:
        """Hosts and ports, without user and password."""
        return ",".join(url.rpartition("@")[2].rpartition("//")[2] for url in self.urls)

    @property
    def whom(self) -> str:
        """Who asks to be let in, for a message."""
        named = self.user or next((name for url in self.urls if (name := _user_in(url))), "")
        return f"user {named!r}" if named else "a client that names no user"

    @property
    def urls(self) -> list[str]:
        """The servers one by one."""
        return [url.strip() for url in self.url.split(",") if url.strip()]


def _user_in(url: str) -> str:
    return url.rpartition("@")[0].rpartition("//")[2].partition(":")[0]


class Bus:
    """A connection that reconnects for ever. ``client`` is nats-py's, for plain subscriptions."""

    def __init__(self, client: Client, registry: CollectorRegistry) -> None:
        self.client = client
        self.work_metrics = WorkMetrics(registry)
        self.inbox: Inbox
        self.groups = Groups()
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the client has given up for good: after ``close`` or a fatal error."""
        self._up = asyncio.Event()
        self.refusal = ""
        """What the broker said when it did not let us in, since it was last connected."""
        self._last_error = ""
        self._was_up = False
        self._told: set[str] = set()
        self._listeners: list[Callable[[], None]] = []
        self._connected = Gauge("shuangkou_nats_connected", "1 while connected to NATS", registry=registry)
        self._disconnects = Counter("shuangkou_nats_disconnects_total", "Connections lost", registry=registry)
        self._reconnects = Counter(
            "shuangkou_nats_reconnects_total", "Connections renewed", registry=registry
        )

    @property
    def is_connected(self) -> bool:
        """Whether something sent now would go out."""
        return self._up.is_set()

    async def connected(self, within: float) -> None:
        """Wait until connected; NotConnected after ``within`` seconds."""
        try:
            async with asyncio.timeout(within):
                await self._up.wait()
        except TimeoutError:
            raise NotConnected(f"not connected to NATS for {within:g} s") from None

    def when_lost(self, listener: Callable[[], None]) -> None:
        """Have ``listener`` called whenever the connection breaks: answers on their way will not come."""
        self._listeners.append(listener)

    async def send(self, subject: str, payload: bytes, reply: str, headers: Mapping[str, str] | None) -> None:
        """Publish, or NotConnected at once: what waits out an outage would be stored behind our back."""
        if not self._up.is_set():
            raise NotConnected("not connected to NATS")
        try:
            await self.client.publish(subject, payload, reply, dict(headers) if headers else None)
        except _UNSENDABLE as error:
            raise NotConnected(str(error) or type(error).__name__) from None

    async def ask(self, subject: str, payload: bytes, within: float = _API_TIMEOUT) -> Msg:
        """One request and its one answer; NoResponse, NotConnected or Unanswered."""
        reply, answer = self.inbox.expect_one(within)
        try:
            await self.send(subject, payload, reply, None)
            msg = await answer
        except Unanswered as error:
            raise Unanswered(f"{subject}: {error}") from None
        finally:
            self.inbox.forget(reply)
        if is_no_response(msg):
            off = "; JetStream is off there, or not ready yet" if subject.startswith("$JS.API.") else ""
            raise NoResponse(f"nobody serves {subject}{off}")
        return msg

    async def api(self, verb: str, request: Mapping[str, object]) -> dict[str, Any]:
        """Call the JetStream API, e.g. ``STREAM.INFO.TABLES``; ApiRefused or NotNow for an error answer."""
        msg = await self.ask(f"$JS.API.{verb}", json.dumps(request).encode() if request else b"")
        answer: dict[str, Any] = json.loads(msg.data)
        if "error" in answer:
            raise api_refusal(answer["error"])
        return answer

    async def close(self) -> None:
        """Drain subscriptions and leave."""
        if self.client.is_closed:
            return
        try:
            async with asyncio.timeout(_CLOSE_TIMEOUT):
                await self.client.drain()
        except (ClientError, OSError, TimeoutError) as error:
            # At the end of the process a connection that cannot be drained is simply left.
            logger().warning("nats_not_drained", reason=str(error) or type(error).__name__)
            await self.client.close()

    async def _opened(self) -> None:
        self.inbox = await Inbox.open(self.client)
        self.when_lost(self.inbox.connection_lost)
        self._connected.set(1)
        self._up.set()
        self._was_up = True
        if self._last_error:
            logger().info("nats_reached", after=self._last_error)

    async def on_disconnect(self) -> None:
        """nats-py calls this when the connection is lost, and once more at close."""
        if not self._up.is_set():
            return
        self._up.clear()
        self._connected.set(0)
        for listener in self._listeners:
            listener()
        if not self.client.is_draining and not self.client.is_closed:
            self._disconnects.inc()
            logger().warning("nats_disconnected")

    async def on_reconnect(self) -> None:
        """nats-py calls this when it is connected again and has renewed the subscriptions."""
        self._last_error = self.refusal = ""
        self._told.clear()
        self._reconnects.inc()
        self._connected.set(1)
        self._up.set()
        logger().info("nats_reconnected")

    async def on_close(self) -> None:
        """nats-py calls this when it will not try again."""
        await self.on_disconnect()
        if not self.gone.done():
            self.gone.set_result(None)

    async def on_error(self, error: Exception) -> None:
        """nats-py reports errors here, the same ones again for every failed attempt."""
        text = str(error) or type(error).__name__
        self._last_error = text
        if "authorization" in text.casefold():
            # Kept: of the connection that the broker then closes, nats-py may well report an end of its own.
            self.refusal = text
        if text not in self._told:
            if len(self._told) == _MOST_TOLD:
                self._told.clear()
            self._told.add(text)
            # Before the first connection they are in the one line that says why there is none.
            tell = logger().warning if self._was_up else logger().debug
            tell("nats_error", reason=text)

    @property
    def last_error(self) -> str:
        """The newest error nats-py reported since it was last connected."""
        return self._last_error


def is_no_response(msg: Msg) -> bool:
    """Whether this is the server's word that nobody serves the subject."""
    return not msg.data and msg.headers is not None and msg.headers.get(STATUS) == _NO_RESPONDERS


async def connect(server: Server, name: str, registry: CollectorRegistry) -> Bus:
    """Connect, or raise Unreachable, ServerTooOld or BadCertificates with a message fit for one log line.

    Replies come to ``_INBOX.<user>.>``, without a user to ``_INBOX.<name>.>``: permissions can keep services
    out of each other's inboxes.
    """
    if server.tls is not None:
        # So that what is wrong with the files is said, not that there is no connection.
        server.tls.context()
    client = _Client(server.tls)
    bus = Bus(client, registry)
    try:
        async with asyncio.timeout(server.patience_seconds):
            await client.connect(
                server.urls,
                name=name,
                user=server.user or None,
                password=server.password or None,
                inbox_prefix=f"_INBOX.{server.user or name}",
                max_reconnect_attempts=-1,
                reconnect_time_wait=0.25,  # type: ignore[arg-type]  # the client sleeps this long; its hint says int
                connect_timeout=2,
                ping_interval=5,
                max_outstanding_pings=2,
                error_cb=bus.on_error,
                disconnected_cb=bus.on_disconnect,
                reconnected_cb=bus.on_reconnect,
                closed_cb=bus.on_close,
            )
    except (TimeoutError, OSError) as error:
        await client.close()
        if bus.refusal:
            raise Unreachable(f"NATS at {server.shown} refuses {server.whom}: {bus.refusal}") from None
        reason = bus.last_error or str(error) or "timed out"
        patience = f"{server.patience_seconds:g} s"
        raise Unreachable(f"no NATS at {server.shown} within {patience}: {reason}") from None
    await _require_modern(client)
    await bus._opened()
    return bus


class _Client(Client):
    """nats-py's client, but one that keeps to TLS where that is asked for, and closes failed connections."""

    def __init__(self, tls: ClientTls | None) -> None:
        super().__init__()
        self._tls = tls

    @property
    def ssl_context(self) -> ssl.SSLContext:
        """Asked for at every handshake, so that new certificates are taken up."""
        if self._tls is None:
            return super().ssl_context
        try:
            return self._tls.context()
        except BadCertificates as error:
            raise SecureConnFailedError(str(error)) from None

    async def _process_connect_init(self) -> None:
        try:
            await super()._process_connect_init()
        except BaseException:
            if self._transport is not None:
                self._transport.close()  # type: ignore[no-untyped-call]  # nats-py leaves it so
            raise

    def _connect_command(self) -> bytes:
        # The first that is sent, with the password in it; with a server that asks for TLS, that has begun.
        if self._tls is not None and not self._server_info.get("tls_required"):
            raise SecureConnRequiredError
        return super()._connect_command()


async def _require_modern(client: Client) -> None:
    version = client.connected_server_version
    if (version.major, version.minor) < OLDEST_SERVER:
        await client.close()
        found = f"{version.major}.{version.minor}.{version.patch}"
        raise ServerTooOld(f"the suite needs nats-server 2.12 or newer, found {found}")
