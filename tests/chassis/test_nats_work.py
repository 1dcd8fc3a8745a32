"""Shared work: every job is done, through handler failures, crashes of the server and deletions."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from nats.js.api import StreamConfig
from prometheus_client import CollectorRegistry

from kit.nats import NatsServer
from kit.waiting import eventually
from shuangkou.chassis import nats
from shuangkou.chassis.errors import Unavailable
from shuangkou.chassis.logs import configure_logs
from shuangkou.chassis.nats import Bus, Job, NewMessage, Undoable, Worker, WorkQueue
from shuangkou.chassis.nats.work import Handler, Prepare
from shuangkou.chassis.settings import LogFormat, LogLevel
from shuangkou.chassis.trace import current_trace, enter_trace

JOBS = StreamConfig(name="JOBS", subjects=["job.>"])
QUEUE = WorkQueue("JOBS", "doers", ("job.*",), concurrency=4, ack_wait=2.0, retry_delay=0.05)


@pytest.fixture
async def jobs(bus: Bus) -> Bus:
    await nats.ensure_stream(bus, JOBS)
    return bus


@asynccontextmanager
async def working(
    bus: Bus, handler: Handler, queue: WorkQueue = QUEUE, prepare: Prepare | None = None
) -> AsyncIterator[Worker]:
    worker = Worker(bus, queue, handler, prepare)
    task = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await worker.stop(grace=5)


class Done:
    """Counts how often each job was done."""

    def __init__(self) -> None:
        self.times: Counter[bytes] = Counter()

    async def __call__(self, job: Job) -> None:
        self.times[job.payload] += 1


async def add(bus: Bus, *payloads: bytes) -> None:
    for payload in payloads:
        await nats.append(bus, NewMessage("job.a", payload))


async def unacknowledged(bus: Bus) -> int:
    info = await bus.api("CONSUMER.INFO.JOBS.doers", {})
    return int(info["num_ack_pending"]) + int(info["num_pending"])


async def test_every_job_is_done_once_and_acknowledged(jobs: Bus) -> None:
    done = Done()
    payloads = [b"%d" % number for number in range(200)]
    await add(jobs, *payloads[:100])
    async with working(jobs, done):
        await add(jobs, *payloads[100:])
        await eventually(lambda: len(done.times) == 200)
        await eventually(lambda: _none_left(jobs))
    assert set(done.times.values()) == {1}


async def _none_left(bus: Bus) -> bool:
    return await unacknowledged(bus) == 0


async def test_no_more_jobs_run_at_once_than_allowed(jobs: Bus) -> None:
    running, most = 0, 0
    gate = asyncio.Event()
    done = Done()

    async def handler(job: Job) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await gate.wait()
        running -= 1
        await done(job)

    await add(jobs, *(b"%d" % number for number in range(20)))
    async with working(jobs, handler):
        await eventually(lambda: running == QUEUE.concurrency)
        gate.set()
        await eventually(lambda: len(done.times) == 20)
    assert most == QUEUE.concurrency


async def test_a_failed_job_is_delivered_again_with_its_attempt(
    jobs: Bus, registry: CollectorRegistry
) -> None:
    attempts: list[int] = []

    async def handler(job: Job) -> None:
        attempts.append(job.attempt)
        if job.attempt < 3:
            raise RuntimeError("not yet")

    await add(jobs, b"x")
    async with working(jobs, handler):
        await eventually(lambda: attempts == [1, 2, 3])
        await eventually(lambda: _none_left(jobs))
    labels = {"queue": QUEUE.durable, "stream": QUEUE.stream}
    failed = {**labels, "outcome": "failed"}
    assert registry.get_sample_value("shuangkou_nats_work_handled_total", failed) == 2
    assert registry.get_sample_value("shuangkou_nats_work_redelivered_total", labels) == 2


@pytest.mark.usefixtures("own_logs")
async def test_an_outage_is_one_warning_and_a_fault_of_ours_an_error(
    jobs: Bus, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs("doers", LogLevel.INFO, LogFormat.JSON)
    failures = [
        nats.TryLater("no engine"),
        nats.NoResponse("no stream"),
        Unavailable("state/try_again", "later"),
        RuntimeError("a fault"),
    ]

    async def handler(job: Job) -> None:
        if failures:
            raise failures.pop(0)

    await add(jobs, b"x")
    async with working(jobs, handler):
        await eventually(lambda: not failures)
        await eventually(lambda: _none_left(jobs))
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [(line["event"], line["level"], line.get("reason")) for line in lines]
    assert told == [
        ("work_put_off", "warning", "no engine"),
        ("work_put_off", "warning", "no stream"),
        ("work_put_off", "warning", "state/try_again: later"),
        ("work_failed", "error", None),
    ]
    assert [line for line in lines if "exception" in line] == lines[-1:]


async def test_an_undoable_job_is_given_up(jobs: Bus) -> None:
    attempts: list[int] = []

    async def handler(job: Job) -> None:
        attempts.append(job.attempt)
        raise Undoable("cannot be read")

    await add(jobs, b"x")
    async with working(jobs, handler):
        await eventually(lambda: attempts)
        await eventually(lambda: _none_left(jobs))
    assert attempts == [1]


async def test_a_long_job_is_not_delivered_a_second_time(jobs: Bus) -> None:
    done = Done()
    gate = asyncio.Event()

    async def handler(job: Job) -> None:
        await done(job)
        await gate.wait()

    queue = WorkQueue("JOBS", "doers", ("job.*",), ack_wait=0.5)
    await add(jobs, b"long")
    async with working(jobs, handler, queue):
        await eventually(lambda: done.times)
        loop = asyncio.get_running_loop()
        began = loop.time()
        await eventually(lambda: loop.time() - began > 4 * queue.ack_wait)
        gate.set()
        await eventually(lambda: _none_left(jobs))
    assert done.times == {b"long": 1}


async def test_a_job_over_its_time_limit_is_tried_again(jobs: Bus) -> None:
    attempts: list[int] = []

    async def handler(job: Job) -> None:
        attempts.append(job.attempt)
        if job.attempt == 1:
            await asyncio.Event().wait()

    await add(jobs, b"x")
    async with working(
        jobs, handler, WorkQueue("JOBS", "doers", ("job.*",), time_limit=0.1, retry_delay=0.05)
    ):
        await eventually(lambda: attempts == [1, 2])


async def test_work_goes_on_after_the_server_crashed(jobs: Bus, nats_server: NatsServer) -> None:
    done = Done()
    async with working(jobs, done):
        await add(jobs, b"before")
        await eventually(lambda: done.times[b"before"])
        nats_server.restart()
        await jobs.connected(within=10)
        await eventually(lambda: _added(jobs, b"after"))
        await eventually(lambda: done.times[b"after"])


async def _added(bus: Bus, payload: bytes) -> bool:
    try:
        await add(bus, payload)
    except nats.NatsFailure:
        return False
    return True


async def test_work_goes_on_after_the_consumer_was_deleted(jobs: Bus) -> None:
    done = Done()
    async with working(jobs, done):
        await add(jobs, b"before")
        await eventually(lambda: done.times[b"before"])
        await nats.delete_consumer(jobs, QUEUE)
        await add(jobs, b"after")
        await eventually(lambda: done.times[b"after"])


async def test_work_goes_on_after_the_stream_was_deleted(bus: Bus) -> None:
    done = Done()
    async with working(bus, done, prepare=lambda: nats.ensure_stream(bus, JOBS)):
        await eventually(lambda: _added(bus, b"before"))
        await eventually(lambda: done.times[b"before"])
        await bus.api("STREAM.DELETE.JOBS", {})
        await eventually(lambda: _added(bus, b"after"))
        await eventually(lambda: done.times[b"after"])


async def test_work_waits_for_a_stream_that_comes_later(bus: Bus) -> None:
    done = Done()
    async with working(bus, done):
        await nats.ensure_stream(bus, JOBS)
        await add(bus, b"x")
        await eventually(lambda: done.times[b"x"])


async def test_stopping_finishes_running_jobs_and_gives_the_others_back(
    jobs: Bus, nats_server: NatsServer
) -> None:
    gate = asyncio.Event()
    done = Done()

    async def slow(job: Job) -> None:
        if job.payload == b"stuck":
            await asyncio.Event().wait()
        await gate.wait()
        await done(job)

    await add(jobs, b"stuck", b"slow")
    queue = WorkQueue("JOBS", "doers", ("job.*",), ack_wait=300.0)
    worker = Worker(jobs, queue, slow)
    task = asyncio.create_task(worker.run())
    await eventually(lambda: len(worker._running) == 2)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    stopping = asyncio.create_task(worker.stop(grace=0.5))
    gate.set()
    await stopping
    assert done.times == {b"slow": 1}
    async with working(jobs, done, queue):
        await eventually(lambda: done.times[b"stuck"])
    assert done.times == {b"slow": 1, b"stuck": 1}


async def test_two_workers_share_the_jobs_and_one_s_death_loses_none(
    jobs: Bus, nats_server: NatsServer
) -> None:
    done = Done()
    stuck: list[bytes] = []

    async def never(job: Job) -> None:
        stuck.append(job.payload)
        await asyncio.Event().wait()

    other = await nats.connect(nats.Server(nats_server.url), "other", CollectorRegistry())
    doomed = Worker(other, QUEUE, never)
    task = asyncio.create_task(doomed.run())
    await add(jobs, *(b"%d" % number for number in range(4)))
    await eventually(lambda: len(stuck) == 4)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await other.client.close()
    async with working(jobs, done):
        await eventually(lambda: len(done.times) == 4)
    await doomed.stop(grace=0)


async def test_a_handler_works_in_the_trace_of_its_job(jobs: Bus) -> None:
    sent = enter_trace(None)
    await add(jobs, b"x")
    seen: list[str] = []

    async def handler(job: Job) -> None:
        trace = current_trace()
        assert trace is not None
        seen.append(trace.trace_id)

    async with working(jobs, handler):
        await eventually(lambda: seen == [sent.trace_id])


async def test_a_server_that_falls_silent_is_asked_anew(jobs: Bus, nats_server: NatsServer) -> None:
    done = Done()
    queue = WorkQueue("JOBS", "doers", ("job.*",), heartbeat=0.1)
    async with working(jobs, done, queue) as worker:
        await eventually(lambda: worker._pull is not None)
        before = worker._pull
        with nats_server.frozen():
            await eventually(lambda: before is not None and before.over.is_set())
        await add(jobs, b"x")
        await eventually(lambda: done.times[b"x"])
    assert before is not None
    assert before.reason == "the server fell silent"
