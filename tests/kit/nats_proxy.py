"""A proxy between a service and its broker that loses what a test asks it to lose."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from kit.nats import NatsServer

_WITH_PAYLOAD = frozenset({b"PUB", b"HPUB", b"MSG", b"HMSG"})


class NatsProxy:
    """Forwards the NATS protocol message by message.

    `lost` counts what was asked for and happened, by the asked-for part of a subject.
    """

    def __init__(self, broker_port: int) -> None:
        self.url = ""
        self.lost: list[str] = []
        self._broker_port = broker_port
        self._publishes: list[str] = []
        self._answers: list[str] = []
        self._messages: list[str] = []
        self._reply_subjects: dict[bytes, str] = {}
        self._connections: set[asyncio.Task[None]] = set()

    def lose_publish(self, part: str) -> None:
        """The next message with this part in its subject never reaches the broker."""
        self._publishes.append(part)

    def lose_answer(self, part: str) -> None:
        """The next message with this part in its subject is stored, but nobody hears of it."""
        self._answers.append(part)

    def lose_message(self, part: str) -> None:
        """The next message with this part in its subject that the broker delivers is not delivered."""
        self._messages.append(part)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A connection of the service."""
        connection = asyncio.create_task(self._forward(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)

    async def close(self) -> None:
        """End all connections; the service may open new ones."""
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            broker_reader, broker_writer = await asyncio.open_connection("127.0.0.1", self._broker_port)
        except ConnectionError:
            # The broker is down, and so is the way to it.
            writer.close()
            return
        try:
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._pump(reader, broker_writer))
                ways.create_task(self._pump(broker_reader, writer))
        finally:
            for end in (writer, broker_writer):
                end.close()
                with suppress(ConnectionError):
                    await end.wait_closed()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                line = await reader.readuntil(b"\r\n")
                words = line.split()
                has_payload = bool(words) and words[0].upper() in _WITH_PAYLOAD
                payload = await reader.readexactly(int(words[-1]) + 2) if has_payload else b""
                if has_payload and self._is_lost(words):
                    continue
                writer.write(line + payload)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            # One end has left, so the other is told.
            writer.close()

    def _lost_message(self, subject: str) -> str | None:
        part = next((part for part in self._messages if part in subject), None)
        if part is not None:
            self._messages.remove(part)
        return part

    def _is_lost(self, words: list[bytes]) -> bool:
        subject = words[1].decode()
        if words[0].upper() in (b"MSG", b"HMSG"):
            part = self._reply_subjects.pop(words[1], None) or self._lost_message(subject)
            if part is not None:
                self.lost.append(part)
            return part is not None
        for part in self._publishes:
            if part in subject:
                self._publishes.remove(part)
                self.lost.append(part)
                return True
        for part in self._answers:
            if part in subject:
                self._answers.remove(part)
                self._reply_subjects[words[2]] = part
                break
        return False


@asynccontextmanager
async def proxied(broker: NatsServer) -> AsyncIterator[NatsProxy]:
    """A proxy in front of this broker."""
    proxy = NatsProxy(broker.port)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.url = f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
