"""What is the same in every game of how a deal ended, between protobuf and the rules."""

from collections.abc import Iterable

from shuangkou.rules.events import DealVoided, VoidReason
from shuangkou.rules.seats import SEATS, SIDES, Side
from shuangkou.v1 import events_pb2
from shuangkou.wire.enums import WireEnum
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seats_from_wire

_REASONS = WireEnum(VoidReason, events_pb2.VoidReason.Value, "VOID_REASON")


def voided_to_wire(event: DealVoided) -> events_pb2.DealVoided:
    """Without players and totals, which the table adds."""
    return events_pb2.DealVoided(
        number=event.number,
        reason=_REASONS.to_wire(event.reason),
        scores=event.scores,
        seed=event.seed,
        forfeited=event.forfeited,
    )


def voided_from_wire(message: events_pb2.DealVoided) -> DealVoided:
    """The void deal as the rules know it; MalformedMessage for one that no engine writes."""
    return DealVoided(
        number=message.number,
        reason=_REASONS.from_wire(message.reason, "reason"),
        scores=points_from_wire(message.scores),
        seed=message.seed,
        forfeited=seats_from_wire(message.forfeited),
    )


def points_from_wire(points: Iterable[int]) -> tuple[int, ...]:
    """Points in seat order; MalformedMessage unless there are four."""
    values = tuple(points)
    if len(values) != len(SEATS):
        raise MalformedMessage("request/bad_points", f"there are points of four seats, not {len(values)}")
    return values


def side_from_wire(number: int) -> Side:
    """One of the two sides; MalformedMessage for any other number."""
    if not 0 <= number < len(SIDES):
        raise MalformedMessage("request/no_such_side", f"there is no side {number}; sides are 0 and 1")
    return SIDES[number]
