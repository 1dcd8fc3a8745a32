"""What can go wrong between this process and JetStream.

NatsFailure
├── Unreachable            no server answered at start
├── ServerTooOld           nats-server before 2.12
├── NotConnected           the connection is down now; nothing was sent
├── NoResponse             nobody serves the subject: no such stream, or JetStream is starting
├── NotNow                 a leader is being elected, or that server is about to leave
├── ApiRefused             JetStream answered with an error code
│   ├── StoreFull          the disk, or what the broker may use of it, is full
│   ├── WrongLastSequence  the optimistic check failed: someone else appended first
│   └── NotThere           no such stream, consumer or message
└── Unanswered             a request with no answer in time
    └── AppendTimeout      ambiguous: the message may or may not be stored

UnfitStream                its makers and this process do not agree on it; waiting does not help
"""

from __future__ import annotations


class NatsFailure(Exception):
    """Something went wrong between this process and JetStream."""


class Unreachable(NatsFailure):
    """No server answered at start."""


class ServerTooOld(NatsFailure):
    """The server lacks what the suite builds on (scheduled messages, atomic batches)."""


class NotConnected(NatsFailure):
    """The connection is down now; nothing was sent."""


class NoResponse(NatsFailure):
    """Nobody serves the subject: there is no such stream, or JetStream is still starting."""


class NotNow(NatsFailure):
    """JetStream cannot say at the moment: it elects a leader, or the server that was asked is leaving."""


class ApiRefused(NatsFailure):
    """JetStream answered with an error; ``code`` is its stable error code, such as 10059."""

    def __init__(self, code: int, description: str) -> None:
        super().__init__(f"{description} (JetStream error {code})")
        self.code = code
        self.description = description


class WrongLastSequence(ApiRefused):
    """The optimistic check failed: the subject has moved on, or this very message was stored before."""


class StoreFull(ApiRefused):
    """The disk is full, or what the broker may use of it; nothing was stored."""


class NotThere(ApiRefused):
    """There is no such stream, consumer or message."""


class Unanswered(NatsFailure):
    """A request got no answer in time, or the connection broke while it waited."""


class AppendTimeout(Unanswered):
    """Ambiguous: the message may or may not be stored. Read the last one before sending again."""


class UnfitStream(Exception):
    """A stream is not as this process was told; the message is fit for one log line."""


WRONG_LAST_SEQUENCE = frozenset({10071, 10164})
_NOT_NOW = frozenset({10008, 10009, 10118, 10119})
_FULL = frozenset({10023, 10028, 10047})
_NOT_THERE = frozenset({10014, 10037, 10059})


def api_refusal(error: dict[str, object]) -> ApiRefused | NotNow:
    """The exception for the ``error`` object of a JetStream answer."""
    code = int(str(error.get("err_code") or error.get("code") or 0))
    description = str(error.get("description", "unknown"))
    if code in WRONG_LAST_SEQUENCE:
        return WrongLastSequence(code, description)
    if code in _NOT_NOW:
        return NotNow(f"{description} (JetStream error {code})")
    if code in _FULL:
        return StoreFull(code, description)
    if code in _NOT_THERE:
        return NotThere(code, description)
    return ApiRefused(code, description)
