"""Naming what a failed throw leads (§6.5)."""

from dataclasses import dataclass

from shuangkou.ai_player.tricks.situation import Situation
from shuangkou.rules.tricks.point_cards import points_of
from shuangkou.rules.tricks.units import Shape, format_of, tops


@dataclass(frozen=True, slots=True)
class Named:
    """A shape that may be named. beats: the seat can beat the unit that is led then; points: those in it."""

    shape: Shape
    beats: bool
    points: int


def choose_shape(situation: Situation) -> Shape:
    """A shape of which the seat can beat the unit that is led, of several that of the most points."""
    return ranked_shapes(situation)[0].shape


def ranked_shapes(situation: Situation) -> list[Named]:
    """All choices, the best first."""
    failed = situation.view.failed
    assert failed is not None  # the phase begins with it
    lead = format_of(situation.order, failed.cards)
    assert lead is not None  # a throw is of one suit
    line = situation.order.lines[lead.suit]

    def named(shape: Shape) -> Named:
        lowest = min((unit for unit in lead.units if unit.shape == shape), key=lambda unit: unit.top)
        beats = max(tops(line, situation.held, shape), default=0) > lowest.top
        return Named(shape, beats, points_of(lowest.cards))

    return sorted(map(named, failed.choices), key=lambda one: (one.beats, one.points), reverse=True)
