"""How hostile calls are made: answered, cut short, left open, or no calls at all but bytes on a socket."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from random import Random
from typing import Any

import grpc

from kit.hostile.record import OK, Attack, Record

_PATIENCE_SECONDS = 60.0
_LOOK_SECONDS = 0.2
_MOST_LEFT_OPEN = 40
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_FIRST_WORDS = (
    b"",
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00",
    _PREFACE[:10],
    _PREFACE,
    _PREFACE + b"\0\0\0\x04\0\0\0\0\0",
    _PREFACE + b"\xff\xff\xff\x04\xff\xff\xff\xff\xff" + bytes(100),
    _PREFACE + b"\0\0\0\x04\0\0\0\0\0" + b"\0\0\x10\x01\x04\0\0\0\x01" + b"\xff" * 16,
)


class Attacker:
    """Makes calls and tells the record how they end."""

    def __init__(self, record: Record, rng: Random) -> None:
        self._record = record
        self._rng = rng
        self._left_open: deque[grpc.aio.UnaryStreamCall[bytes, bytes]] = deque()
        self._sockets: deque[asyncio.StreamWriter] = deque()

    async def strike(self, attack: Attack) -> None:
        """One call, to its end."""
        rpc = attack.rpc
        if rpc.takes_stream:
            await self._settle(attack, self._converse(attack))
        elif rpc.answers_stream:
            await self._settle(attack, self._watch(attack))
        else:
            await self._settle(attack, self._ask(attack))

    async def vandalise(self, port: int) -> None:
        """Bytes that are no call, on a connection that may stay open."""
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            more = self._rng.randbytes(self._rng.choice((0, 0, 9, 999)))
            writer.write(self._rng.choice(_FIRST_WORDS) + more)
            await writer.drain()
            self._sockets.append(writer)
            if len(self._sockets) > _MOST_LEFT_OPEN:
                self._sockets.popleft().close()

    def leave(self) -> None:
        """Give up what is still open."""
        for call in self._left_open:
            call.cancel()
        for writer in self._sockets:
            writer.close()

    async def _ask(self, attack: Attack) -> None:
        multi: Any = attack.rpc.channel.unary_unary(attack.rpc.path)
        timeout: float | None = _PATIENCE_SECONDS
        if attack.hasty:
            timeout = self._rng.choice((0.0005, 0.003, 0.02, _PATIENCE_SECONDS))
        call = multi(attack.raw, metadata=attack.caller.metadata, timeout=timeout)
        if timeout == _PATIENCE_SECONDS and attack.hasty:
            asyncio.get_running_loop().call_later(self._rng.choice((0, 0.001, 0.01)), call.cancel)
        await call

    async def _watch(self, attack: Attack) -> None:
        """A stream that is read for a while, then dropped, or left open and read no more."""
        multi: Any = attack.rpc.channel.unary_stream(attack.rpc.path)
        await self._drain(attack, multi(attack.raw, metadata=attack.caller.metadata))

    async def _converse(self, attack: Attack) -> None:
        multi: Any = attack.rpc.channel.stream_stream(attack.rpc.path)
        await self._drain(attack, multi(iter([attack.raw]), metadata=attack.caller.metadata))

    async def _drain(self, attack: Attack, call: Any) -> None:
        # Who reads too long waits as long as nothing happens; the first word, or a refusal, comes at once.
        seconds, looks = _PATIENCE_SECONDS, self._rng.choice((0, 1, 3)) if attack.hasty else 1
        if not looks:
            call.cancel()
        for _ in range(looks or 1):
            try:
                async with asyncio.timeout(seconds):
                    answer = await call.read()
            except TimeoutError:
                if seconds == _PATIENCE_SECONDS:
                    about = f"{attack.rpc.path} {attack.raw[:300]!r}"
                    self._record.find("every stream begins in time", about)
                return
            if answer is grpc.aio.EOF:
                return
            seconds = _LOOK_SECONDS
        self._left_open.append(call)
        if self._rng.random() < 0.5:
            self._left_open.pop().cancel()
        if len(self._left_open) > _MOST_LEFT_OPEN:
            self._left_open.popleft().cancel()

    async def _settle(self, attack: Attack, work: Any) -> None:
        try:
            await work
        except grpc.aio.AioRpcError as error:
            self._record.ended(attack, error.code(), error)
        except asyncio.CancelledError:
            # The call was cancelled by its caller, not this task.
            self._record.ended(attack, grpc.StatusCode.CANCELLED, None)
        else:
            self._record.ended(attack, OK, None)
