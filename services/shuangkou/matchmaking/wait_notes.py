"""How long people waited for the tables of this replica, written for all replicas, also those to come."""

from __future__ import annotations

import asyncio
from collections import defaultdict

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import NatsFailure, WrongLastSequence
from shuangkou.matchmaking.record import DAY_MS
from shuangkou.matchmaking.store import Change, Store, waits_key
from shuangkou.matchmaking.waits import Queue, waits_of, with_waits
from shuangkou.v1.matchmaking_pb2 import Claim, QueueWaits, SeatedWait

_PAUSE_SECONDS = 1.0
"""Of all that are seated in this time a queue costs one write."""


class WaitNotes:
    """Collects the waits of tables that this replica has opened. What is not written when it dies is lost."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._new: dict[Queue, list[SeatedWait]] = defaultdict(list)

    def note(self, claim: Claim, now_ms: int) -> None:
        """The table of the claim is open."""
        for queue, waits in waits_of(claim, now_ms).items():
            self._new[queue] += waits

    async def run(self) -> None:
        """Write until cancelled."""
        while True:
            await asyncio.sleep(_PAUSE_SECONDS)
            try:
                await self.write()
            except NatsFailure as failure:
                logger().warning("waits_not_written", reason=str(failure))

    async def write(self) -> None:
        """Write what is new; what another replica was faster with comes with the next write. NatsFailure."""
        for queue in list(self._new):
            key = waits_key(*queue)
            entry = await self._store.get(key)
            new = list(self._new[queue])
            waits = with_waits(QueueWaits.FromString(entry.value), queue, new)
            change = Change(key, waits.SerializeToString(), entry.sequence, DAY_MS // 1000)
            try:
                await self._store.put([change])
            except WrongLastSequence:
                continue
            del self._new[queue][: len(new)]
            if not self._new[queue]:
                del self._new[queue]
