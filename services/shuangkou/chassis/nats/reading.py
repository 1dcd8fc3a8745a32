"""Reading stored messages by direct get: no consumer is made, any replica answers."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator, Sequence

from nats.aio.msg import Msg

from shuangkou.chassis.nats.connection import Bus
from shuangkou.chassis.nats.errors import ApiRefused, NoResponse, NotThere, Unanswered
from shuangkou.chassis.nats.messages import DESCRIPTION, STATUS, StoredMessage, from_direct_get

_END_OF_BATCH = "204"
_NOTHING = frozenset({"404"})
_NO_RESPONDERS = "503"
_PAGE = 512


async def last_message(bus: Bus, stream: str, subject: str) -> StoredMessage | None:
    """The newest message on ``subject`` (wildcards allowed), or None.

    With several replicas the answer may come from one that lags by a moment.
    """
    return await _get_one(bus, stream, {"last_by_subj": subject})


async def last_message_for_sure(bus: Bus, stream: str, subject: str) -> StoredMessage | None:
    """The newest message on ``subject`` (wildcards allowed) by the word of the stream's leader, or None.

    What was acknowledged before the call is seen. It costs more than ``last_message``, and is not answered
    while the stream has no leader.
    """
    try:
        answer = await bus.api(f"STREAM.MSG.GET.{stream}", {"last_by_subj": subject})
    except NotThere:
        return None
    message = answer["message"]
    payload = b64decode(message.get("data", ""))
    return StoredMessage(message["subject"], int(message["seq"]), payload, {}, message["time"])


async def message_at(bus: Bus, stream: str, sequence: int) -> StoredMessage | None:
    """The message with this stream sequence, or None where there is none (any more)."""
    return await _get_one(bus, stream, {"seq": sequence})


async def next_message(bus: Bus, stream: str, subject: str, first_sequence: int = 1) -> StoredMessage | None:
    """The oldest message on ``subject`` (wildcards allowed) from ``first_sequence`` on, or None."""
    return await _get_one(bus, stream, {"seq": first_sequence, "next_by_subj": subject})


async def read(
    bus: Bus, stream: str, subject: str, first_sequence: int = 1, page_timeout: float = 5.0
) -> AsyncIterator[StoredMessage]:
    """Every message on ``subject`` (wildcards allowed) from ``first_sequence`` to the end, in order.

    Messages stored while reading may or may not be included. Raises Unanswered, NoResponse or NotConnected;
    what was read until then is right.
    """
    following: int | None = first_sequence
    while following is not None:
        page, following = await _page(bus, stream, {"seq": following, "next_by_subj": subject}, page_timeout)
        for message in page:
            yield message


async def read_last_of_each(
    bus: Bus, stream: str, subjects: Sequence[str], page_timeout: float = 5.0
) -> list[StoredMessage]:
    """The newest message of every subject that matches, at most 1024 of them, ordered by sequence."""
    page, _ = await _page(bus, stream, {"multi_last": list(subjects)}, page_timeout)
    return page


async def _get_one(bus: Bus, stream: str, request: dict[str, object]) -> StoredMessage | None:
    msg = await bus.ask(f"$JS.API.DIRECT.GET.{stream}", json.dumps(request).encode())
    status = _status(msg)
    if status is None:
        return from_direct_get(msg)
    if status in _NOTHING:
        return None
    raise _refusal(msg)


async def _page(
    bus: Bus, stream: str, request: dict[str, object], within: float
) -> tuple[list[StoredMessage], int | None]:
    """One batch, and the sequence the next one starts from, or None at the end."""
    reply, answers = bus.inbox.expect_many()
    payload = json.dumps(request | {"batch": _PAGE}).encode()
    page: list[StoredMessage] = []
    try:
        async with asyncio.timeout(within):
            await bus.send(f"$JS.API.DIRECT.GET.{stream}", payload, reply, None)
            while True:
                msg = await answers.get()
                if msg is None:
                    raise Unanswered(f"reading {stream}: the connection broke")
                status = _status(msg)
                if status is None:
                    page.append(from_direct_get(msg))
                elif status == _END_OF_BATCH:
                    return page, _continue_at(msg, page)
                elif status in _NOTHING:
                    return page, None
                else:
                    raise _refusal(msg)
    except TimeoutError:
        raise Unanswered(f"reading {stream}: no answer within {within:g} s") from None
    finally:
        bus.inbox.forget(reply)


def _continue_at(end: Msg, page: list[StoredMessage]) -> int | None:
    pending = int((end.headers or {}).get("Nats-Num-Pending", "0"))
    return page[-1].sequence + 1 if pending and page else None


def _status(msg: Msg) -> str | None:
    if msg.data or msg.headers is None or "Nats-Sequence" in msg.headers:
        return None
    return msg.headers.get(STATUS)


def _refusal(msg: Msg) -> Exception:
    headers = msg.headers or {}
    if headers.get(STATUS) == _NO_RESPONDERS:
        return NoResponse(f"nobody answers {msg.subject}: no such stream, or it does not allow direct gets")
    return ApiRefused(int(headers.get(STATUS, "0")), headers.get(DESCRIPTION, "unknown"))
