"""Seats between protobuf and the rules."""

from collections.abc import Iterable

from shuangkou.rules.seats import SEATS, Seat
from shuangkou.wire.refusals import MalformedMessage


def seat_from_wire(number: int) -> Seat:
    """One of the four seats; MalformedMessage for any other number."""
    if not 0 <= number < len(SEATS):
        raise MalformedMessage("request/no_such_seat", f"there is no seat {number}; seats are 0 to 3")
    return SEATS[number]


def seats_from_wire(numbers: Iterable[int]) -> tuple[Seat, ...]:
    """In the same order."""
    return tuple([seat_from_wire(number) for number in numbers])
