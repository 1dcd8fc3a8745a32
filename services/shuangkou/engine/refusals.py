"""What the engine answers when it says no."""

import grpc

from shuangkou.chassis import errors
from shuangkou.chassis.errors import Aborted, InvalidArgument, Refused
from shuangkou.rules.errors import IllegalCommand
from shuangkou.wire.refusals import MalformedMessage, refusal, refusal_of, status_of

_REFUSED_BY_STATUS: dict[grpc.StatusCode, type[Refused]] = {
    kind.status: kind
    for kind in (
        errors.Aborted,
        errors.FailedPrecondition,
        errors.InvalidArgument,
        errors.NotFound,
        errors.PermissionDenied,
        errors.Unavailable,
    )
}


def refused_by_rules(error: IllegalCommand, head_version: int) -> Refused:
    """The refusal of a command that is against the rules at `head_version`."""
    kind = _REFUSED_BY_STATUS[status_of(error.code)]
    return kind(error.code, error.message, refusal_of(error, head_version))


def refused_as(
    code: str, explanation: str, seat: int | None = None, head_version: int | None = None
) -> Refused:
    """The refusal with the status that its code stands for."""
    kind = _REFUSED_BY_STATUS[status_of(code)]
    return kind(code, explanation, refusal(code, explanation, seat=seat, head_version=head_version))


def malformed(error: MalformedMessage) -> InvalidArgument:
    """The refusal of a message that means nothing."""
    return InvalidArgument(error.code, error.explanation, refusal(error.code, error.explanation))


def stale_version(expected: int, head: int) -> Aborted:
    """The refusal of an act on a version that is not the newest, or that the table has not reached."""
    is_ahead = expected > head
    code = "state/version_ahead" if is_ahead else "state/stale_version"
    explanation = f"the table is at version {head}, not {'yet at ' if is_ahead else ''}{expected}"
    return Aborted(code, explanation, refusal(code, explanation, head_version=head))
