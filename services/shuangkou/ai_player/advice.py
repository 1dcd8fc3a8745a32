"""What an advisor says of a view, for any family of games."""

from dataclasses import dataclass

from shuangkou.wire.commands import SeatAct


@dataclass(frozen=True, slots=True)
class Advice:
    """An act and why. worth: comparable within one view. points, error: expected gain of the
    seat's side over the others at the end of the deal, and its standard error; worlds: deals that it was
    played in."""

    act: SeatAct
    worth: float
    points: float
    error: float
    worlds: int
    reason_en: str
    reason_zh: str
