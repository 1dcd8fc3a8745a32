"""Deals that are settled at the same time are entered in one transaction."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from shuangkou.scoring.database import OUT_OF_REACH
from shuangkou.scoring.ledger import Ledger
from shuangkou.scoring.settlement import Settlement

MOST_AT_ONCE = 64


@dataclass(slots=True, eq=False)
class _Waiting:
    """A deal to be entered. is_new: None until it is, then whether it was not there before."""

    settlement: Settlement
    is_new: bool | None = None


@dataclass(slots=True)
class Intake:
    """Enters deals one batch after another; whoever's turn it is takes along all that wait behind it."""

    ledger: Ledger
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: list[_Waiting] = field(default_factory=list)

    async def store(self, settlement: Settlement) -> bool:
        """Enter a deal; False where it was there before. Raises what the database raises."""
        own = _Waiting(settlement)
        self.waiting.append(own)
        try:
            async with self.turn:
                if own.is_new is None:
                    await self._store_with(own)
        finally:
            if own in self.waiting:
                self.waiting.remove(own)
        return bool(own.is_new)

    async def _store_with(self, own: _Waiting) -> None:
        batch = self.waiting[:MOST_AT_ONCE]
        try:
            await self._store(batch)
        except OUT_OF_REACH:
            raise
        except Exception:
            if len(batch) == 1:
                raise
            # One of them cannot be entered, and it must not hold up the others.
            await self._store([own])

    async def _store(self, batch: list[_Waiting]) -> None:
        entered = await self.ledger.store([each.settlement for each in batch])
        for each in batch:
            key = (each.settlement.stored.table_id, each.settlement.number)
            each.is_new = key in entered
            # A deal that was delivered twice at the same time is new once.
            entered.discard(key)
            self.waiting.remove(each)
