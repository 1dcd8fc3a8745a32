"""`shuangkou events`: the public event stream, a line for each message."""

from __future__ import annotations

import re
import time
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import DecodeError
from rich.text import Text

from shuangkou.chassis.nats import StoredMessage
from shuangkou.cli.broker import analysts_broker
from shuangkou.cli.clients import sparingly
from shuangkou.cli.folder import DataFolder
from shuangkou.cli.phrases import commit_phrase, matched_phrase, ratings_phrase, stored_phrase
from shuangkou.cli.problem import BAD_INPUT, Problem
from shuangkou.cli.stream import Reading, read_events
from shuangkou.cli.terminal import Terminal
from shuangkou.v1 import events_pb2

Message = (
    events_pb2.Commit | events_pb2.SettlementStored | events_pb2.RatingsChanged | events_pb2.TableMatched
)

_TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]+")
_TYPES: Final[dict[str, type[Message]]] = {
    "table": events_pb2.Commit,
    "score": events_pb2.SettlementStored,
    "rating": events_pb2.RatingsChanged,
    "match": events_pb2.TableMatched,
}


@dataclass(frozen=True, slots=True)
class EventOptions:
    """Which events, and whether as JSON. An empty ``table_id`` means all tables."""

    follow: bool
    from_start: bool
    table_id: str
    as_json: bool


async def show_events(folder: DataFolder, options: EventOptions, terminal: Terminal) -> int:
    """Print events; without ``follow`` all that are stored, else those to come, too or only.

    Problem when a table is named of which there is none.
    """
    reading = Reading(
        f"events.*.*.{options.table_id}" if options.table_id else "events.>",
        options.from_start or not options.follow,
        options.follow,
        missing=_no_table(options.table_id) if options.table_id else None,
    )
    if reading.missing is not None and not _TABLE_ID.fullmatch(options.table_id):
        raise reading.missing
    trouble = Text("the broker is gone; going on when it is back", "dim")
    messages = read_events(analysts_broker(folder), reading, sparingly(lambda: terminal.remark(trouble)))
    async with aclosing(messages):
        async for message in messages:
            line = event_line(message, options.as_json)
            if line is not None:
                (terminal.whole if options.as_json else terminal.record)(line)
    return 0


def _no_table(table_id: str) -> Problem:
    return Problem(f"the stream has no event of a table {table_id!r}", BAD_INPUT)


def event_line(message: StoredMessage, as_json: bool) -> Text | None:
    """One message as a person reads it, or as protobuf JSON; None for an unknown kind."""
    kind = message.subject.split(".")[1]
    if kind not in _TYPES:
        return None
    try:
        event = _TYPES[kind].FromString(message.payload)
    except DecodeError:
        return Text(f"{message.subject}: a message that cannot be read", "red")
    if as_json:
        return Text(
            MessageToJson(event, indent=None, ensure_ascii=False, always_print_fields_with_no_presence=True)
        )
    seconds = message.stored_at.timestamp()
    return readable_line(event, seconds)


def readable_line(event: Message, stored_seconds: float) -> Text:
    """Time, table, version, and what happened. A commit tells its own time, others when they were stored."""
    if isinstance(event, events_pb2.Commit):
        return _line(event.time_ms / 1000, event.table_id, f"v{event.version}", commit_phrase(event))
    if isinstance(event, events_pb2.SettlementStored):
        return _line(stored_seconds, event.table_id, f"v{event.version}", stored_phrase(event))
    phrase = ratings_phrase(event) if isinstance(event, events_pb2.RatingsChanged) else matched_phrase(event)
    return _line(stored_seconds, event.table_id, "", phrase)


def _line(seconds: float, table_id: str, version: str, phrase: str) -> Text:
    clock = time.strftime("%H:%M:%S", time.localtime(seconds))
    line = Text(f"{clock}.{int(seconds * 1000) % 1000:03d}  ", "dim")
    return line.append(f"{table_id}  ", "cyan").append(f"{version:<5} ", "dim").append(phrase, "not dim")
