"""Keeps the ratings up with the deals that are entered, and tells what changed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats import NatsFailure
from shuangkou.scoring.database import OUT_OF_REACH
from shuangkou.scoring.metrics import ScoringMetrics
from shuangkou.scoring.rater import Rater
from shuangkou.scoring.teller import Teller

# Deals that end at about the same time come in any order; of those rated together none winds back another.
_GATHERING_SECONDS = 0.25
# Another replica may have left something to do.
_IDLE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Scribe:
    """Works off what waits to be rated and told, whoever entered it."""

    rater: Rater
    teller: Teller
    metrics: ScoringMetrics

    async def keep_up(self, entered: asyncio.Event) -> None:
        """Until cancelled; outages of the database and of NATS are waited out."""
        while True:
            try:
                while await self.work():
                    pass
            except (*OUT_OF_REACH, NatsFailure) as reason:
                logger().warning("ratings_put_off", reason=str(reason))
            try:
                async with asyncio.timeout(_IDLE_SECONDS):
                    await entered.wait()
            except TimeoutError:
                continue
            entered.clear()
            await asyncio.sleep(_GATHERING_SECONDS)

    async def work(self) -> int:
        """Rate some and tell some; of how many deals, 0 when nothing is left."""
        rated = await self.rater.rate()
        self.metrics.rated.inc(rated)
        return rated + await self.teller.tell()
