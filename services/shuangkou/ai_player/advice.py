"""What an advisor says of a view, for any family of games."""

from dataclasses import dataclass
from enum import Enum

from shuangkou.wire.commands import SeatAct


class Unit(Enum):
    """What the points of advice are counted in. LEVELS: 升级 levels."""

    POINTS = "points"
    LEVELS = "levels"


@dataclass(frozen=True, slots=True)
class Advice:
    """An act and why. worth: comparable within one view. points, error: expected gain of the
    seat's side over the others at the end of the deal, in units, and its standard error; worlds: deals that
    it was played in."""

    act: SeatAct
    worth: float
    points: float
    error: float
    worlds: int
    reason_en: str
    reason_zh: str
    unit: Unit = Unit.POINTS
