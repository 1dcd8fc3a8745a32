"""The KV bucket ``tickets``. What belongs together is stored in one atomic batch or not at all.

player.<player>   a PlayerRecord: the player's newest ticket or seat, so that nobody has two
claim.<claim id>  a Claim, until its table is open or its tickets are back in the queue
room.<code>       a Room
waits.<ruleset>.<mode>  QueueWaits: how long those waited who were seated last
"""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass

from nats.js.api import DiscardPolicy, RePublish, StorageType, StreamConfig

from shuangkou.chassis.nats import Bus, Expectation, NewMessage, NotThere, append, append_batch
from shuangkou.matchmaking.store import Change, Entry

STREAM = "KV_tickets"
_SUBJECT = "$KV.tickets."
EVERYTHING = f"{_SUBJECT}>"
CHANGES = "changed.tickets.>"
"""Where the server says, without the content, that something has been stored."""

_EXPECTED = "Nats-Expected-Last-Subject-Sequence"


def bucket_stream(replicas: int) -> StreamConfig:
    """The stream behind the bucket; ``nats kv`` can read it."""
    return StreamConfig(
        name=STREAM,
        subjects=[EVERYTHING],
        storage=StorageType.FILE,
        num_replicas=replicas,
        max_msgs_per_subject=1,
        discard=DiscardPolicy.NEW,
        allow_rollup_hdrs=True,
        deny_delete=True,
        allow_direct=True,
        allow_atomic=True,
        allow_msg_ttl=True,
        republish=RePublish(src=EVERYTHING, dest=CHANGES, headers_only=True),
    )


def key_of(subject: str) -> str:
    """The key whose value a message on this subject holds."""
    return subject.removeprefix(_SUBJECT)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A Store: reads from the stream's leader, and checked writes."""

    bus: Bus

    async def get(self, key: str) -> Entry:
        """The key's value; a direct get could be answered by a laggard."""
        try:
            answer = await self.bus.api(f"STREAM.MSG.GET.{STREAM}", {"last_by_subj": _SUBJECT + key})
        except NotThere:
            return Entry(0, b"")
        message = answer["message"]
        return Entry(int(message["seq"]), b64decode(message.get("data", "")))

    async def get_all(self, keys: Sequence[str]) -> list[Entry]:
        """The values, asked for at once."""
        return await asyncio.gather(*(self.get(key) for key in keys))

    async def put(self, changes: Sequence[Change]) -> tuple[int, ...]:
        """Make the changes; a single one costs no batch."""
        if len(changes) == 1:
            change = changes[0]
            message = NewMessage(_SUBJECT + change.key, change.value, _headers(change))
            return (await append(self.bus, message, Expectation(change.expected)),)
        messages = [
            NewMessage(
                _SUBJECT + change.key, change.value, _headers(change) | {_EXPECTED: str(change.expected)}
            )
            for change in changes
        ]
        # A batch lies in the stream in one piece.
        first = await append_batch(self.bus, messages) - len(messages) + 1
        return tuple(range(first, first + len(messages)))


def _headers(change: Change) -> dict[str, str]:
    headers = {} if change.value else {"KV-Operation": "DEL"}
    return headers | ({"Nats-TTL": f"{change.ttl_seconds}s"} if change.ttl_seconds else {})
