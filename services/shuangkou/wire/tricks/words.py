"""The small words of trick-taking games between protobuf and the rules: levels, trumps, shapes, sides."""

from collections.abc import Iterable

from shuangkou.rules.seats import SEATS, SIDES, Seat, Side
from shuangkou.rules.tricks.deal_end import Feat
from shuangkou.rules.tricks.events import DecidedBy, Phase, SideLevels
from shuangkou.rules.tricks.options import Level
from shuangkou.rules.tricks.order import Trump
from shuangkou.rules.tricks.shows import ShowKind
from shuangkou.rules.tricks.units import Shape
from shuangkou.v1 import events_pb2, tricks_pb2
from shuangkou.wire.enums import WireEnum
from shuangkou.wire.refusals import MalformedMessage
from shuangkou.wire.seats import seat_from_wire

PHASES = WireEnum(Phase, events_pb2.DealPhase.Value, "DEAL_PHASE")
LEVELS = WireEnum(Level, tricks_pb2.Level.Value, "LEVEL")
TRUMPS = WireEnum(Trump, tricks_pb2.Trump.Value, "TRUMP")
SHOW_KINDS = WireEnum(ShowKind, tricks_pb2.ShowKind.Value, "SHOW_KIND")
DECIDED_BY = WireEnum(DecidedBy, tricks_pb2.DecidedBy.Value, "DECIDED_BY")
FEATS = WireEnum(Feat, tricks_pb2.Feat.Value, "FEAT")

_LONGEST = 54
"""No unit has more copies or more places than this."""


def level_to_wire(level: Level | None) -> tricks_pb2.Level.ValueType:
    """Unspecified for None."""
    return tricks_pb2.LEVEL_UNSPECIFIED if level is None else LEVELS.to_wire(level)


def level_from_wire(number: int) -> Level | None:
    """None for *unspecified*; MalformedMessage for a number that is no level."""
    return LEVELS.from_wire(number, "level") if number else None


def levels_from_wire(numbers: Iterable[int]) -> SideLevels:
    """By side; MalformedMessage unless there are two."""
    levels = tuple(level_from_wire(number) for number in numbers)
    if len(levels) != len(SIDES):
        raise MalformedMessage("request/bad_levels", f"two sides have levels, not {len(levels)}")
    return levels[0], levels[1]


def trump_to_wire(trump: Trump | None) -> tricks_pb2.Trump.ValueType:
    """Unspecified for None."""
    return tricks_pb2.TRUMP_UNSPECIFIED if trump is None else TRUMPS.to_wire(trump)


def trump_from_wire(number: int) -> Trump | None:
    """None for *unspecified*; MalformedMessage for a number that is no trump."""
    return TRUMPS.from_wire(number, "trump") if number else None


def shape_to_wire(shape: Shape) -> tricks_pb2.Shape:
    """Copies and length."""
    return tricks_pb2.Shape(copies=shape.copies, length=shape.length)


def shape_from_wire(message: tricks_pb2.Shape) -> Shape:
    """MalformedMessage for a shape that no unit can have."""
    if not (0 < message.copies <= _LONGEST and 0 < message.length <= _LONGEST):
        raise MalformedMessage("request/no_such_shape", "a shape has copies of a card at some places")
    return Shape(message.copies, message.length)


def pair_from_wire(numbers: Iterable[int]) -> tuple[int, int]:
    """By side; MalformedMessage unless there are two."""
    values = tuple(numbers)
    if len(values) != len(SIDES):
        raise MalformedMessage("request/bad_points", f"there are points of two sides, not {len(values)}")
    return values[0], values[1]


def coins_to_wire(coins: tuple[int, ...]) -> tuple[int, ...]:
    """Nothing where none were moved."""
    return coins if any(coins) else ()


def coins_from_wire(numbers: Iterable[int]) -> tuple[int, ...]:
    """In seat order; MalformedMessage unless there are four or none."""
    values = tuple(numbers) or (0,) * len(SEATS)
    if len(values) != len(SEATS):
        raise MalformedMessage("request/bad_points", f"there are coins of four seats, not {len(values)}")
    return values


def maybe_seat(number: int, is_set: bool) -> Seat | None:
    """The seat where the field is set."""
    return seat_from_wire(number) if is_set else None


def maybe_side(number: int, is_set: bool) -> Side | None:
    """The side where the field is set; MalformedMessage for any number but 0 and 1."""
    if not is_set:
        return None
    if number not in SIDES:
        raise MalformedMessage("request/no_such_side", f"there is no side {number}; sides are 0 and 1")
    return SIDES[number]
