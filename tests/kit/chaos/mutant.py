"""A service without one of its safeguards, named by SHUANGKOU_MUTATION, to show that the checker sees it.

unchecked: appends without the optimistic check. early: answers before the commit is stored. credulous: takes
an append that nobody answered for a stored one. forgetful: keeps no answered commands. deaf: leaves a commit
out of its streams now and then. indiscreet: publishes a hand. double: publishes settlements twice.
"""

from __future__ import annotations

import asyncio
import os
from itertools import count

from shuangkou.chassis.app import run
from shuangkou.chassis.nats.appending import append
from shuangkou.chassis.nats.connection import Bus
from shuangkou.chassis.nats.errors import AppendTimeout
from shuangkou.chassis.nats.messages import Expectation, NewMessage
from shuangkou.engine import log as engine_log
from shuangkou.engine.bind import bind
from shuangkou.engine.fold import Entry
from shuangkou.engine.log import TableLog
from shuangkou.engine.settings import EngineSettings
from shuangkou.engine.table import Table
from shuangkou.engine.warm import Answer, CommandKey, WarmTable
from shuangkou.engine.watchers import Watchers
from shuangkou.rules.events import Trait
from shuangkou.scoring import bind as scoring_bind
from shuangkou.scoring.recorder import Recorder
from shuangkou.scoring.settings import ScoringSettings
from shuangkou.scoring.settlement import Settlement
from shuangkou.v1.events_pb2 import Commit, Event, KittyShown
from shuangkou.wire.refusals import refusal

_STORED_LATER_SECONDS = 0.5
_NOBODY_ANSWERS_SECONDS = 0.5
"""Sooner than clients ask another engine."""
_LEFT_OUT_EVERY = 40
_append = TableLog.append
_tell = Watchers.tell
_publish = Recorder._publish
_tasks: set[asyncio.Task[int]] = set()
_told = count(1)


async def _unchecked(bus: Bus, message: NewMessage, _expect: Expectation, timeout: float) -> int:
    return await append(bus, message, timeout=timeout)


async def _early(self: TableLog, entry: Entry, last_sequence: int) -> int:
    if entry.secret is not None:
        return await _append(self, entry, last_sequence)

    async def later() -> int:
        await asyncio.sleep(_STORED_LATER_SECONDS)
        return await _append(self, entry, last_sequence)

    task = asyncio.create_task(later())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    return last_sequence + 1


async def _credulous(self: TableLog, entry: Entry, last_sequence: int) -> int:
    try:
        return await _append(self, entry, last_sequence)
    except AppendTimeout:
        return last_sequence + 1


async def _indiscreet(self: TableLog, entry: Entry, last_sequence: int) -> int:
    for secret in entry.secret.events if entry.secret is not None else ():
        if secret.HasField("hands_dealt"):
            shown = KittyShown(seat=0, cards=secret.hands_dealt.hands[0].cards)
            entry.commit.events.append(Event(kitty_shown=shown))
    return await _append(self, entry, last_sequence)


def _deaf(self: Watchers, commit: Commit, after: Table, traits: Trait) -> None:
    if next(_told) % _LEFT_OUT_EVERY:
        _tell(self, commit, after, traits)


def _forgetful(self: WarmTable, key: CommandKey, answer: Answer) -> None:
    self.answers.clear()


async def _double(self: Recorder, settlement: Settlement) -> None:
    await _publish(self, settlement)
    stored = settlement.stored
    again = NewMessage(settlement.subject, stored.SerializeToString(deterministic=True))
    await append(self.bus, again)


# Taken out, for a service starts with no variable that it does not know.
mutation = os.environ.pop("SHUANGKOU_MUTATION")
match mutation:
    case "unchecked":
        vars(engine_log)["append"] = _unchecked
    case "early":
        TableLog.append = _early  # type: ignore[method-assign]  # the engine under test is a broken one
    case "credulous":
        vars(engine_log)["APPEND_SECONDS"] = _NOBODY_ANSWERS_SECONDS
        TableLog.append = _credulous  # type: ignore[method-assign]  # the engine under test is a broken one
    case "indiscreet":
        TableLog.append = _indiscreet  # type: ignore[method-assign]  # the engine under test is a broken one
    case "deaf":
        Watchers.tell = _deaf  # type: ignore[method-assign]  # the engine under test is a broken one
    case "forgetful":
        WarmTable.remember = _forgetful  # type: ignore[method-assign]  # the engine under test is a broken one
    case "double":
        Recorder._publish = _double  # type: ignore[method-assign]  # the scorer under test is a broken one
    case other:
        raise SystemExit(f"no mutation {other!r}")

if mutation == "double":
    run("scoring", ScoringSettings, scoring_bind.bind)
run("engine", EngineSettings, bind, refusal)
