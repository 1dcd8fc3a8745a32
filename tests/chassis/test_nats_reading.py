"""Direct reads against a real server."""

from __future__ import annotations

import pytest
from nats.js.api import StreamConfig

from shuangkou.chassis import nats
from shuangkou.chassis.nats import Bus, NewMessage

LOG = StreamConfig(name="LOG", subjects=["log.>"], allow_direct=True)


@pytest.fixture
async def log(bus: Bus) -> Bus:
    await nats.ensure_stream(bus, LOG)
    return bus


async def test_reading_pages_through_a_long_log_in_order(log: Bus) -> None:
    for number in range(1_300):
        subject = "log.a" if number % 2 == 0 else "log.b"
        await nats.append(log, NewMessage(subject, b"%d" % number))
    read = [(message.sequence, int(message.payload)) async for message in nats.read(log, "LOG", "log.a")]
    assert read == [(number + 1, number) for number in range(0, 1_300, 2)]


async def test_reading_starts_where_asked(log: Bus) -> None:
    for number in range(10):
        await nats.append(log, NewMessage("log.a", b"%d" % number))
    assert [message.sequence async for message in nats.read(log, "LOG", "log.a", first_sequence=8)] == [
        8,
        9,
        10,
    ]


async def test_reading_past_the_end_finds_nothing(log: Bus) -> None:
    await nats.append(log, NewMessage("log.a"))
    assert [message async for message in nats.read(log, "LOG", "log.a", first_sequence=2)] == []
    assert [message async for message in nats.read(log, "LOG", "log.other")] == []


async def test_an_empty_stream_reads_as_nothing(log: Bus) -> None:
    assert [message async for message in nats.read(log, "LOG", "log.>")] == []
    assert await nats.last_message(log, "LOG", "log.>") is None
    assert await nats.message_at(log, "LOG", 1) is None


async def test_empty_payloads_and_headers_come_back(log: Bus) -> None:
    await nats.append(log, NewMessage("log.a", b"", {"ce-id": "双扣"}))
    last = await nats.last_message(log, "LOG", "log.a")
    assert last is not None
    assert (last.payload, last.headers["ce-id"], last.sequence) == (b"", "双扣", 1)
    assert [message.payload async for message in nats.read(log, "LOG", "log.a")] == [b""]


async def test_a_message_with_a_status_header_of_its_own_is_still_a_message(log: Bus) -> None:
    await nats.append(log, NewMessage("log.a", b"", {"Status": "404"}))
    assert [message.sequence async for message in nats.read(log, "LOG", "log.a")] == [1]
    assert await nats.last_message(log, "LOG", "log.a") is not None


async def test_the_last_of_each_subject_comes_at_once(log: Bus) -> None:
    for subject in ("log.a", "log.b", "log.a", "log.c"):
        await nats.append(log, NewMessage(subject))
    newest = await nats.read_last_of_each(log, "LOG", ["log.a", "log.b"])
    assert [(message.subject, message.sequence) for message in newest] == [("log.b", 2), ("log.a", 3)]


async def test_a_stream_that_is_not_there_is_no_response(bus: Bus) -> None:
    with pytest.raises(nats.NoResponse):
        await nats.last_message(bus, "NONE", "x")
    with pytest.raises(nats.NoResponse):
        _ = [message async for message in nats.read(bus, "NONE", "x")]
