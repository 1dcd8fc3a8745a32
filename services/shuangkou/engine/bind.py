"""The engine's composition root."""

from datetime import UTC, datetime

from shuangkou.chassis.app import App, StartFailure
from shuangkou.chassis.errors import NotFound
from shuangkou.chassis.nats import Job, StoreFull, Undoable, WorkQueue, ensure_streams
from shuangkou.engine.acts import Acts
from shuangkou.engine.claims import Claims
from shuangkou.engine.clock import Clock
from shuangkou.engine.fold import BrokenLog
from shuangkou.engine.log import TIMERS, TableLog, engine_streams
from shuangkou.engine.metrics import EngineMetrics
from shuangkou.engine.readiness import prepare_what_is_played
from shuangkou.engine.retention import Retention
from shuangkou.engine.service import TableServicer
from shuangkou.engine.settings import EngineSettings
from shuangkou.engine.streams import Streams
from shuangkou.engine.tables import Keeping, Tables
from shuangkou.engine.uptime import UptimeWatch
from shuangkou.v1 import table_pb2_grpc
from shuangkou.wire.streams import wrong_spread


async def bind(app: App[EngineSettings]) -> None:
    """Compose the engine."""
    shards = app.settings.table_shards
    streams = engine_streams(app.settings.stream_replicas, shards)

    async def prepare() -> None:
        await ensure_streams(app.bus, streams, wrong_spread(shards))

    await prepare()
    metrics = EngineMetrics(app.registry)
    log = TableLog(app.bus, shards, app.settings.stream_replicas, metrics.heard)
    await prepare_what_is_played(log)
    clock = Clock()
    claims = Claims(app.bus)
    await claims.start()
    keeping = Keeping(clock.set, clock.forget, app.settings.idle_table_seconds)
    tables = Tables(app.bus, log, metrics, keeping)
    uptime = UptimeWatch(app.bus, metrics)
    acts = Acts(tables, log, clock, uptime, metrics, int(app.settings.bot_seconds * 1000))
    app.serve(
        table_pb2_grpc.add_TableServiceServicer_to_server,
        TableServicer(tables, acts, Streams(tables, log, claims, metrics)),
    )
    clock.start(acts.ring)
    app.on_close(clock.stop)
    app.in_background("tables", tables.keep())
    app.in_background("claims", claims.keep())
    retention = Retention(tables, log, metrics, app.settings.finished_table_seconds)
    await _be_seen(uptime, retention)
    app.in_background("uptime", uptime.keep(found=acts.credit_all))
    if app.settings.finished_table_seconds:
        app.in_background("retention", retention.keep())

    async def wake(job: Job) -> None:
        try:
            await acts.wake(job.subject.removeprefix("due."))
        except (NotFound, BrokenLog) as error:
            raise Undoable(str(error)) from None

    app.work_on(WorkQueue(TIMERS, "engine-timers", ("due.*",)), wake, prepare)


async def _be_seen(uptime: UptimeWatch, retention: Retention) -> None:
    """Store the first sign of life; StartFailure where the broker has no room even for that."""
    try:
        await uptime.fresh()
    except StoreFull:
        # What may go is purged by engines alone: one that ended at once would never make room.
        await retention.sweep(datetime.now(UTC))
        try:
            await uptime.fresh()
        except StoreFull as full:
            raise StartFailure(f"the broker has no room left: {full}; docs/operate.md, CallsFail") from None
