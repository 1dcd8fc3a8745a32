"""What a refusal looks like on the wire: one table from stable codes to gRPC statuses, one detail message.

A code reads `family/what`. A code that is not named here has the status of its family.
"""

from collections.abc import Iterable

import grpc

from shuangkou.rules.cards import Card
from shuangkou.rules.errors import IllegalCommand
from shuangkou.v1 import cards_pb2, errors_pb2

BAD_NAME = "auth/bad_name"
"""A good token whose subject may not be a player's: fetching another one would not help."""

_BY_CODE: dict[str, grpc.StatusCode] = {
    BAD_NAME: grpc.StatusCode.PERMISSION_DENIED,
    "state/stale_version": grpc.StatusCode.ABORTED,
    "state/version_ahead": grpc.StatusCode.ABORTED,
    "state/try_again": grpc.StatusCode.UNAVAILABLE,
    "table/not_yours": grpc.StatusCode.PERMISSION_DENIED,
    "table/private": grpc.StatusCode.PERMISSION_DENIED,
    "table/unknown": grpc.StatusCode.NOT_FOUND,
    "ruleset/unknown": grpc.StatusCode.NOT_FOUND,
    "event/unknown": grpc.StatusCode.NOT_FOUND,
    "seat/not_yours": grpc.StatusCode.PERMISSION_DENIED,
    "seat/others": grpc.StatusCode.PERMISSION_DENIED,
    "seat/unknown_persona": grpc.StatusCode.INVALID_ARGUMENT,
}
_BY_FAMILY: dict[str, grpc.StatusCode] = {
    "auth": grpc.StatusCode.UNAUTHENTICATED,
    "cards": grpc.StatusCode.FAILED_PRECONDITION,
    "climbing": grpc.StatusCode.FAILED_PRECONDITION,
    "event": grpc.StatusCode.INVALID_ARGUMENT,
    "request": grpc.StatusCode.INVALID_ARGUMENT,
    "ruleset": grpc.StatusCode.INVALID_ARGUMENT,
    "seat": grpc.StatusCode.FAILED_PRECONDITION,
    "state": grpc.StatusCode.FAILED_PRECONDITION,
    "stream": grpc.StatusCode.FAILED_PRECONDITION,
    "table": grpc.StatusCode.FAILED_PRECONDITION,
    "tricks": grpc.StatusCode.FAILED_PRECONDITION,
    "turn": grpc.StatusCode.FAILED_PRECONDITION,
}

WIRE_CARDS = cards_pb2.Card.values()[1:]
"""The protobuf number of each card by the rules' card value."""


class MalformedMessage(ValueError):
    """A message from outside that means nothing: `code` is stable, the text is for a person."""

    def __init__(self, code: str, explanation: str) -> None:
        super().__init__(explanation)
        self.code = code
        self.explanation = explanation


def status_of(code: str) -> grpc.StatusCode:
    """The gRPC status that a refusal with this code travels under."""
    return _BY_CODE.get(code) or _BY_FAMILY.get(code.partition("/")[0], grpc.StatusCode.FAILED_PRECONDITION)


def refusal(
    code: str,
    explanation: str,
    cards: Iterable[Card] = (),
    seat: int | None = None,
    head_version: int | None = None,
) -> errors_pb2.Refusal:
    """The detail message of a refusal."""
    return errors_pb2.Refusal(
        code=code,
        explanation=explanation,
        cards=[WIRE_CARDS[card] for card in cards],
        seat=seat,
        head_version=head_version,
    )


def refusal_of(error: IllegalCommand, head_version: int) -> errors_pb2.Refusal:
    """The detail message for what the rules refused."""
    return refusal(error.code, error.message, error.cards, error.seat, head_version)
