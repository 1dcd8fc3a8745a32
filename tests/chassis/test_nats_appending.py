"""Checked appends, atomic batches and timers against a real server."""

from __future__ import annotations

import asyncio
import time
from uuid import uuid4

import pytest
from nats.js.api import RePublish, RetentionPolicy, StorageType, StreamConfig, StreamSource, SubjectTransform

from kit.nats import NatsServer
from kit.waiting import eventually
from shuangkou.chassis import nats
from shuangkou.chassis.nats import Bus, Expectation, NewMessage
from shuangkou.chassis.trace import enter_trace

LOG = StreamConfig(
    name="LOG",
    subjects=["log.>"],
    storage=StorageType.FILE,
    allow_direct=True,
    allow_atomic=True,
    republish=RePublish(src="log.*.public", dest="live.log.{{wildcard(1)}}"),
)


@pytest.fixture
async def log(bus: Bus) -> Bus:
    await nats.ensure_stream(bus, LOG)
    return bus


async def test_an_append_returns_the_sequence(log: Bus) -> None:
    assert await nats.append(log, NewMessage("log.a.public", b"one")) == 1
    assert await nats.append(log, NewMessage("log.a.public", b"two")) == 2


async def test_a_failed_expectation_stores_nothing(log: Bus) -> None:
    first = await nats.append(log, NewMessage("log.a.public"), Expectation(0, "log.a.>"))
    await nats.append(log, NewMessage("log.a.secret"), Expectation(first, "log.a.>"))
    with pytest.raises(nats.WrongLastSequence):
        await nats.append(log, NewMessage("log.a.public", b"late"), Expectation(first, "log.a.>"))
    last = await nats.last_message(log, "LOG", "log.a.>")
    assert last is not None
    assert last.subject == "log.a.secret"


async def test_of_many_appends_with_one_expectation_one_wins(log: Bus) -> None:
    attempts = [
        nats.append(log, NewMessage("log.a.public", b"%d" % number), Expectation(0, "log.a.>"))
        for number in range(50)
    ]
    outcomes = await asyncio.gather(*attempts, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["WrongLastSequence"] * 49 + ["int"]


async def test_a_repeat_with_the_same_id_is_stored_once(log: Bus) -> None:
    first = await nats.append(log, NewMessage("log.a.public"), message_id="m1")
    assert await nats.append(log, NewMessage("log.a.public"), message_id="m1") == first


async def test_a_repeat_whose_expectation_is_out_of_date_is_refused(log: Bus) -> None:
    await nats.append(log, NewMessage("log.a.public"), Expectation(0), message_id="m1")
    with pytest.raises(nats.WrongLastSequence):
        await nats.append(log, NewMessage("log.a.public"), Expectation(0), message_id="m1")


async def test_a_subject_without_stream_is_no_response(log: Bus) -> None:
    with pytest.raises(nats.NoResponse):
        await nats.append(log, NewMessage("nowhere.a"))


async def test_an_append_carries_the_trace(log: Bus) -> None:
    trace = enter_trace(None)
    sequence = await nats.append(log, NewMessage("log.a.public", headers={"ce-type": "t"}))
    stored = await nats.message_at(log, "LOG", sequence)
    assert stored is not None
    assert stored.headers["traceparent"] == trace.traceparent
    assert stored.headers["ce-type"] == "t"


async def test_a_batch_is_stored_as_one(log: Bus) -> None:
    batch = [NewMessage("log.a.secret", b"cards"), NewMessage("log.a.public", b"dealt")]
    assert await nats.append_batch(log, batch, Expectation(0, "log.a.>")) == 2
    stored = [(message.subject, message.payload) async for message in nats.read(log, "LOG", "log.a.>")]
    assert stored == [("log.a.secret", b"cards"), ("log.a.public", b"dealt")]


async def test_a_batch_with_a_failed_expectation_stores_nothing(log: Bus) -> None:
    await nats.append(log, NewMessage("log.a.public", b"first"))
    batch = [NewMessage("log.a.secret"), NewMessage("log.a.public")]
    with pytest.raises(nats.WrongLastSequence):
        await nats.append_batch(log, batch, Expectation(0, "log.a.>"))
    assert [message.payload async for message in nats.read(log, "LOG", "log.a.>")] == [b"first"]


async def test_of_many_batches_with_one_expectation_one_wins(log: Bus) -> None:
    batch = [NewMessage("log.a.secret"), NewMessage("log.a.public")]
    attempts = [nats.append_batch(log, batch, Expectation(0, "log.a.>")) for _ in range(20)]
    outcomes = await asyncio.gather(*attempts, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["WrongLastSequence"] * 19 + ["int"]


async def test_a_batch_on_a_stream_that_allows_none_is_refused(bus: Bus) -> None:
    await nats.ensure_stream(bus, StreamConfig(name="PLAIN", subjects=["plain.>"]))
    with pytest.raises(nats.ApiRefused):
        await nats.append_batch(bus, [NewMessage("plain.a"), NewMessage("plain.b")])


async def test_only_stored_messages_are_republished(log: Bus) -> None:
    seen: asyncio.Queue[tuple[str, int]] = asyncio.Queue()

    async def arrived(msg: object) -> None:
        headers = getattr(msg, "headers", None) or {}
        seen.put_nowait((headers["Nats-Subject"], int(headers["Nats-Sequence"])))

    await log.client.subscribe("live.log.*", cb=arrived)
    await nats.append(log, NewMessage("log.a.public"), Expectation(0))
    with pytest.raises(nats.WrongLastSequence):
        await nats.append(log, NewMessage("log.a.public"), Expectation(0))
    await nats.append(log, NewMessage("log.a.public"), Expectation(1))
    assert [await seen.get(), await seen.get()] == [("log.a.public", 1), ("log.a.public", 2)]


async def test_an_append_during_an_outage_fails_at_once_and_is_not_sent_later(
    log: Bus, nats_server: NatsServer
) -> None:
    await nats.append(log, NewMessage("log.a.public", b"before"))
    nats_server.kill()
    await eventually(lambda: not log.is_connected)
    with pytest.raises(nats.NotConnected):
        await nats.append(log, NewMessage("log.a.public", b"during"))
    nats_server.start()
    await log.connected(within=10)
    await nats.append(log, NewMessage("log.a.public", b"after"))
    assert [message.payload async for message in nats.read(log, "LOG", "log.>")] == [b"before", b"after"]


async def test_what_was_acknowledged_survives_a_crash_and_nothing_is_stored_twice(
    log: Bus, nats_server: NatsServer
) -> None:
    """A writer that follows the ambiguous-append rule through two crashes leaves a gapless log."""
    total, crashes = 400, {100, 250}
    last = 0
    for number in range(total):
        payload = b"%d" % number
        if number in crashes:
            nats_server.kill()
            nats_server.start()
        while True:
            try:
                last = await nats.append(
                    log, NewMessage("log.a.public", payload), Expectation(last), timeout=2
                )
                break
            except nats.WrongLastSequence:
                newest = await nats.last_message(log, "LOG", "log.a.public")
                assert newest is not None
                last = newest.sequence
                if newest.payload == payload:
                    break
            except nats.NatsFailure:
                await log.connected(within=10)
    stored = [int(message.payload) async for message in nats.read(log, "LOG", "log.a.public")]
    assert stored == list(range(total))


async def test_a_timer_fires_once_at_its_time(bus: Bus) -> None:
    timers = StreamConfig(
        name="TIMERS", subjects=["timer.*", "due.*"], allow_msg_schedules=True, allow_direct=True
    )
    await nats.ensure_stream(bus, timers)
    due = time.time() + 1.0
    await nats.schedule(bus, NewMessage("timer.t1", b"turn 7"), "due.t1", due)
    fired = await eventually(lambda: nats.last_message(bus, "TIMERS", "due.t1"))
    assert fired.payload == b"turn 7"
    assert fired.stored_at.timestamp() >= due - 0.01


async def test_a_later_schedule_replaces_an_earlier_one(bus: Bus) -> None:
    timers = StreamConfig(
        name="TIMERS", subjects=["timer.*", "due.*"], allow_msg_schedules=True, allow_direct=True
    )
    await nats.ensure_stream(bus, timers)
    await nats.schedule(bus, NewMessage("timer.t1", b"far"), "due.t1", time.time() + 3600)
    await nats.schedule(bus, NewMessage("timer.t1", b"near"), "due.t1", time.time() + 0.2)
    fired = await eventually(lambda: nats.last_message(bus, "TIMERS", "due.t1"))
    assert fired.payload == b"near"


async def test_a_stream_is_made_once_and_changed_later_by_many_at_once(bus: Bus) -> None:
    await asyncio.gather(*(nats.ensure_stream(bus, LOG) for _ in range(8)))
    wider = LOG.evolve(subjects=["log.>", "more.>"])
    await asyncio.gather(*(nats.ensure_stream(bus, wider) for _ in range(8)))
    await nats.append(bus, NewMessage("more.a"))


async def test_a_forbidden_change_says_so(bus: Bus) -> None:
    await nats.ensure_stream(bus, LOG)
    with pytest.raises(nats.ApiRefused, match="JetStream error"):
        await nats.ensure_stream(bus, LOG.evolve(retention=RetentionPolicy.WORK_QUEUE))


async def test_a_stream_can_source_and_rename_another_s_subjects(log: Bus) -> None:
    transform = SubjectTransform(src="log.*.public", dest="events.log.{{wildcard(1)}}")
    source = StreamSource(name="LOG", subject_transforms=[transform])
    await nats.ensure_stream(log, StreamConfig(name="EVENTS", sources=[source], allow_direct=True))
    identity = uuid4().hex
    await nats.append(log, NewMessage(f"log.{identity}.public", b"x"))
    event = await eventually(lambda: nats.last_message(log, "EVENTS", f"events.log.{identity}"))
    assert event.payload == b"x"


async def test_purging_a_subject_leaves_the_others(log: Bus) -> None:
    for subject in ("log.a.public", "log.a.secret", "log.b.public"):
        await nats.append(log, NewMessage(subject))
    assert await nats.purge_subject(log, "LOG", "log.a.>") == 2
    assert [message.subject async for message in nats.read(log, "LOG", "log.>")] == ["log.b.public"]
