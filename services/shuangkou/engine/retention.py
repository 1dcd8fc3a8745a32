"""Tables that are over leave the log after a while. What analysts need of them stays in EVENTS."""

import asyncio
from datetime import UTC, datetime, timedelta

from shuangkou.chassis.errors import NotFound
from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats.errors import NatsFailure
from shuangkou.engine.fold import BrokenLog
from shuangkou.engine.log import TableLog
from shuangkou.engine.metrics import EngineMetrics
from shuangkou.engine.table import Phase
from shuangkou.engine.tables import Tables

_LONGEST_PAUSE_SECONDS = 60.0


class Retention:
    """Purges what has been over for long enough and is in the ledger.

    Nothing is remembered between two sweeps: the commits that end deals lie in the log in the order of their
    time, so whoever reads them from the beginning meets the oldest tables first. All engines sweep; a table
    that is over never changes again, so it does not matter who purges it, or whether two do.
    """

    def __init__(self, tables: Tables, log: TableLog, metrics: EngineMetrics, seconds: float) -> None:
        """`seconds`: how long a table that is over stays in the log; 0 for ever."""
        self._tables = tables
        self._log = log
        self._metrics = metrics
        self._kept = timedelta(seconds=seconds)

    async def keep(self) -> None:
        """Sweep now and then, until cancelled."""
        while True:
            await asyncio.sleep(min(_LONGEST_PAUSE_SECONDS, self._kept.total_seconds()))
            try:
                await self.sweep(datetime.now(UTC))
            except NatsFailure as failure:
                logger().info("sweep_put_off", reason=str(failure))

    async def sweep(self, now: datetime) -> None:
        """Purge each table that is due at this moment; none where tables are kept for ever."""
        if not self._kept:
            return
        moment = now - self._kept
        async for table_id in self._log.settled_before(moment):
            try:
                await self._purge_if_over(table_id, moment)
            except NotFound:
                # Another engine was faster.
                continue
            except BrokenLog as reason:
                logger().warning("table_not_purged", table_id=table_id, reason=str(reason))

    async def _purge_if_over(self, table_id: str, moment: datetime) -> None:
        last = await self._log.last(table_id)
        if last is None or last.stored_at >= moment:
            return
        table = await self._tables.peek(table_id)
        if table.phase is not Phase.FINISHED:
            return
        if not await self._log.has_settlement(table_id, table.match.standing.last_number):
            return
        purged = await self._log.purge(table_id, last.sequence)
        self._tables.forget(table_id)
        if purged:
            self._metrics.purged.inc()
            logger().info("table_purged", table_id=table_id, ruleset_id=table.ruleset.id, messages=purged)
