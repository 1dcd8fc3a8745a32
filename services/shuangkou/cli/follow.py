"""A table's stream that outlives the engine it comes from."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

import grpc

from shuangkou.chassis.channels import attempts
from shuangkou.cli.clients import Clients, Refused, may_pass, refused
from shuangkou.cli.own_seat import NOT_YOURS, find_seat
from shuangkou.v1 import table_pb2

_SILENCE_SECONDS: Final = 7.0
"""Engines send a heartbeat every two seconds."""

Update = table_pb2.SeatView | table_pb2.TableUpdate


async def follow(
    clients: Clients, request: table_pb2.WatchTableRequest, player: str = ""
) -> AsyncGenerator[Update, None]:
    """The view whenever a stream starts, and each commit after it or after ``after_version`` once, in order.

    The seat of ``player`` is followed wherever it moves. Refused when the table cannot be watched. It ends
    only with its reader.
    """
    seen = request.after_version
    resumes = request.HasField("after_version")
    tries = attempts()
    while True:
        request = table_pb2.WatchTableRequest.FromString(request.SerializeToString())
        if resumes:
            request.after_version = seen
        try:
            async for message in _stream(clients, request):
                clients.on_answer()
                kind = message.WhichOneof("update")
                tries = attempts()
                if kind == "snapshot":
                    seen = seen if resumes else message.snapshot.version
                    resumes = True
                    yield message.snapshot
                elif kind == "commit" and message.commit.commit.version > seen:
                    seen = message.commit.commit.version
                    yield message.commit
        except grpc.aio.AioRpcError as error:
            if not may_pass(error):
                request.seat = await _moved_seat(clients, request, player, refused(error))
        except TimeoutError:
            # The engine neither speaks nor closes: it is as good as gone.
            pass
        clients.on_trouble()
        await asyncio.sleep(next(tries).pause)


async def _moved_seat(
    clients: Clients, request: table_pb2.WatchTableRequest, player: str, why: Refused
) -> int:
    """Where the player sits now; raises `why` again unless it is that the player sits elsewhere."""
    if not player or why.refusal.code != NOT_YOURS:
        raise why from None
    found = await find_seat(clients, request.table_id, player)
    if found is None or found == request.seat:
        raise why from None
    return found


async def _stream(
    clients: Clients, request: table_pb2.WatchTableRequest
) -> AsyncGenerator[table_pb2.WatchTableResponse, None]:
    call = clients.tables.WatchTable(request, metadata=clients.metadata)
    try:
        while True:
            async with asyncio.timeout(_SILENCE_SECONDS):
                message = await call.read()
            if not isinstance(message, table_pb2.WatchTableResponse):
                return
            yield message
    finally:
        call.cancel()
