"""Which acts were made for a seat by somebody other than its holder."""

from collections.abc import Iterator

from shuangkou.engine.events import DeadlinePassed, Event, traits_of
from shuangkou.engine.metrics import StandIn
from shuangkou.engine.table import Table
from shuangkou.rules.events import Trait


def stand_ins(before: Table, events: tuple[Event, ...]) -> Iterator[StandIn]:
    """One for each act of a commit that was made in place of the seat's holder. `before`: the table then."""
    passed = [event for event in events if isinstance(event, DeadlinePassed)]
    if passed:
        yield from (StandIn.LATE_PERSON if event.in_a_row else StandIn.SILENT_BOT for event in passed)
        return
    if not any(holder.hosted or holder.forfeited for holder in before.holders):
        return
    for event in events:
        seat = getattr(event, "seat", None)
        if seat is None or Trait.OWN_ACT not in traits_of(before.ruleset, event):
            continue
        holder = before.holders[seat]
        if holder.forfeited:
            yield StandIn.FORFEITED
        elif holder.hosted:
            yield StandIn.HOSTED
