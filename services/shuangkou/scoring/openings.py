"""What a table was opened with, read from the first of its public commits."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from shuangkou.chassis.nats import Bus, next_message
from shuangkou.rules.ruleset import AnyRuleSet, RuleSetError, load
from shuangkou.v1.events_pb2 import Commit, TableCreated
from shuangkou.wire.streams import EVENTS

_REMEMBERED = 10_000


class UnknownOpening(LookupError):
    """The first commit of the table is not in EVENTS: not yet, or no more."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What a table's first commit says. ruleset: None where these rules are of another revision."""

    ruleset: AnyRuleSet | None
    is_private: bool


@dataclass(slots=True)
class Openings:
    """How tables were opened; those of tables asked for lately are kept."""

    bus: Bus
    kept: OrderedDict[str, Opening] = field(default_factory=OrderedDict)

    async def opening(self, ruleset_id: str, table_id: str) -> Opening:
        """How the table was opened, else UnknownOpening."""
        if table_id not in self.kept:
            self.kept[table_id] = await self._read(ruleset_id, table_id)
            if len(self.kept) > _REMEMBERED:
                self.kept.popitem(last=False)
        return self.kept[table_id]

    async def _read(self, ruleset_id: str, table_id: str) -> Opening:
        first = await next_message(self.bus, EVENTS, f"events.table.{ruleset_id}.{table_id}")
        if first is None:
            raise UnknownOpening(f"nothing tells how table {table_id} was opened")
        for event in Commit.FromString(first.payload).events:
            if event.HasField("table_created"):
                created = event.table_created
                return Opening(ruleset_of(ruleset_id, created), created.is_private)
        raise UnknownOpening(f"the first commit of table {table_id} that is left does not open it")


def ruleset_of(ruleset_id: str, created: TableCreated) -> AnyRuleSet | None:
    """The ruleset that a table was opened with, None where these rules are of another revision."""
    try:
        ruleset = load(ruleset_id)
        is_ours = ruleset.revision == created.ruleset_revision
        return ruleset.with_options(created.options) if is_ours else None
    except RuleSetError:
        return None
