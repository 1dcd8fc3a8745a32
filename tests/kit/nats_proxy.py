"""A proxy between a service and its broker that does to single messages what a test asks it to do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from itertools import cycle

from kit.nats import NatsServer

_PUBLISHED = frozenset({b"PUB", b"HPUB"})
_DELIVERED = frozenset({b"MSG", b"HMSG"})


class Kind(Enum):
    """Which message: one that the service publishes, its answer, or one that is delivered to the service."""

    PUBLISH = "publish"
    ANSWER = "answer"
    DELIVERY = "delivery"


@dataclass(frozen=True, slots=True)
class Fate:
    """How often the message arrives, and how much later. Later ones overtake it."""

    times: int = 1
    after_seconds: float = 0.0


LOST = Fate(times=0)
DOUBLED = Fate(times=2)


@dataclass(frozen=True, slots=True)
class _Order:
    kind: Kind
    part: str
    fate: Fate


class NatsProxy:
    """Forwards the NATS protocol message by message.

    `lost` counts what was asked for and happened, by the asked-for part of a subject.
    """

    def __init__(self, broker_ports: list[int]) -> None:
        self.url = ""
        self.lost: list[str] = []
        self._broker_ports = cycle(broker_ports)
        self._brokers = len(broker_ports)
        self._orders: list[_Order] = []
        self._answers: dict[bytes, _Order] = {}
        self._running: set[asyncio.Task[None]] = set()

    def ask(self, kind: Kind, part: str, fate: Fate) -> None:
        """The next message of this kind with this part in its subject has this fate.

        An answer is known by the subject of what it answers.
        """
        self._orders.append(_Order(kind, part, fate))

    def lose_publish(self, part: str) -> None:
        """The next message with this part in its subject never reaches the broker."""
        self.ask(Kind.PUBLISH, part, LOST)

    def lose_answer(self, part: str) -> None:
        """The next message with this part in its subject is stored, but nobody hears of it."""
        self.ask(Kind.ANSWER, part, LOST)

    def lose_message(self, part: str) -> None:
        """The next message with this part in its subject that the broker delivers is not delivered."""
        self.ask(Kind.DELIVERY, part, LOST)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A connection of the service."""
        self._run(asyncio.create_task(self._forward(reader, writer)))

    async def close(self) -> None:
        """End all connections."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _run(self, task: asyncio.Task[None]) -> None:
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        broker = await self._broker()
        if broker is None:
            # The broker is down, and so is the way to it.
            writer.close()
            return
        broker_reader, broker_writer = broker
        try:
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._pump(reader, broker_writer))
                ways.create_task(self._pump(broker_reader, writer))
        finally:
            for end in (writer, broker_writer):
                end.close()
                with suppress(ConnectionError):
                    await end.wait_closed()

    async def _broker(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        for _ in range(self._brokers):
            with suppress(ConnectionError):
                return await asyncio.open_connection("127.0.0.1", next(self._broker_ports))
        return None

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                line = await reader.readuntil(b"\r\n")
                words = line.split()
                verb = words[0].upper() if words else b""
                if verb not in _PUBLISHED and verb not in _DELIVERED:
                    writer.write(line)
                else:
                    payload = await reader.readexactly(int(words[-1]) + 2)
                    self._write(writer, line + payload, self._fate(verb, words))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            # One end has left, so the other is told.
            writer.close()

    def _write(self, writer: asyncio.StreamWriter, frame: bytes, fate: Fate) -> None:
        if fate.after_seconds:
            self._run(asyncio.create_task(_write_later(writer, frame * fate.times, fate.after_seconds)))
        else:
            writer.write(frame * fate.times)

    def _fate(self, verb: bytes, words: list[bytes]) -> Fate:
        subject = words[1]
        if verb in _DELIVERED:
            order = self._answers.pop(subject, None) or self._take(Kind.DELIVERY, subject)
        else:
            order = self._take(Kind.PUBLISH, subject)
            has_reply = len(words) == (5 if verb == b"HPUB" else 4)
            answer = self._take(Kind.ANSWER, subject) if has_reply and order is None else None
            if answer is not None:
                self._answers[words[2]] = answer
        if order is None:
            return Fate()
        self.lost.append(order.part)
        return order.fate

    def _take(self, kind: Kind, subject: bytes) -> _Order | None:
        for order in self._orders:
            if order.kind is kind and order.part.encode() in subject:
                self._orders.remove(order)
                return order
        return None


async def _write_later(writer: asyncio.StreamWriter, frames: bytes, seconds: float) -> None:
    await asyncio.sleep(seconds)
    if not writer.is_closing():
        writer.write(frames)


@asynccontextmanager
async def proxied(*brokers: NatsServer) -> AsyncIterator[NatsProxy]:
    """A proxy in front of these brokers: a connection goes to the next one that is up."""
    proxy = NatsProxy([broker.port for broker in brokers])
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.url = f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
