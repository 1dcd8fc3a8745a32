"""What an engine prepares before it takes calls, so that the first one is not answered a second late."""

import asyncio
from datetime import UTC, datetime, timedelta

from shuangkou.chassis.logs import logger
from shuangkou.chassis.nats.errors import NatsFailure
from shuangkou.engine.log import TableLog
from shuangkou.engine.tables import prepare
from shuangkou.rules.ruleset import available, load

_LATELY = timedelta(hours=1)
_PATIENCE_SECONDS = 5.0
"""What takes longer is prepared when it is asked for."""


async def prepare_what_is_played(log: TableLog) -> None:
    """Prepare the rulesets of the tables that were played lately, the newest first.

    An engine that replaces another gets its tables at once; a ruleset takes up to a second to prepare.
    """
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            for ruleset_id in await _played_lately(log):
                await prepare(load(ruleset_id))
    except (TimeoutError, NatsFailure) as reason:
        logger().info("not_all_prepared", reason=str(reason) or "it takes too long")


async def _played_lately(log: TableLog) -> list[str]:
    ids = available()
    times = await asyncio.gather(*(log.last_played(ruleset_id) for ruleset_id in ids))
    since = datetime.now(UTC) - _LATELY
    played = [
        (time, ruleset_id) for time, ruleset_id in zip(times, ids, strict=True) if time and time > since
    ]
    return [ruleset_id for _, ruleset_id in sorted(played, reverse=True)]
