"""Seats around the table in turn order, and the two sides (一方)."""

from typing import NewType

Seat = NewType("Seat", int)
"""0 to 3 in turn order; seat s is followed by (s + 1) mod 4 (下家)."""

Side = NewType("Side", int)
"""0: seats 0 and 2; 1: seats 1 and 3."""

SEATS: tuple[Seat, ...] = (Seat(0), Seat(1), Seat(2), Seat(3))
SIDES: tuple[Side, ...] = (Side(0), Side(1))


def next_seat(seat: Seat) -> Seat:
    """下家."""
    return SEATS[(seat + 1) % 4]


def partner(seat: Seat) -> Seat:
    """对家."""
    return SEATS[(seat + 2) % 4]


def side_of(seat: Seat) -> Side:
    """The side that this seat plays for."""
    return SIDES[seat % 2]


def seats_of(side: Side) -> tuple[Seat, Seat]:
    """Both partners, lower seat first."""
    return SEATS[side], SEATS[side + 2]


def seats_after(seat: Seat) -> tuple[Seat, Seat, Seat]:
    """The other three seats in turn order."""
    return SEATS[(seat + 1) % 4], SEATS[(seat + 2) % 4], SEATS[(seat + 3) % 4]
