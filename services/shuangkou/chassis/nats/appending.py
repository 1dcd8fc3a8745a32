"""Appending to streams: one message, an atomic batch, or one that the server delivers later."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

from nats.aio.msg import Msg

from shuangkou.chassis.nats.connection import Bus, is_no_response
from shuangkou.chassis.nats.errors import AppendTimeout, NoResponse, NotNow, Unanswered, api_refusal
from shuangkou.chassis.nats.messages import Expectation, NewMessage

APPEND_TIMEOUT = 5.0


async def append(
    bus: Bus,
    message: NewMessage,
    expect: Expectation | None = None,
    message_id: str = "",
    timeout: float = APPEND_TIMEOUT,
) -> int:
    """Store a message and return its stream sequence; with a ``message_id`` a repeat returns the first one's.

    Raises WrongLastSequence where ``expect`` fails (also for a repeat whose expectation is out of date),
    NoResponse without a stream, NotConnected when nothing was sent, and AppendTimeout when nobody can say.
    """
    headers = message.all_headers()
    if expect is not None:
        _add_expectation(headers, expect)
    if message_id:
        headers["Nats-Msg-Id"] = message_id
    async with bus.groups.journey():
        reply, answer = bus.inbox.expect_one(timeout)
        try:
            await bus.send(message.subject, message.payload, reply, headers)
            return _stored_at(await answer, message.subject)
        except Unanswered as error:
            raise AppendTimeout(f"{message.subject}: {error}") from None
        finally:
            bus.inbox.forget(reply)


async def append_batch(
    bus: Bus,
    messages: Sequence[NewMessage],
    expect: Expectation | None = None,
    timeout: float = APPEND_TIMEOUT,
) -> int:
    """Store all messages or none, next to each other, and return the last one's stream sequence.

    ``expect`` is checked before the first. Errors are those of ``append``. The stream needs ``allow_atomic``;
    with file storage the server syncs the disk for every batch, one after the other: some 100 a second.
    """
    if not messages:
        raise ValueError("an empty batch")
    batch = uuid4().hex
    reply, answer = bus.inbox.expect_one(timeout)
    last = len(messages)
    try:
        for number, message in enumerate(messages, start=1):
            headers = message.all_headers()
            headers["Nats-Batch-Id"] = batch
            headers["Nats-Batch-Sequence"] = str(number)
            if number == 1 and expect is not None:
                _add_expectation(headers, expect)
            if number == last:
                headers["Nats-Batch-Commit"] = "1"
            await bus.send(message.subject, message.payload, reply if number == last else "", headers)
        return _stored_at(await answer, messages[-1].subject)
    except Unanswered as error:
        raise AppendTimeout(f"{messages[-1].subject}: {error}") from None
    finally:
        bus.inbox.forget(reply)


async def schedule(
    bus: Bus, message: NewMessage, target: str, due: float, timeout: float = APPEND_TIMEOUT
) -> int:
    """Have the server put ``message`` on ``target`` at ``due`` (seconds since the epoch).

    Returns its sequence. A later schedule on the same subject replaces this one. Both subjects belong
    to one stream, which needs ``allow_msg_schedules``. Errors are those of ``append``.
    """
    at = datetime.fromtimestamp(due, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    headers = {**message.headers, "Nats-Schedule": f"@at {at}", "Nats-Schedule-Target": target}
    return await append(bus, NewMessage(message.subject, message.payload, headers), timeout=timeout)


def _add_expectation(headers: dict[str, str], expect: Expectation) -> None:
    headers["Nats-Expected-Last-Subject-Sequence"] = str(expect.last_sequence)
    if expect.subject:
        headers["Nats-Expected-Last-Subject-Sequence-Subject"] = expect.subject


def _stored_at(msg: Msg, subject: str) -> int:
    if is_no_response(msg):
        raise NoResponse(f"no stream takes {subject}")
    answer = json.loads(msg.data)
    if "error" in answer:
        refusal = api_refusal(answer["error"])
        if isinstance(refusal, NotNow):
            # A leader that is voted out may still see its followers store what it proposed.
            raise AppendTimeout(f"{subject}: {refusal}")
        raise refusal
    return int(answer["seq"])
