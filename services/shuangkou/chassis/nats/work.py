"""Work distribution: a durable pull consumer shared by all pods, each handling a bounded number at once."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import count

from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as ClientError
from nats.js.api import ConsumerConfig, DeliverPolicy

from shuangkou.chassis.errors import Unavailable
from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats.connection import Bus
from shuangkou.chassis.nats.errors import NatsFailure, NotConnected
from shuangkou.chassis.nats.messages import DESCRIPTION, STATUS
from shuangkou.chassis.trace import TRACEPARENT, enter_trace

_NANOSECONDS = 1_000_000_000
_PULL_EXPIRES = 30.0
_SHORTEST_PAUSE = 0.05
_LONGEST_PAUSE = 5.0
_OUTAGE_LOGGED_EVERY = 30.0
_LONGEST_RETRY_DELAY = 60.0
_MEASURED_EVERY = 5.0
_HEARTBEAT_STATUS = "100"
_TIME_IS_UP = frozenset({"404", "408"})


class Undoable(Exception):
    """Raised by a handler for work that no retry will make possible; it is not delivered again."""


class TryLater(Exception):
    """Raised by a handler for what it needs and cannot reach now; the job is delivered again."""


@dataclass(frozen=True, slots=True)
class Job:
    """One delivery of a stored message; ``attempt`` counts from 1."""

    subject: str
    sequence: int
    payload: bytes
    headers: Mapping[str, str]
    attempt: int


Handler = Callable[[Job], Awaitable[None]]
Prepare = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class WorkQueue:
    """What a durable consumer delivers and how. Times are seconds.

    A job is delivered again when its pod falls silent for ``ack_wait``; one that takes longer than
    ``time_limit`` is cancelled and retried. ``max_deliver`` -1 retries for ever, after ``retry_delay``
    doubled with every attempt, one minute at most. A server that misses two ``heartbeat`` is asked anew.
    """

    stream: str
    durable: str
    subjects: tuple[str, ...]
    concurrency: int = 16
    ack_wait: float = 10.0
    time_limit: float = 120.0
    retry_delay: float = 0.5
    max_deliver: int = -1
    heartbeat: float = 2.0
    deliver: DeliverPolicy = DeliverPolicy.ALL

    def consumer_config(self) -> ConsumerConfig:
        """The consumer as the server is to have it."""
        only = self.subjects[0] if len(self.subjects) == 1 else None
        return ConsumerConfig(
            durable_name=self.durable,
            deliver_policy=self.deliver,
            ack_wait=self.ack_wait,
            max_deliver=self.max_deliver,
            filter_subject=only,
            filter_subjects=None if only else list(self.subjects),
            max_ack_pending=max(1000, self.concurrency * 64),
        )


@dataclass(slots=True)
class _Pull:
    """An outstanding request for messages."""

    number: int
    remaining: int
    heard_at: float
    over: asyncio.Event = field(default_factory=asyncio.Event)
    reason: str = ""

    def end(self, reason: str) -> None:
        """Over: everything asked for came or the time is up (no reason), or something is off."""
        if not self.over.is_set():
            self.reason = reason
            self.over.set()

    def job_came(self, now: float) -> None:
        """One of the jobs asked for arrived."""
        self.heard_at = now
        self.remaining -= 1
        if self.remaining <= 0:
            self.end("")

    def remark(self, msg: Msg, now: float) -> None:
        """The server said something about the pull itself."""
        self.heard_at = now
        headers = msg.headers or {}
        status, description = headers.get(STATUS, ""), headers.get(DESCRIPTION, "")
        if status in _TIME_IS_UP:
            self.end("")
        elif status != _HEARTBEAT_STATUS:
            self.end(f"{status} {description}".strip())


class Worker:
    """Pulls jobs of one queue and runs ``handler`` for each until stopped.

    Success acknowledges; Undoable gives the job up; any other exception has it delivered again later, an
    outage (TryLater, NatsFailure, Unavailable) with a warning and anything else as an error of ours.
    The consumer is made again when it disappears; ``prepare`` runs before that, to make the stream.
    """

    def __init__(self, bus: Bus, queue: WorkQueue, handler: Handler, prepare: Prepare | None = None) -> None:
        self._bus = bus
        self._queue = queue
        self._handler = handler
        self._prepare = prepare
        self._metrics = bus.work_metrics.of_queue(queue.durable, queue.stream)
        self._loop = asyncio.get_running_loop()
        self._running: dict[asyncio.Task[None], Msg] = {}
        self._slot_free = asyncio.Event()
        self._pull_numbers = count(1)
        self._pull: _Pull | None = None
        self._inbox = bus.client.new_inbox()
        self._subscription: Subscription | None = None
        self._stopping = False

    async def run(self) -> None:
        """Work until cancelled; outages of NATS are waited out. Call ``stop`` afterwards."""
        self._subscription = await self._bus.client.subscribe(f"{self._inbox}.*", cb=self._arrived)
        self._bus.when_lost(self._connection_lost)
        beside = [asyncio.create_task(self._keep_alive()), asyncio.create_task(self._measure())]
        pause = _SHORTEST_PAUSE
        try:
            while True:
                try:
                    await self._bus.connected(within=_OUTAGE_LOGGED_EVERY)
                    await self._make_consumer()
                    pause = _SHORTEST_PAUSE
                    reason = await self._pull_until_interrupted()
                except NatsFailure as failure:
                    reason = str(failure)
                logger().warning("work_interrupted", queue=self._queue.durable, reason=reason)
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
        finally:
            for task in beside:
                task.cancel()

    async def stop(self, grace: float) -> None:
        """Take no more jobs, let the running ones finish within ``grace`` seconds, give the rest back."""
        self._stopping = True
        try:
            if self._subscription is not None and self._bus.is_connected:
                await self._subscription.drain()  # type: ignore[no-untyped-call]  # nats-py leaves it bare
        except (ClientError, TimeoutError) as error:
            logger().warning("work_not_drained", queue=self._queue.durable, reason=str(error))
        if self._running:
            await asyncio.wait(list(self._running), timeout=grace)
        left = list(self._running)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _make_consumer(self) -> None:
        if self._prepare is not None:
            await self._prepare()
        stream, durable = self._queue.stream, self._queue.durable
        config = self._queue.consumer_config().as_dict()
        verb = f"CONSUMER.CREATE.{stream}.{durable}"
        if len(self._queue.subjects) == 1:
            # In this form the subject of the request names the filter, so that permissions can hold it fast.
            verb = f"{verb}.{self._queue.subjects[0]}"
        await self._bus.api(verb, {"stream_name": stream, "config": config})

    async def _pull_until_interrupted(self) -> str:
        reason = ""
        while not reason:
            await self._wait_for_slot()
            reason = await self._pull_once()
        return reason

    async def _wait_for_slot(self) -> None:
        while len(self._running) >= self._queue.concurrency:
            self._slot_free.clear()
            await self._slot_free.wait()

    async def _pull_once(self) -> str:
        """Ask for as many jobs as there are free slots, wait for them; a reason where something is off."""
        want = self._queue.concurrency - len(self._running)
        pull = _Pull(next(self._pull_numbers), want, self._loop.time())
        self._pull = pull
        request = {
            "batch": want,
            "expires": int(_PULL_EXPIRES * _NANOSECONDS),
            "idle_heartbeat": int(self._queue.heartbeat * _NANOSECONDS),
        }
        verb = f"$JS.API.CONSUMER.MSG.NEXT.{self._queue.stream}.{self._queue.durable}"
        await self._bus.send(verb, json.dumps(request).encode(), f"{self._inbox}.{pull.number}", None)
        while not pull.over.is_set():
            try:
                async with asyncio.timeout(self._queue.heartbeat):
                    await pull.over.wait()
            except TimeoutError:
                if self._loop.time() - pull.heard_at > 2.5 * self._queue.heartbeat:
                    pull.end("the server fell silent")
        return pull.reason

    def _connection_lost(self) -> None:
        if self._pull is not None:
            self._pull.end("the connection broke")

    async def _arrived(self, msg: Msg) -> None:
        # Jobs come under their own subject, only the server's remarks under that of the pull.
        pull = self._pull
        if not msg.reply.startswith("$JS.ACK."):
            if pull is not None and msg.subject == f"{self._inbox}.{pull.number}":
                pull.remark(msg, self._loop.time())
            return
        if self._stopping:
            await self._answer(msg, b"-NAK")
            return
        self._start(msg)
        if pull is not None:
            pull.job_came(self._loop.time())

    def _start(self, msg: Msg) -> None:
        task = self._loop.create_task(self._do(msg))
        self._running[task] = msg
        self._metrics.running.set(len(self._running))
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        self._metrics.running.set(len(self._running))
        self._slot_free.set()

    async def _do(self, msg: Msg) -> None:
        enter_trace((msg.headers or {}).get(TRACEPARENT))
        job, pending = _job(msg)
        self._metrics.pending.set(pending)
        if job.attempt > 1:
            self._metrics.redelivered.inc()
        else:
            self._metrics.lag.observe(max(0.0, time.time() - msg.metadata.timestamp.timestamp()))
        started = self._loop.time()
        outcome, answer = await self._outcome(job)
        self._metrics.seconds.observe(self._loop.time() - started)
        self._metrics.handled[outcome].inc()
        await self._answer(msg, answer)

    async def _outcome(self, job: Job) -> tuple[str, bytes]:
        queue = self._queue.durable
        try:
            async with asyncio.timeout(self._queue.time_limit):
                await self._handler(job)
        except Undoable as reason:
            logger().warning("work_given_up", queue=queue, subject=job.subject, reason=str(reason))
            return "given_up", b"+TERM"
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            return "given_back", b"-NAK"
        except (TryLater, Unavailable, NatsFailure) as reason:
            about = {"subject": job.subject, "attempt": job.attempt, "reason": str(reason)}
            logger().warning("work_put_off", queue=queue, **about)
            return "failed", self._put_off(job)
        except Exception:  # noqa: BLE001  # whatever a handler raises, the job is logged and retried
            logger().exception("work_failed", queue=queue, subject=job.subject, attempt=job.attempt)
            return "failed", self._put_off(job)
        return "done", b"+ACK"

    def _put_off(self, job: Job) -> bytes:
        delay = min(self._queue.retry_delay * 2 ** min(job.attempt - 1, 16), _LONGEST_RETRY_DELAY)
        return b'-NAK {"delay": %d}' % int(delay * _NANOSECONDS)

    async def _answer(self, msg: Msg, answer: bytes) -> None:
        try:
            await self._bus.send(msg.reply, answer, "", None)
        except NotConnected as failure:
            # Not acknowledged: the server delivers the job again, and handlers are idempotent.
            logger().warning("work_not_acknowledged", queue=self._queue.durable, reason=str(failure))

    async def _keep_alive(self) -> None:
        """Tell the server, three times per ``ack_wait``, that running jobs are being worked on."""
        while True:
            await asyncio.sleep(self._queue.ack_wait / 3)
            for msg in list(self._running.values()):
                await self._answer(msg, b"+WPI")

    async def _measure(self) -> None:
        """Ask how much there is to do: a queue from which nothing is delivered says so by no delivery."""
        while True:
            await asyncio.sleep(_MEASURED_EVERY)
            try:
                verb = f"CONSUMER.INFO.{self._queue.stream}.{self._queue.durable}"
                info = await self._bus.api(verb, {})
            except NatsFailure as failure:
                # Who pulls finds out as well, and mends it.
                logger().debug("work_not_measured", queue=self._queue.durable, reason=str(failure))
                continue
            self._metrics.pending.set(info["num_pending"])
            self._metrics.unacknowledged.set(info["num_ack_pending"])


def _job(msg: Msg) -> tuple[Job, int]:
    place = msg.metadata
    job = Job(msg.subject, place.sequence.stream, msg.data, msg.headers or {}, place.num_delivered)
    return job, place.num_pending


async def delete_consumer(bus: Bus, queue: WorkQueue) -> None:
    """Remove the durable consumer, and with it what it has acknowledged so far."""
    await bus.api(f"CONSUMER.DELETE.{queue.stream}.{queue.durable}", {})
