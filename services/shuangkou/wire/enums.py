"""Enumerations of the rules by their numbers on the wire, matched by name."""

from collections.abc import Callable, Iterable
from enum import Enum
from operator import itemgetter
from typing import Generic, TypeVar

from shuangkou.wire.refusals import MalformedMessage

M = TypeVar("M", bound=Enum)
N = TypeVar("N", bound=int)


class WireEnum(Generic[M, N]):
    """Both directions between the members of an enumeration and protobuf's numbers for them."""

    def __init__(self, members: Iterable[M], number_of: Callable[[str], N], prefix: str) -> None:
        """`number_of`: the `Value` of the protobuf enumeration; its names are prefix and member name."""
        self._type = "".join(part.title() for part in prefix.split("_"))
        self._numbers = {member: number_of(f"{prefix}_{member.name}") for member in members}
        self._members = {int(number): member for member, number in self._numbers.items()}

    def to_wire(self, member: M) -> N:
        """The number of a member."""
        return self._numbers[member]

    def find(self, number: int) -> M | None:
        """The member with this number, None when there is none, *unspecified* included."""
        return self._members.get(number)

    def from_wire(self, number: int, field: str = "") -> M:
        """The member with this number; MalformedMessage, which names the field, when there is none."""
        member = self._members.get(number)
        if member is None:
            allowed = ", ".join(
                f"{value} {member.name}" for value, member in sorted(self._members.items(), key=itemgetter(0))
            )
            where = f"{field}: " if field else ""
            raise MalformedMessage(
                "request/no_such_value", f"{where}{number} is no {self._type} here, only {allowed}"
            )
        return member
