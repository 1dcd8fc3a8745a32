"""Refusals a gRPC handler raises; the call layer turns each into a rich status.

    Refused
    ├── InvalidArgument      the request is malformed
    ├── Unauthenticated      no token, or one that does not hold
    ├── PermissionDenied     the caller is known and may not do this
    ├── NotFound             no such thing
    ├── AlreadyExists        there is one already
    ├── FailedPrecondition   well formed, but against the rules now
    ├── Aborted              decided on a state that has moved on; read again and retry
    ├── ResourceExhausted    too much
    │   └── TooFast          too often; says when to come back
    ├── Unavailable          try again elsewhere or later
    ├── Unimplemented        this process serves the service, but not this method of it
    └── Internal             our fault; only the call layer says so

A refusal is an answer, not a fault: it is never logged as an error. Anything else that escapes
a handler becomes INTERNAL with a trace id and is logged with its traceback.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import grpc
from google.protobuf.message import Message

_LONGEST_EXPLANATION = 1000

DetailFactory = Callable[[str, str], Message]
"""Makes the detail message of a refusal from its code and its explanation."""


class Refused(Exception):
    """A call answered with *no*.

    ``code`` is stable and reads ``family/what``; ``explanation`` is for people. ``detail`` travels in the
    rich status; without one the service's detail factory makes it from code and explanation.
    """

    status: ClassVar[grpc.StatusCode] = grpc.StatusCode.UNKNOWN

    def __init__(self, code: str, explanation: str, detail: Message | None = None) -> None:
        self.code = code
        self.explanation = _clipped(explanation)
        super().__init__(f"{code}: {self.explanation}")
        self.detail = detail


class InvalidArgument(Refused):
    """The request is malformed, whatever the state."""

    status = grpc.StatusCode.INVALID_ARGUMENT


class Unauthenticated(Refused):
    """The caller brought no token, or one that does not hold."""

    status = grpc.StatusCode.UNAUTHENTICATED


class PermissionDenied(Refused):
    """The caller is known and may not do this."""

    status = grpc.StatusCode.PERMISSION_DENIED


class NotFound(Refused):
    """What the request names does not exist."""

    status = grpc.StatusCode.NOT_FOUND


class AlreadyExists(Refused):
    """What the request would make is there already, and differs."""

    status = grpc.StatusCode.ALREADY_EXISTS


class FailedPrecondition(Refused):
    """The request is well formed, but against the rules in this state."""

    status = grpc.StatusCode.FAILED_PRECONDITION


class Aborted(Refused):
    """The request was decided on a state that has moved on; read again and retry."""

    status = grpc.StatusCode.ABORTED


class ResourceExhausted(Refused):
    """The caller asks for too much."""

    status = grpc.StatusCode.RESOURCE_EXHAUSTED


class TooFast(ResourceExhausted):
    """The caller calls too often; ``retry_seconds`` travels beside the detail, as google.rpc.RetryInfo."""

    def __init__(self, code: str, explanation: str, retry_seconds: float) -> None:
        super().__init__(code, explanation)
        self.retry_seconds = retry_seconds


class Unavailable(Refused):
    """This process cannot answer now; another one, or the same one later, can."""

    status = grpc.StatusCode.UNAVAILABLE


class Unimplemented(Refused):
    """The service has such a method, and this process does not serve it; made by the call layer."""

    status = grpc.StatusCode.UNIMPLEMENTED


class Internal(Refused):
    """A fault of ours; made by the call layer from an exception nobody meant to answer with."""

    status = grpc.StatusCode.INTERNAL


def _clipped(explanation: str) -> str:
    # gRPC drops a status whose metadata exceed 16 KiB, and what a caller sent may be quoted.
    if len(explanation) <= _LONGEST_EXPLANATION:
        return explanation
    return f"{explanation[:_LONGEST_EXPLANATION]}…"
