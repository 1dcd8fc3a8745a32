"""Over how many streams tables are spread: while there are tables, that can not be changed."""

from shuangkou.chassis.app import StartFailure
from shuangkou.chassis.nats import Bus, NotThere
from shuangkou.wire.streams import WHOLE, spread_over


async def check_spread(bus: Bus, count: int) -> None:
    """Raise StartFailure where there are tables, spread over another number of streams than ``count``.

    A table is found by a hash of its id: engines that count differently would not see each other's tables.
    """
    try:
        told = await bus.api(f"STREAM.INFO.{WHOLE.stream}", {})
    except NotThere:
        return
    spread = spread_over(told["config"].get("metadata") or {})
    if told["state"]["messages"] and spread != count:
        raise StartFailure(
            f"SHUANGKOU_TABLE_SHARDS={count}, but the tables of this broker are spread over {spread}: "
            f"set it to {spread}, or begin with an empty broker"
        )
