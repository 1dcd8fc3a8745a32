"""Matches written to the log without anybody playing them: as many deals as a test asks for, in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from shuangkou.engine.clock import now_ms
from shuangkou.engine.commands import Command, OpenTable
from shuangkou.engine.decider import advance, decide, due_command
from shuangkou.engine.fold import Origin, apply_entry, blank_table, make_entry
from shuangkou.engine.log import TableLog
from shuangkou.engine.table import Holder, Phase, Terms
from shuangkou.engine.warm import WarmTable
from shuangkou.rules.decider import decider_for
from shuangkou.rules.ruleset import AnyRuleSet
from shuangkou.rules.seats import SEATS

_BOT_MS = 5000


@dataclass(slots=True)
class LongMatch:
    """A table of bots that always do what the engine would do for them. `now_ms` is its own time."""

    log: TableLog
    warm: WarmTable
    rng: Random
    now_ms: int

    @classmethod
    async def opened(cls, log: TableLog, table_id: str, ruleset: AnyRuleSet, deals: int) -> LongMatch:
        """Its first commit is stored."""
        match = cls(log, WarmTable(blank_table(table_id, ruleset)), Random(table_id), now_ms())
        holders = tuple(
            Holder(persona="plain") if seat < ruleset.options.players else Holder() for seat in SEATS
        )
        await match._perform(OpenTable(Terms("long", deals, 0), holders))
        return match

    async def play_until(self, deal: int, acts: int) -> None:
        """Play on until so many acts of this deal are stored, or the match is over."""
        table = self.warm.table
        while table.match.standing.last_number < deal and table.phase is not Phase.FINISHED:
            await self._step()
            table = self.warm.table
        for _ in range(acts):
            if self.warm.table.phase is Phase.DEAL:
                await self._step()

    async def _step(self) -> None:
        table = self.warm.table
        self.now_ms = max(self.now_ms, table.deadline_ms)
        command: Command | None = None
        if table.phase is Phase.DEAL and table.actors:
            # Quicker than their deadlines, which bots of this kind would all miss.
            fallback = decider_for(table.ruleset).fallback(table.match, table.actors[0])
            command = fallback
        else:
            command = due_command(table, self.now_ms, self.rng.randbytes(32))
        assert command is not None, table
        await self._perform(command)

    async def _perform(self, command: Command) -> None:
        warm = self.warm
        origin = Origin(("engine", f"long:{warm.table.version}"), 0, self.now_ms)
        events = decide(warm.table.at_time(self.now_ms), command)
        after = advance(warm.table, events, self.now_ms, _BOT_MS)
        entry = make_entry(warm, after, events, origin)
        apply_entry(warm, entry, await self.log.append(entry, warm.last_sequence))
