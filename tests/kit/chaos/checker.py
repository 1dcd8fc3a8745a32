"""Compares everything that clients were told with what is stored. Each law has a name; a finding cites it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kit.chaos.history import History, Stored
from kit.chaos.laws_of_answers import answers_hold
from kit.chaos.laws_of_books import books_hold
from kit.chaos.laws_of_logs import logs_hold
from kit.chaos.laws_of_secrets import secrets_hold
from kit.chaos.laws_of_streams import streams_hold


@dataclass(frozen=True, slots=True)
class Finding:
    """A law that does not hold, at a table, and how."""

    law: str
    table_id: str
    what: str


Broken = tuple[str, str, str]
"""Law, table id, how."""


def check(history: History, stored: Stored) -> list[Finding]:
    """All findings, in no particular order; none is what is hoped for."""
    return [Finding(*broken) for broken in _broken(history, stored)]


def _broken(history: History, stored: Stored) -> Iterator[Broken]:
    for table_id, what in history.absurd:
        yield "a table is answered for", table_id, what
    for table_id in stored.commits.keys() - set(history.tables):
        yield "a table is opened once", table_id, "nobody was told of it"
    yield from answers_hold(history, stored)
    yield from streams_hold(history, stored)
    yield from logs_hold(history, stored)
    yield from books_hold(history, stored)
    yield from secrets_hold(history, stored)
