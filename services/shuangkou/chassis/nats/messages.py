"""Messages on their way to a stream and as they come back from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from nats.aio.msg import Msg

from shuangkou.chassis.trace import TRACEPARENT, current_trace

STATUS = "Status"
DESCRIPTION = "Description"


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to append. The current trace is added to its headers unless they carry one."""

    subject: str
    payload: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    def all_headers(self) -> dict[str, str]:
        """The headers with the trace context, as a new dict."""
        headers = dict(self.headers)
        trace = current_trace()
        if trace is not None:
            headers.setdefault(TRACEPARENT, trace.traceparent)
        return headers


@dataclass(frozen=True, slots=True)
class Expectation:
    """Store only if the newest message on ``subject`` has this stream sequence; 0: there is none.

    ``subject`` may hold wildcards; empty means the appended message's own subject.
    """

    last_sequence: int
    subject: str = ""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message as the stream holds it; ``sequence`` is its place in the stream."""

    subject: str
    sequence: int
    payload: bytes
    headers: Mapping[str, str]
    timestamp: str

    @property
    def stored_at(self) -> datetime:
        """When the server stored it."""
        return datetime.fromisoformat(self.timestamp)


def from_direct_get(msg: Msg) -> StoredMessage:
    """The message inside the answer of a direct get, whose place travels in ``Nats-*`` headers."""
    headers = msg.headers or {}
    return StoredMessage(
        subject=headers["Nats-Subject"],
        sequence=int(headers["Nats-Sequence"]),
        payload=msg.data,
        headers=headers,
        timestamp=headers["Nats-Time-Stamp"],
    )
