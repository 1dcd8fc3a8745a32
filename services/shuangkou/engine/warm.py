"""A table in memory: its state, and what is needed to append to its log."""

import asyncio
from dataclasses import dataclass, field
from itertools import islice

from shuangkou.engine.table import Table
from shuangkou.engine.watchers import Watchers

REMEMBERED_ANSWERS = 256
"""Answered commands kept per table: about two deals."""

CARRIED_ANSWERS = 32
"""Answered commands handed on to the next deal: more than four seats can have under way."""

CommandKey = tuple[str, str]
"""Who acted, and the command's id."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an accepted command got: `version`; `fingerprint` tells whether a repeat is the same command.

    `is_hidden`: the fingerprint is kept from readers, who could try all cards until one fits.
    """

    version: int
    fingerprint: int
    is_hidden: bool = False


@dataclass(slots=True)
class WarmTable:
    """The newest state of a table that this engine knows, equal to its log up to `last_sequence`.

    `deal_sequence`: stream sequence of the message that starts the running deal, 0 before the first.
    `deal_version`: the version that started it.
    `current_since`: the oldest version after which nothing but credits of time was stored.
    `timer_ms`: a scheduled wake-up fires no later than this, 0 when none is known.
    `cut_off_ms`: since then this engine could not reach the table's log, 0 when it could.
    Only who holds `lock` appends or replaces the state.
    """

    table: Table
    last_sequence: int = 0
    deal_sequence: int = 0
    deal_version: int = 0
    current_since: int = 0
    timer_ms: int = 0
    cut_off_ms: int = 0
    answers: dict[CommandKey, Answer] = field(default_factory=dict)
    watchers: Watchers = field(default_factory=Watchers)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    used_at: float = 0.0

    def is_current(self, version: int) -> bool:
        """Whether who decided on this version has seen all that a decision may depend on."""
        return self.current_since <= version <= self.table.version

    def remember(self, key: CommandKey, answer: Answer) -> None:
        """Keep the answer, and forget the oldest beyond the limit."""
        self.answers[key] = answer
        if len(self.answers) > REMEMBERED_ANSWERS:
            # The first is the opening of the table, whose repeat must be recognised for ever.
            del self.answers[next(islice(self.answers, 1, None))]

    def carried_answers(self) -> tuple[tuple[CommandKey, Answer], ...]:
        """What the next deal's first commit hands on: the opening of the table, and the newest answers."""
        answers = tuple(self.answers.items())
        return (*answers[:1], *answers[1:][-CARRIED_ANSWERS:])
