"""Each engine's own precise clock. Schedules in the log wake an engine when no clock runs any more."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from shuangkou.engine.deadlines import due_ms
from shuangkou.engine.warm import WarmTable

Due = Callable[[str], Awaitable[None]]


def now_ms() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class _Alarm:
    """Rings at this time of the event loop. (A handle does not say: uvloop runs one of the past at once.)"""

    rings_at: float
    handle: asyncio.Handle


class Clock:
    """Calls back once for each table that an engine must act on.

    One alarm per table, set lazily: an alarm that rings too early is only set again.
    """

    def __init__(self) -> None:
        self._alarms: dict[str, _Alarm] = {}
        self._ringing: set[asyncio.Future[None]] = set()
        self._due: Due | None = None

    def start(self, due: Due) -> None:
        """From now on `due(table_id)` is called when something is due; it decides what that means."""
        self._due = due

    async def stop(self) -> None:
        """No more calls; those under way end first."""
        self._due = None
        for alarm in self._alarms.values():
            alarm.handle.cancel()
        self._alarms.clear()
        await asyncio.gather(*self._ringing, return_exceptions=True)

    def set(self, warm: WarmTable) -> None:
        """Mind when the table is due as it is now."""
        table = warm.table
        due = due_ms(table)
        if not due:
            self.forget(table.id)
            return
        alarm = self._alarms.get(table.id)
        loop = asyncio.get_running_loop()
        rings_at = loop.time() + max(0, due - now_ms()) / 1000
        if alarm is None or alarm.rings_at > rings_at:
            if alarm is not None:
                alarm.handle.cancel()
            self._alarms[table.id] = _Alarm(rings_at, loop.call_at(rings_at, self._ring, warm))

    def forget(self, table_id: str) -> None:
        """Mind the table no more."""
        alarm = self._alarms.pop(table_id, None)
        if alarm is not None:
            alarm.handle.cancel()

    def _ring(self, warm: WarmTable) -> None:
        table = warm.table
        self._alarms.pop(table.id, None)
        if self._due is None or not table.deadline_ms:
            return
        if now_ms() < due_ms(table):
            self.set(warm)
            return
        task = asyncio.ensure_future(self._due(table.id))
        self._ringing.add(task)
        task.add_done_callback(self._ringing.discard)
